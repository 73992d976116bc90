//! See `zeitnot_server::fuzzing::bus`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| zeitnot_server::fuzzing::bus(data));
