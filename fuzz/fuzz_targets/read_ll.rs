//! The reader neither panics nor hangs, whatever the text.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    let _ = norn_llvm::read(text);
});
