//! The messages of the input as bytes: headers, an empty line, and as many bytes as the headers say.
//!
//! Lengths are bounded here, so that no number in a header takes the memory. What is no header is skipped line by line: behind
//! it, messages are found again.

use std::io::{self, BufRead, Read};

/// Longest message.
const MESSAGE: usize = 64 << 20;
/// Longest line of a header.
const LINE: u64 = 4 << 10;

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// A message with its headers.
    Whole(Vec<u8>),
    /// No message, and why; it has been skipped.
    Malformed(String),
    End,
}

/// Reads the next message.
pub(super) fn next(input: &mut impl BufRead) -> io::Result<Frame> {
    let (mut frame, mut length) = (Vec::new(), None);
    loop {
        let start = frame.len();
        if input.by_ref().take(LINE).read_until(b'\n', &mut frame)? == 0 {
            return Ok(Frame::End);
        }
        let line = &frame[start..];
        if line == b"\r\n" {
            break;
        }
        let Some((name, value)) = header(line) else {
            let shown = String::from_utf8_lossy(line).trim_end().to_owned();
            return Ok(Frame::Malformed(format!("no header: {shown:?}")));
        };
        if name.eq_ignore_ascii_case("Content-Length") {
            match value.parse::<usize>() {
                Ok(number) => length = Some(number),
                Err(_) => return Ok(Frame::Malformed(format!("no length: {value:?}"))),
            }
        }
    }
    let Some(length) = length else {
        return Ok(Frame::Malformed("a message without 'Content-Length'".to_owned()));
    };
    if length > MESSAGE {
        io::copy(&mut input.by_ref().take(length as u64), &mut io::sink())?;
        return Ok(Frame::Malformed(format!("a message is longer than {} MiB", MESSAGE >> 20)));
    }
    let read = input.by_ref().take(length as u64).read_to_end(&mut frame)?;
    Ok(if read == length { Frame::Whole(frame) } else { Frame::End })
}

/// The name and the value of a header.
fn header(line: &[u8]) -> Option<(&str, &str)> {
    let line = std::str::from_utf8(line).ok()?.strip_suffix("\r\n")?;
    line.split_once(": ")
}

#[cfg(test)]
mod tests {
    use super::{Frame, next};

    #[test]
    fn what_is_no_message_is_skipped() {
        let text = "noise\nContent-Length: x\r\n\r\nContent-Type: a\r\ncontent-length: 2\r\n\r\n{}\
                    Content-Length: 99999999999999999999999\r\nContent-Length: 5\r\n\r\n[1]";
        let mut input = text.as_bytes();
        let mut all = vec![];
        loop {
            match next(&mut input).expect("memory can be read") {
                Frame::End => break,
                Frame::Whole(bytes) => all.push(String::from_utf8(bytes).expect("text")),
                Frame::Malformed(_) => all.push("-".to_owned()),
            }
        }
        assert_eq!(all, ["-", "-", "-", "Content-Type: a\r\ncontent-length: 2\r\n\r\n{}", "-"]);
    }
}
