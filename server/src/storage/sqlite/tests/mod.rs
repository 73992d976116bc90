//! Tests of the store on disk. Nearly all drive the committer without its thread: each commit is a
//! step, and a crash is that nothing comes after it.

mod appends;
mod carry;
mod charge;
mod damage;
mod folders;
mod harness;
mod million;
mod ratings;
mod resting;
mod running;
mod search;
mod versions;
