//! What carries the WebSocket: TCP, or TLS over TCP for `wss://`.
//!
//! Trusted are the certificates that the system trusts; the environment variable `SSL_CERT_FILE` names others. Without
//! the feature `tls` there is no TLS, and its crates are not built.

use std::fmt::Debug;

use tokio::io::{AsyncRead, AsyncWrite};

pub(crate) use tls::Tls;

/// A stream of bytes in both directions.
pub(crate) trait Transport: AsyncRead + AsyncWrite + Send + Unpin + Debug {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin + Debug> Transport for S {}

#[cfg(feature = "tls")]
mod tls {
    use std::io;
    use std::sync::Arc;

    use tokio::net::TcpStream;
    use tokio_rustls::TlsConnector;
    use tokio_rustls::rustls::crypto::ring;
    use tokio_rustls::rustls::pki_types::ServerName;
    use tokio_rustls::rustls::{ClientConfig, RootCertStore};

    use super::Transport;
    use crate::Error;

    /// Whom to trust.
    #[derive(Clone, Debug)]
    pub(crate) struct Tls {
        config: Arc<ClientConfig>,
    }

    impl Tls {
        /// Trusts whom the system trusts.
        ///
        /// # Errors
        /// When the system has no certificates.
        pub(crate) fn of_the_system() -> Result<Self, Error> {
            let found = rustls_native_certs::load_native_certs();
            let mut roots = RootCertStore::empty();
            // A certificate that cannot be read is nobody's; the others count.
            let (added, _) = roots.add_parsable_certificates(found.certs);
            if added == 0 {
                let why = found.errors.first().map(ToString::to_string);
                return Err(Error::NoCertificates(why.unwrap_or_else(|| "there are none".to_owned())));
            }
            Ok(Self::trusting(roots))
        }

        pub(super) fn trusting(roots: RootCertStore) -> Self {
            // Said outright: a program that has another provider as well could not be told which one is meant.
            let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
            let versions = builder.with_safe_default_protocol_versions().expect("ring has these versions");
            let config = versions.with_root_certificates(roots).with_no_client_auth();
            Self { config: Arc::new(config) }
        }

        /// Encrypts a connection to this host.
        ///
        /// # Errors
        /// When the host cannot show a certificate that is trusted.
        pub(crate) async fn encrypt(&self, host: &str, tcp: TcpStream) -> io::Result<Box<dyn Transport>> {
            let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
            let encrypted = TlsConnector::from(Arc::clone(&self.config)).connect(name, tcp).await?;
            Ok(Box::new(encrypted))
        }
    }
}

#[cfg(not(feature = "tls"))]
mod tls {
    use std::io;

    use tokio::net::TcpStream;

    use super::Transport;
    use crate::Error;

    /// There is none.
    #[derive(Clone, Debug)]
    pub(crate) enum Tls {}

    impl Tls {
        pub(crate) fn of_the_system() -> Result<Self, Error> {
            Err(Error::NoTls)
        }

        pub(crate) async fn encrypt(&self, _: &str, _: TcpStream) -> io::Result<Box<dyn Transport>> {
            match *self {}
        }
    }
}

#[cfg(test)]
#[cfg(feature = "tls")]
mod tests {
    use std::sync::Arc;

    use futures_util::StreamExt as _;
    use tokio::net::TcpListener;
    use tokio_rustls::TlsAcceptor;
    use tokio_rustls::rustls::pki_types::pem::PemObject as _;
    use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
    use tokio_rustls::rustls::{RootCertStore, ServerConfig};
    use tokio_tungstenite::tungstenite::Message;
    use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
    use tokio_tungstenite::tungstenite::http::HeaderValue;
    use zeitnot_protocol::{ClientMessage, Hello, SUBPROTOCOL};

    use super::Tls;
    use crate::machine::Failure;
    use crate::socket::{Address, Incoming, Socket};

    /// Signed by itself, for `localhost`, until 2120. Only these tests trust it.
    fn certificate() -> CertificateDer<'static> {
        CertificateDer::from_pem_slice(include_bytes!("../tests/data/localhost.cert.pem")).unwrap()
    }

    #[expect(clippy::result_large_err, clippy::unnecessary_wraps, reason = "the library wants it so")]
    fn accept(_: &Request, mut response: Response) -> Result<Response, ErrorResponse> {
        let version = HeaderValue::from_static(SUBPROTOCOL);
        response.headers_mut().insert("Sec-WebSocket-Protocol", version);
        Ok(response)
    }

    /// A server that takes one connection and gives the first frame.
    async fn server() -> (String, tokio::task::JoinHandle<Option<Message>>) {
        let key = PrivateKeyDer::from_pem_slice(include_bytes!("../tests/data/localhost.key.pem")).unwrap();
        let config = ServerConfig::builder().with_no_client_auth();
        let acceptor =
            TlsAcceptor::from(Arc::new(config.with_single_cert(vec![certificate()], key).unwrap()));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("wss://localhost:{}", listener.local_addr().unwrap().port());
        #[expect(clippy::disallowed_methods, reason = "a test's own task")]
        let served = tokio::spawn(async move {
            let tls = acceptor.accept(listener.accept().await.ok()?.0).await.ok()?;
            let mut socket = tokio_tungstenite::accept_hdr_async(tls, accept).await.ok()?;
            socket.next().await?.ok()
        });
        (url, served)
    }

    #[tokio::test]
    async fn only_a_server_with_a_trusted_certificate_gets_the_hello() {
        let mut roots = RootCertStore::empty();
        roots.add(certificate()).unwrap();
        let (url, served) = server().await;
        let mut socket =
            Socket::open(Address::read_with(&url, Ok(Tls::trusting(roots))).unwrap()).await.unwrap();
        let hello = ClientMessage::Hello(Hello::default());
        socket.send(&hello);
        assert!(matches!(socket.next().await, Incoming::Ended(_)));
        assert_eq!(served.await.unwrap(), Some(Message::text(hello.to_text())));

        let (url, served) = server().await;
        let nobody = Tls::trusting(RootCertStore::empty());
        let failure = Socket::open(Address::read_with(&url, Ok(nobody)).unwrap()).await.unwrap_err();
        assert!(matches!(&failure, Failure::Again { why, .. } if why.contains("certificate")), "{failure:?}");
        assert_eq!(served.await.unwrap(), None);
    }
}
