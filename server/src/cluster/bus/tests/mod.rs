//! The bus's machine in virtual time, and whole buses on a real NATS server.

mod machine;
mod nats;
