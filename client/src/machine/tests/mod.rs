//! The machine in virtual time: one seed after the other, against a model of the server and a network with faults.

mod caller;
mod messages;
mod model;
mod network;
mod rules;
mod simulation;
