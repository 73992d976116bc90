//! See `zeitnot_server::fuzzing::san`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| zeitnot_server::fuzzing::san(data));
