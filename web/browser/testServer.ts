/**
 * A server, a browser and a wire between them that can be cut: what every browser test stands on.
 *
 * Starts the `zeitnot` binary on a free loopback port and stops it by its process id. Knows no chess.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { type Server, type Socket, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type ConsoleMessage,
  type Page,
  chromium,
} from "playwright-core";
import { onTestFinished } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");

function binary(): string {
  const target = process.env.CARGO_TARGET_DIR ?? join(ROOT, "target");
  const found = [
    process.env.ZEITNOT_BINARY ?? "",
    join(target, "release", "zeitnot"),
    join(target, "debug", "zeitnot"),
  ].find((path) => path && existsSync(path));
  if (!found) throw new Error("build the server first: cargo build -p zeitnot-server");
  return found;
}

/**
 * Passes octets on, late if asked to, until it is cut: then nothing passes and nothing is closed, as with a lost network.
 */
class Wire {
  private readonly pairs = new Set<Socket>();
  private isCut = false;
  /** How long octets are under way, in ms each way. */
  late = 0;
  port = 0;

  private constructor(private readonly server: Server) {}

  static async to(target: number): Promise<Wire> {
    const server = createServer();
    const wire = new Wire(server);
    server.on("connection", (near) => wire.join(near, target));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address = server.address();
    wire.port = typeof address === "object" && address ? address.port : 0;
    return wire;
  }

  private join(near: Socket, target: number): void {
    this.pairs.add(near);
    near.on("error", () => undefined);
    if (this.isCut) return;
    const far = connect(target, "127.0.0.1");
    far.on("error", () => near.destroy());
    near.on("data", (data) => this.pass(data, far));
    far.on("data", (data) => this.pass(data, near));
    near.on("close", () => far.destroy());
    far.on("close", () => !this.isCut && near.destroy());
  }

  private pass(data: Buffer, to: Socket): void {
    const write = (): void => void (this.isCut || to.destroyed || to.write(data));
    if (this.late > 0) setTimeout(write, this.late);
    else write();
  }

  cut(): void {
    this.isCut = true;
  }

  /** Both ends learn at once that there is no connection, as when a proxy ends, and none is made until it is mended. */
  hangUp(): void {
    this.isCut = true;
    this.drop();
  }

  /** The network is back; what was under way is lost, as packets are. */
  mend(): void {
    this.isCut = false;
    this.drop();
  }

  private drop(): void {
    for (const socket of this.pairs) socket.destroy();
    this.pairs.clear();
  }

  close(): void {
    this.drop();
    this.server.close();
  }
}

/** Chromium's word for the answer by which the page learns how a challenge ended: no error of the page. */
function tellsAnEnd(message: ConsoleMessage): boolean {
  return message.text().includes("410 (Gone)") && message.location().url.includes("/api/challenges/");
}

export interface TestServer {
  readonly url: string;
  readonly wire: Wire;
  /** A person with a browser of their own until the test ends. What goes wrong on the page is kept in `errors`. */
  person(options?: BrowserContextOptions & { wired?: boolean }): Promise<Person>;
  /** Kills the server as a power cut would, and starts it again on the same data and port. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

export interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly errors: string[];
  readonly url: string;
}

/** A server on `data`; port 0 takes a free one. */
async function startServer(
  data: string,
  at: number,
  computer: boolean,
): Promise<{ process: ChildProcess; port: number }> {
  const child = spawn(
    binary(),
    ["--listen", `127.0.0.1:${at}`, "--data", join(data, "data"), ...(computer ? [] : ["--no-computer"])],
    {
      stdio: ["ignore", "pipe", "pipe"],
      cwd: data,
    },
  );
  const port = await new Promise<number>((found, failed) => {
    const read = (chunk: Buffer): void => {
      const match = /127\.0\.0\.1:(\d+)/u.exec(String(chunk));
      if (match) found(Number(match[1]));
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("exit", (code) => failed(new Error(`the server ended with ${code}`)));
  });
  return { process: child, port };
}

async function stopServer(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await new Promise((done) => child.once("exit", done));
}

/** For what a busy machine puts off: the server's slow work, as hashing passwords, comes after everything else. */
const PATIENCE_MS = 90_000;

let launched: Promise<Browser> | undefined;

/** One browser for all files that a process runs, as people have contexts of their own; it ends with the process. */
export function oneBrowser(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  return launched;
}

/** Three games of the nineteenth century, which a server has from the start. */
function importFamous(data: string): void {
  const file = join(import.meta.dirname, "famous.pgn");
  const { status, stderr } = spawnSync(binary(), ["import", file, "--data", join(data, "data")]);
  if (status !== 0) throw new Error(String(stderr));
}

export async function startTestServer({ computer = false, famous = false } = {}): Promise<TestServer> {
  const data = mkdtempSync(join(tmpdir(), "zeitnot-web-"));
  if (famous) importFamous(data);
  let server = await startServer(data, 0, computer);
  const wire = await Wire.to(server.port);
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    wire,
    async person({ wired = false, ...options } = {}) {
      const own = wired ? `http://127.0.0.1:${wire.port}` : url;
      const browser = await oneBrowser();
      // The service worker is a process more for each person, and only the tests about it need it.
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        locale: "en-GB",
        serviceWorkers: "block",
        ...options,
      });
      // Pages that stay open take time from the tests after this one: their clocks run.
      onTestFinished(() => context.close());
      context.setDefaultTimeout(PATIENCE_MS);
      await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: own });
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      page.on(
        "console",
        (message) =>
          message.type() === "error" &&
          !tellsAnEnd(message) &&
          errors.push(`${message.text()} ${message.location().url}`),
      );
      return { context, page, errors, url: own };
    },
    async crash() {
      await stopServer(server.process, "SIGKILL");
      server = await startServer(data, server.port, computer);
    },
    async close() {
      wire.close();
      await stopServer(server.process, "SIGTERM");
      rmSync(data, { recursive: true, force: true });
    },
  };
}
