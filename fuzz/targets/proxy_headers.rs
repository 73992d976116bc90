//! See `zeitnot_server::fuzzing::proxy_headers`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| zeitnot_server::fuzzing::proxy_headers(data));
