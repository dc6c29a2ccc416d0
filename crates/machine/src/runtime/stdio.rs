//! Output. What is printed is kept with the thread for the driver to fetch; there is no input: reading
//! finds the end of the file. Files cannot be opened.

use super::context::int;
use super::format::{Arguments, format};
use super::string::error_text;
use super::{Cx, Entry, threads};
use crate::thread::Stop;
use norn_action::{Mode, Obstacle};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("printf", "prints", printf),
    ("__printf_chk", "prints", printf_chk),
    ("fprintf", "prints to stdout or stderr", fprintf),
    ("__fprintf_chk", "prints to stdout or stderr", fprintf_chk),
    ("dprintf", "prints to file descriptor 1 or 2", dprintf),
    ("vprintf", "prints", vprintf),
    ("vfprintf", "prints to stdout or stderr", vfprintf),
    ("sprintf", "prints to a string", sprintf),
    ("snprintf", "prints to a string of limited size", snprintf),
    ("__sprintf_chk", "prints to a string", sprintf_chk),
    ("__snprintf_chk", "prints to a string of limited size", snprintf_chk),
    ("vsprintf", "prints to a string", vsprintf),
    ("vsnprintf", "prints to a string of limited size", vsnprintf),
    ("puts", "prints a line", puts),
    ("putchar", "prints a character", putchar),
    ("putchar_unlocked", "prints a character", putchar),
    ("fputs", "prints a string", fputs),
    ("fputc", "prints a character", fputc),
    ("putc", "prints a character", fputc),
    ("fwrite", "prints bytes", fwrite),
    ("write", "prints bytes to file descriptor 1 or 2", write),
    ("perror", "prints a message for errno to stderr", perror),
    ("fflush", "accepted; output is kept in order anyway", threads::nothing),
    ("setbuf", "accepted; has no effect", threads::nothing),
    ("setvbuf", "accepted; has no effect", threads::nothing),
    ("setlinebuf", "accepted; has no effect", threads::nothing),
    ("flockfile", "accepted; has no effect", threads::nothing),
    ("funlockfile", "accepted; has no effect", threads::nothing),
    ("ferror", "always 0", threads::nothing),
    ("fopen", "always fails: there are no files", threads::nothing),
    ("fclose", "accepted; has no effect", threads::nothing),
    ("getchar", "always the end of the file", end_of_file),
    ("fgetc", "always the end of the file", end_of_file),
    ("getc", "always the end of the file", end_of_file),
    ("fgets", "always the end of the file", threads::nothing),
    ("fread", "always the end of the file", threads::nothing),
    ("feof", "always 1", always_one),
    ("scanf", "always the end of the file", end_of_file),
    ("__isoc99_scanf", "always the end of the file", end_of_file),
    ("__isoc23_scanf", "always the end of the file", end_of_file),
];

/// Those that access no memory of the program.
pub(super) const APART: &[&str] = &[
    "fputc",
    "putc",
    "putchar",
    "putchar_unlocked",
    "getchar",
    "fclose",
    "feof",
    "ferror",
    "fflush",
    "fgetc",
    "fgets",
    "flockfile",
    "fopen",
    "fread",
    "funlockfile",
    "getc",
    "scanf",
    "__isoc99_scanf",
    "__isoc23_scanf",
    "setbuf",
    "setlinebuf",
    "setvbuf",
];

const STDIN: u64 = 0x1000;
const STDOUT: u64 = 0x1001;
const STDERR: u64 = 0x1002;

/// The value of `stdin`, `stdout` and `stderr`: addresses at which nothing ever is.
pub(crate) fn stream_handle(name: &str) -> Option<u64> {
    match name {
        "stdin" => Some(STDIN),
        "stdout" => Some(STDOUT),
        "stderr" => Some(STDERR),
        _ => None,
    }
}

fn end_of_file(_: &mut Cx<'_>) -> Result<u128, Stop> {
    int(-1)
}

fn always_one(_: &mut Cx<'_>) -> Result<u128, Stop> {
    int(1)
}

/// Appends to what the thread printed.
fn print(cx: &mut Cx<'_>, stream: u64, bytes: &[u8]) -> Result<(), Stop> {
    if stream != STDOUT && stream != STDERR {
        return Err(cx.unsupported(Obstacle::OutputToFile));
    }
    let capture = cx.vm.config.capture_output;
    cx.once(|t| {
        if capture {
            let rest = t.rest_mut();
            let out = if stream == STDOUT { &mut rest.stdout } else { &mut rest.stderr };
            out.extend_from_slice(bytes);
        }
        0
    })
    .map(drop)
}

/// Formats with the variadic cells of this call after its first `fixed` arguments.
pub(crate) fn formatted(cx: &mut Cx<'_>, text: u64, fixed: usize) -> Result<Vec<u8>, Stop> {
    let text = cx.string(text)?;
    let cells = cx.args();
    let cells = cells.get(fixed..).unwrap_or(&[]);
    format(cx, &text, &mut Arguments::Cells(cells, 0))
}

/// Formats with the values of a `va_list`.
fn formatted_list(cx: &mut Cx<'_>, text: u64, list: u64) -> Result<Vec<u8>, Stop> {
    let text = cx.string(text)?;
    let area = cx.load(list + 8, 8, Mode::Plain)?;
    let mut args = Arguments::Area(area);
    let out = format(cx, &text, &mut args)?;
    if let Arguments::Area(end) = args {
        cx.store(list + 8, 8, Mode::Plain, end)?;
    }
    Ok(out)
}

fn print_all(cx: &mut Cx<'_>, stream: u64, bytes: &[u8]) -> Result<u128, Stop> {
    print(cx, stream, bytes)?;
    int(bytes.len() as i32)
}

fn printf(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let bytes = formatted(cx, cx.arg(0), 1)?;
    print_all(cx, STDOUT, &bytes)
}

fn printf_chk(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let bytes = formatted(cx, cx.arg(1), 2)?;
    print_all(cx, STDOUT, &bytes)
}

fn fprintf(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let bytes = formatted(cx, cx.arg(1), 2)?;
    print_all(cx, cx.arg(0), &bytes)
}

fn fprintf_chk(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let bytes = formatted(cx, cx.arg(2), 3)?;
    print_all(cx, cx.arg(0), &bytes)
}

/// The stream of a file descriptor.
fn descriptor(number: u64) -> u64 {
    STDIN + (number & 0xffff_ffff)
}

fn dprintf(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let bytes = formatted(cx, cx.arg(1), 2)?;
    print_all(cx, descriptor(cx.arg(0)), &bytes)
}

fn vprintf(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let bytes = formatted_list(cx, cx.arg(0), cx.arg(1))?;
    print_all(cx, STDOUT, &bytes)
}

fn vfprintf(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let bytes = formatted_list(cx, cx.arg(1), cx.arg(2))?;
    print_all(cx, cx.arg(0), &bytes)
}

/// Writes at most `limit` bytes with the terminating zero; the full length.
fn to_string(cx: &mut Cx<'_>, out: u64, limit: u64, bytes: &[u8]) -> Result<u128, Stop> {
    if limit > 0 {
        let kept = (bytes.len() as u64).min(limit - 1) as usize;
        cx.write_bytes(out, &bytes[..kept])?;
        cx.write_bytes(out + kept as u64, &[0])?;
    }
    int(bytes.len() as i32)
}

fn sprintf(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let bytes = formatted(cx, cx.arg(1), 2)?;
    to_string(cx, cx.arg(0), u64::MAX, &bytes)
}

fn snprintf(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let bytes = formatted(cx, cx.arg(2), 3)?;
    to_string(cx, cx.arg(0), cx.arg(1), &bytes)
}

fn sprintf_chk(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let bytes = formatted(cx, cx.arg(3), 4)?;
    to_string(cx, cx.arg(0), u64::MAX, &bytes)
}

fn snprintf_chk(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let bytes = formatted(cx, cx.arg(4), 5)?;
    to_string(cx, cx.arg(0), cx.arg(1), &bytes)
}

fn vsprintf(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let bytes = formatted_list(cx, cx.arg(1), cx.arg(2))?;
    to_string(cx, cx.arg(0), u64::MAX, &bytes)
}

fn vsnprintf(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let bytes = formatted_list(cx, cx.arg(2), cx.arg(3))?;
    to_string(cx, cx.arg(0), cx.arg(1), &bytes)
}

fn puts(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let mut bytes = cx.string(cx.arg(0))?;
    bytes.push(b'\n');
    print_all(cx, STDOUT, &bytes)
}

fn putchar(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let byte = cx.arg(0) as u8;
    print(cx, STDOUT, &[byte])?;
    Ok(byte.into())
}

fn fputs(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let bytes = cx.string(cx.arg(0))?;
    print_all(cx, cx.arg(1), &bytes)
}

fn fputc(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let byte = cx.arg(0) as u8;
    print(cx, cx.arg(1), &[byte])?;
    Ok(byte.into())
}

fn bytes_at(cx: &mut Cx<'_>, address: u64, length: u64) -> Result<Vec<u8>, Stop> {
    (0..length).map(|i| Ok(cx.load(address + i, 1, Mode::Plain)? as u8)).collect()
}

fn fwrite(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, size, count, stream) = (cx.arg(0), cx.arg(1), cx.arg(2), cx.arg(3));
    let bytes = bytes_at(cx, address, size.saturating_mul(count))?;
    print(cx, stream, &bytes)?;
    Ok(count.into())
}

fn write(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (number, address, length) = (cx.arg(0), cx.arg(1), cx.arg(2));
    let bytes = bytes_at(cx, address, length)?;
    print(cx, descriptor(number), &bytes)?;
    Ok(length.into())
}

fn perror(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let prefix = cx.arg(0);
    let mut line = if prefix == 0 { Vec::new() } else { cx.string(prefix)? };
    if !line.is_empty() {
        line.extend_from_slice(b": ");
    }
    let errno = cx.errno()?;
    let code = cx.load(errno, 4, Mode::Plain)?;
    line.extend_from_slice(error_text(code).as_bytes());
    line.push(b'\n');
    print(cx, STDERR, &line)?;
    Ok(0)
}
