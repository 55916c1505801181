//! A pull parser for JSON that knows where it is.
//!
//! It never recurses and never builds a tree: the caller says what it expects, and a matrix of a
//! hundred million numbers goes straight into one flat list. It also takes what encoders write for
//! an infinite number, `Infinity` and `1e999`, which a strict parser refuses.

use std::fmt::Write;

use crate::FormatError;
use crate::read::shown::shown_token;

/// One step from the root to a value.
#[derive(Clone, Copy)]
enum Step {
    Key(&'static str),
    Index(usize),
}

/// What a number may be besides a number.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Endless {
    /// `null` and infinity are infinity.
    Allowed,
    /// Only infinity is; `null` is a mistake.
    Refused,
}

pub(super) struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    path: Vec<Step>,
}

impl<'a> Scan<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        Self { bytes, at: 0, path: Vec::new() }
    }

    /// Reads an object; `value` is called at the value of every key and must consume it. A key that
    /// is not in `known`, or comes twice, is refused.
    pub fn object(
        &mut self,
        what: &str,
        known: &[&'static str],
        mut value: impl FnMut(&mut Self, &'static str) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        self.open(b'{', "an object")?;
        let mut seen = vec![false; known.len()];
        if self.close(b'}') {
            return Ok(());
        }
        loop {
            let key = self.string()?;
            let Some(index) = known.iter().position(|&name| name == key) else {
                return Err(FormatError::unknown_key(what, &key, known));
            };
            if std::mem::replace(&mut seen[index], true) {
                let cause = format!("the key `{key}` stands there twice ({})", self.place());
                return Err(FormatError::new("duplicate-key", cause, "keep one of them"));
            }
            self.path.push(Step::Key(known[index]));
            self.symbol(b':')?;
            value(self, known[index])?;
            self.path.pop();
            if self.close(b'}') {
                return Ok(());
            }
            self.symbol(b',')?;
        }
    }

    /// Reads a list; `item` is called at every item and must consume it. Returns how many there were.
    pub fn list(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<(), FormatError>,
    ) -> Result<usize, FormatError> {
        self.open(b'[', "a list")?;
        if self.close(b']') {
            return Ok(0);
        }
        let depth = self.path.len();
        self.path.push(Step::Index(0));
        let mut count = 0;
        loop {
            item(self)?;
            count += 1;
            if self.close(b']') {
                self.path.truncate(depth);
                return Ok(count);
            }
            self.symbol(b',')?;
            // Counted in place: a matrix has very many items.
            self.path[depth] = Step::Index(count);
        }
    }

    /// Reads a number.
    pub fn number(&mut self, endless: Endless) -> Result<f64, FormatError> {
        self.blank();
        let token = self.token();
        let value = match token {
            b"Infinity" | b"inf" => Some(f64::INFINITY),
            b"null" if endless == Endless::Allowed => Some(f64::INFINITY),
            _ if is_number(token) => std::str::from_utf8(token).ok().and_then(|text| text.parse().ok()),
            _ => None,
        };
        let Some(value) = value else { return Err(self.unexpected("a number")) };
        self.at += token.len();
        Ok(value)
    }

    /// What stands here up to the next symbol or blank.
    fn token(&self) -> &'a [u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        &rest[..rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len())]
    }

    /// Reads a whole number, at least 0.
    pub fn count(&mut self) -> Result<usize, FormatError> {
        self.blank();
        let start = self.at;
        let value = self.number(Endless::Refused)?;
        if value < 0.0 || value.fract() != 0.0 || value > 1e15 {
            self.at = start;
            return Err(self.unexpected("a whole number"));
        }
        Ok(value as usize)
    }

    /// Reads a string.
    pub fn string(&mut self) -> Result<String, FormatError> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a string"));
        }
        let rest = &self.bytes[self.at..];
        let mut escaped = false;
        let end = rest.iter().skip(1).position(|&byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        });
        let Some(end) = end else { return Err(self.syntax("a string does not end")) };
        let token = &rest[..end + 2];
        let text = serde_json::from_slice(token).map_err(|_| self.syntax("a string has a wrong escape"))?;
        self.at += token.len();
        Ok(text)
    }

    /// Reads `true` or `false`.
    pub fn truth(&mut self) -> Result<bool, FormatError> {
        match (self.word(b"true"), self.word(b"false")) {
            (true, _) => Ok(true),
            (_, true) => Ok(false),
            _ => Err(self.unexpected("true or false")),
        }
    }

    /// Consumes a `null`, if there is one.
    pub fn null(&mut self) -> bool {
        self.word(b"null")
    }

    /// Refuses anything but blanks after the end.
    pub fn end(&mut self) -> Result<(), FormatError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.syntax("something follows the end")),
        }
    }

    /// The path of the value that is being read, such as `windows[3][1]`.
    pub fn place(&self) -> String {
        let mut place = String::new();
        for step in &self.path {
            let _ = match step {
                Step::Key(key) if place.is_empty() => write!(place, "{key}"),
                Step::Key(key) => write!(place, ".{key}"),
                Step::Index(index) => write!(place, "[{index}]"),
            };
        }
        if place.is_empty() { "the top level".to_owned() } else { place }
    }

    /// How many bytes are left.
    pub fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    fn blank(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|byte| !b" \t\r\n".contains(byte)).unwrap_or(rest.len());
    }

    fn peek(&mut self) -> Option<u8> {
        self.blank();
        self.bytes.get(self.at).copied()
    }

    fn open(&mut self, symbol: u8, what: &str) -> Result<(), FormatError> {
        match self.close(symbol) {
            true => Ok(()),
            false => Err(self.unexpected(what)),
        }
    }

    fn close(&mut self, symbol: u8) -> bool {
        let here = self.peek() == Some(symbol);
        self.at += usize::from(here);
        here
    }

    fn symbol(&mut self, symbol: u8) -> Result<(), FormatError> {
        match self.close(symbol) {
            true => Ok(()),
            false => Err(self.syntax(&format!("`{}` is missing", char::from(symbol)))),
        }
    }

    fn word(&mut self, word: &[u8]) -> bool {
        self.blank();
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let here = rest.starts_with(word) && !rest.get(word.len()).is_some_and(u8::is_ascii_alphanumeric);
        self.at += if here { word.len() } else { 0 };
        here
    }

    fn unexpected(&mut self, wanted: &str) -> FormatError {
        let found = match self.peek() {
            None => return self.syntax("the file ends too early"),
            Some(b'{') => "an object",
            Some(b'[') => "a list",
            Some(b'"') => "a string",
            Some(b't' | b'f') => "true or false",
            Some(b'n') => "null",
            Some(b'N') => "NaN",
            Some(b'-' | b'0'..=b'9') => {
                let token = self.token();
                let found = match malformed(token) {
                    Some(what) => format!("`{}`, {what}", shown_token(token)),
                    None => format!("the number {}", shown_token(token)),
                };
                return self.wrong(&found, wanted);
            }
            Some(_) => return self.syntax("this is no JSON"),
        };
        self.wrong(found, wanted)
    }

    fn wrong(&self, found: &str, wanted: &str) -> FormatError {
        FormatError::new(
            "wrong-type",
            format!("{} is {found} ({}); {wanted} belongs there", self.place(), self.line()),
            "see the key by key description in docs/formats.md",
        )
    }

    fn syntax(&self, what: &str) -> FormatError {
        let cause = format!("{what} at {} ({})", self.line(), self.place());
        FormatError::new("json-syntax", cause, "give one complete JSON value")
    }

    fn line(&self) -> String {
        let before = &self.bytes[..self.at.min(self.bytes.len())];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
        format!("line {line}, column {column}")
    }
}

/// What is wrong with a number, if anything is.
fn malformed(token: &[u8]) -> Option<&'static str> {
    let unsigned = token.strip_prefix(b"-").unwrap_or(token);
    let after_point = unsigned.iter().skip_while(|&&byte| byte != b'.').nth(1);
    match unsigned {
        _ if is_number(token) => None,
        [b'I' | b'i', ..] => Some("which is less than every number"),
        [b'0', b'x' | b'X' | b'b' | b'o', ..] => Some("which is not decimal"),
        [b'0', b'0'..=b'9', ..] => Some("which begins with a 0 too many"),
        _ if unsigned.contains(&b'.') && !after_point.is_some_and(u8::is_ascii_digit) => {
            Some("which has no digit behind its point")
        }
        _ => Some("which is no number"),
    }
}

/// Whether `token` is a number by JSON's grammar.
fn is_number(token: &[u8]) -> bool {
    let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let unsigned = token.strip_prefix(b"-").unwrap_or(token);
    let whole = digits(unsigned);
    if whole == 0 || (whole > 1 && unsigned[0] == b'0') {
        return false;
    }
    let mut rest = &unsigned[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let count = digits(fraction);
        if count == 0 {
            return false;
        }
        rest = &fraction[count..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = match exponent {
            [b'+' | b'-', exponent @ ..] => exponent,
            _ => exponent,
        };
        return !exponent.is_empty() && digits(exponent) == exponent.len();
    }
    rest.is_empty()
}
