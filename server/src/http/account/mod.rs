//! Accounts that last: `/api/account…` in JSON, and `/sign-in`, `/register` and `/account` as pages for browsers.
//!
//! | file | what it is |
//! |---|---|
//! | `fields` | the body of a request: JSON, or what a form sends |
//! | `acts` | what can be request for, whichever way it came, and its cookie |
//! | `api` | the answers in JSON |
//! | `second_factor` | the same for the second factor |
//! | `settings` | what clients keep for an account |
//! | `contacts` | blocks and rules for challenges, in JSON |
//! | `bodies` | what is answered, and what is read, as types for the API's document |
//! | `pages`, `html` | the pages: which one is answered with, and what is on it |
//! | `programs`, `authorization`, `programs_html` | the pages about tokens of programs, and about letting one in |
//!
//! Deliberately absent: what is right and wrong about accounts (`accounts`), and the check of cookie and origin, which the
//! guard has made before.

mod acts;
pub(super) mod api;
pub(super) mod authorization;
mod bodies;
pub(super) mod contacts;
mod fields;
mod html;
pub(super) mod pages;
pub(super) mod programs;
mod programs_html;
pub(super) mod second_factor;
pub(super) mod settings;

pub(super) use api::NOT_KEPT;
pub(super) use fields::{body_bytes, object_within};
