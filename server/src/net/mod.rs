//! Where requests come from: addresses and what each may use, networks that are cut, networks of trusted proxies, origins of web pages.
//!
//! Deliberately absent: what a request is allowed to do for an account (`http::guard`), and sockets.

mod addresses;
mod allowances;
mod cuts;
mod limited_log;
mod origin;
mod proxies;

pub(crate) use addresses::{Address, Addresses, Admission, Permit, Spared, TooMany};
pub(crate) use allowances::Allowances;
pub(crate) use cuts::{CutNetwork, Cuts, NotCut};
pub(crate) use origin::CameFrom;
pub use origin::{NotAnOrigin, Origin};
pub(crate) use proxies::Proxies;
pub use proxies::{Network, NotANetwork};
