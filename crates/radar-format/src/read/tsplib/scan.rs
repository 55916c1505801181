//! The lines of a file, told apart: header entries, and sections as streams of tokens.
//!
//! Nothing is copied: a section is a slice of the file. What its numbers mean is decided later,
//! because `DIMENSION` may stand below the section that needs it.

use crate::FormatError;
use crate::read::shown::shown_token;

/// Header keys that are used.
const KEYS: &[&str] = &[
    "NAME",
    "COMMENT",
    "TYPE",
    "DIMENSION",
    "CAPACITY",
    "DISTANCE",
    "MAX_DURATION",
    "VEHICLES",
    "SERVICE_TIME",
    "EDGE_WEIGHT_TYPE",
    "EDGE_WEIGHT_FORMAT",
    // These say how to draw, or repeat what the sections show.
    "DISPLAY_DATA_TYPE",
    "EDGE_DATA_FORMAT",
    "NODE_COORD_TYPE",
];

const SECTIONS: &[&str] = &[
    "EDGE_WEIGHT_SECTION",
    "DURATION_SECTION",
    "NODE_COORD_SECTION",
    "DISPLAY_DATA_SECTION",
    "DEMAND_SECTION",
    "BACKHAUL_SECTION",
    "TIME_WINDOW_SECTION",
    "SERVICE_TIME_SECTION",
    "PRIORITY_SECTION",
    "DEPOT_SECTION",
];

/// No whole number is larger: doubles, and so every other format, hold it exactly.
const MOST: usize = 1_000_000_000_000_000;

/// One header line.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    pub line: usize,
    pub key: &'static str,
    pub value: &'a [u8],
}

/// One section: everything between its header and the next one.
#[derive(Clone, Copy)]
pub(super) struct Section<'a> {
    pub line: usize,
    pub name: &'static str,
    body: &'a [u8],
}

/// A file, told apart.
#[derive(Default)]
pub(super) struct Sheet<'a> {
    entries: Vec<Entry<'a>>,
    sections: Vec<Section<'a>>,
}

impl<'a> Sheet<'a> {
    /// Tells the lines apart; refuses what it does not know, since that may be part of the problem.
    pub fn scan(bytes: &'a [u8]) -> Result<Self, FormatError> {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let mut sheet = Self::default();
        let mut open: Option<(usize, &'static str, usize)> = None;
        let mut begin = 0;
        for (index, raw) in bytes.split(|&byte| byte == b'\n').enumerate() {
            let (line, start) = (index + 1, begin);
            begin += raw.len() + 1;
            let text = raw.trim_ascii();
            let (word, value) = first_word(text);
            if word.is_empty() || (open.is_some() && is_number_word(word)) {
                if !text.is_empty() && open.is_none() {
                    return Err(stray(line, text));
                }
                continue;
            }
            if let Some((line, name, from)) = open.take() {
                sheet.add_section(Section { line, name, body: &bytes[from..start] })?;
            }
            let word = String::from_utf8_lossy(word).to_ascii_uppercase();
            if word == "EOF" {
                return Ok(sheet);
            } else if let Some(name) = SECTIONS.iter().find(|&&name| name == word) {
                // Numbers may follow the name on its own line.
                open = Some((line, name, start + raw.trim_ascii_end().len() - value.len()));
            } else if let Some(key) = KEYS.iter().find(|&&key| key == word) {
                sheet.add_entry(Entry { line, key, value })?;
            } else {
                return Err(unknown(line, &word));
            }
        }
        if let Some((line, name, from)) = open {
            sheet.add_section(Section { line, name, body: &bytes[from..] })?;
        }
        Ok(sheet)
    }

    fn add_entry(&mut self, entry: Entry<'a>) -> Result<(), FormatError> {
        match self.entry(entry.key).filter(|_| entry.key != "COMMENT") {
            Some(first) => Err(twice(entry.key, first.line, entry.line)),
            None => {
                self.entries.push(entry);
                Ok(())
            }
        }
    }

    fn add_section(&mut self, section: Section<'a>) -> Result<(), FormatError> {
        match self.section(section.name) {
            Some(first) => Err(twice(section.name, first.line, section.line)),
            None => {
                self.sections.push(section);
                Ok(())
            }
        }
    }

    /// The header line of a key.
    pub fn entry(&self, key: &str) -> Option<Entry<'a>> {
        self.entries.iter().copied().find(|entry| entry.key == key)
    }

    /// The section of a name.
    pub fn section(&self, name: &str) -> Option<Section<'a>> {
        self.sections.iter().copied().find(|section| section.name == name)
    }

    /// All comments.
    pub fn comments(&self) -> impl Iterator<Item = Entry<'a>> {
        self.entries.iter().copied().filter(|entry| entry.key == "COMMENT")
    }

    /// The text of a key that must be there.
    pub fn text(&self, key: &'static str) -> Result<(usize, String), FormatError> {
        match self.entry(key).filter(|entry| !entry.value.is_empty()) {
            Some(entry) => Ok((entry.line, String::from_utf8_lossy(entry.value).into_owned())),
            None => Err(FormatError::new(
                "missing-key",
                format!("there is no `{key}`"),
                format!("add a line `{key} : ...` to the head of the file"),
            )),
        }
    }

    /// The number of a key, if it is there.
    pub fn number(&self, key: &'static str) -> Result<Option<f64>, FormatError> {
        self.entry(key).map(|entry| number(entry.value, entry.line, key)).transpose()
    }

    /// The whole number of a key, if it is there.
    pub fn count(&self, key: &'static str) -> Result<Option<usize>, FormatError> {
        let count = |entry: Entry| {
            let text = std::str::from_utf8(entry.value).ok();
            text.and_then(|text| text.parse().ok().filter(|&count| count <= MOST))
                .ok_or_else(|| bad_number(entry.value, entry.line, key, "a whole number"))
        };
        self.entry(key).map(count).transpose()
    }
}

impl<'a> Section<'a> {
    /// The tokens with their lines.
    pub fn tokens(&self) -> impl Iterator<Item = (usize, &'a [u8])> + use<'a> {
        let first = self.line;
        let lines = self.body.split(|&byte| byte == b'\n').enumerate();
        lines.flat_map(move |(index, line)| {
            let tokens = line.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty());
            tokens.map(move |token| (first + index, token))
        })
    }
}

/// The word a header line begins with, and what follows it and its colon; an empty word when the
/// line begins with no letter.
fn first_word(text: &[u8]) -> (&[u8], &[u8]) {
    if !text.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_') {
        return (&[], text);
    }
    let end = text.iter().position(|byte| *byte == b':' || byte.is_ascii_whitespace()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let rest = rest.trim_ascii_start();
    (word, rest.strip_prefix(b":").unwrap_or(rest).trim_ascii_start())
}

/// Whether a token says "no way" or "never".
pub(super) fn is_infinite(token: &[u8]) -> bool {
    [&b"inf"[..], b"infinity", b"null"].iter().any(|word| token.eq_ignore_ascii_case(word))
}

/// Whether a line of a section may begin with this word: it stands for a number, or for none.
fn is_number_word(word: &[u8]) -> bool {
    is_infinite(word) || word.eq_ignore_ascii_case(b"nan")
}

/// Whether a word is of the head of such a file.
pub(super) fn is_head(line: &[u8]) -> bool {
    let (word, _) = first_word(line.trim_ascii());
    [&b"TYPE"[..], b"DIMENSION", b"EDGE_WEIGHT_TYPE"].contains(&word)
}

/// A finite decimal number; hexadecimal, NaN and what overflows are none.
pub(super) fn number(token: &[u8], line: usize, place: &str) -> Result<f64, FormatError> {
    let decimal = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let text = std::str::from_utf8(token).ok().filter(|_| token.iter().all(decimal));
    match text.and_then(|text| text.parse::<f64>().ok()) {
        Some(value) if value.is_finite() => Ok(value),
        _ => Err(bad_number(token, line, place, "a finite decimal number")),
    }
}

/// A number, or `inf`.
pub(super) fn number_or_infinite(token: &[u8], line: usize, place: &str) -> Result<f64, FormatError> {
    if is_infinite(token) { Ok(f64::INFINITY) } else { number(token, line, place) }
}

fn bad_number(token: &[u8], line: usize, place: &str, wanted: &str) -> FormatError {
    FormatError::new(
        "bad-number",
        format!("line {line}, {place}: `{}` is not {wanted}", shown_token(token)),
        "correct the number, or the section it stands in",
    )
}

fn twice(name: &str, first: usize, second: usize) -> FormatError {
    FormatError::new(
        "duplicate-key",
        format!("`{name}` stands on line {first} and on line {second}"),
        "keep one of them",
    )
}

/// Something that stands where nothing belongs.
pub(super) fn stray(line: usize, text: &[u8]) -> FormatError {
    FormatError::new(
        "stray-data",
        format!("line {line}: `{}` belongs to no section", shown_token(text)),
        "put the name of its section before it",
    )
}

fn unknown(line: usize, word: &str) -> FormatError {
    let known: Vec<&str> = KEYS.iter().chain(SECTIONS).copied().collect();
    let error = FormatError::unknown_key("key or section", word, &known);
    let action = match word {
        "TOUR_SECTION" => "this is a tour, not a problem: give it as a plan".to_owned(),
        _ => error.action,
    };
    FormatError::new(error.code, format!("line {line}: {}", error.cause), action)
}
