//! See `zeitnot_server::fuzzing::http_requests`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| zeitnot_server::fuzzing::http_requests(data));
