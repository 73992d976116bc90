//! See `zeitnot_server::fuzzing::records`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| zeitnot_server::fuzzing::records(data));
