//! Shapes and words of a picture.

use std::fmt::Write;

use super::super::number::rounded;

/// A picture under construction, in pixels.
pub(super) struct Canvas {
    body: String,
    width: f64,
    height: f64,
}

/// Where a text stands relative to its place.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Canvas {
    pub fn new(width: f64, height: f64) -> Self {
        Self { body: String::new(), width, height }
    }

    /// Any element with attributes that hold no foreign text.
    pub fn shape(&mut self, element: &str) {
        let _ = writeln!(self.body, "{element}");
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), style: &str) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(px);
        self.shape(&format!(r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {style}/>"#));
    }

    pub fn rect(&mut self, corner: (f64, f64), size: (f64, f64), style: &str) {
        let [x, y, width, height] = [corner.0, corner.1, size.0.max(0.0), size.1.max(0.0)].map(px);
        self.shape(&format!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" {style}/>"#));
    }

    pub fn circle(&mut self, centre: (f64, f64), radius: f64, style: &str) {
        let [x, y, r] = [centre.0, centre.1, radius].map(px);
        self.shape(&format!(r#"<circle cx="{x}" cy="{y}" r="{r}" {style}/>"#));
    }

    /// A word; anything may stand in it.
    pub fn text(&mut self, at: (f64, f64), size: f64, anchor: Anchor, style: &str, words: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let [x, y, size] = [at.0, at.1, size].map(px);
        let words = escaped(words);
        self.shape(&format!(
            r#"<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" {style}>{words}</text>"#
        ));
    }

    /// Begins a group that shows `title` under the pointer.
    pub fn begin(&mut self, title: &str) {
        let title = escaped(title);
        self.shape(&format!("<g><title>{title}</title>"));
    }

    pub fn end(&mut self) {
        self.shape("</g>");
    }

    /// The whole file, titled for readers that do not see it.
    pub fn finish(self, title: &str) -> Vec<u8> {
        let (width, height, title, body) = (px(self.width), px(self.height), escaped(title), self.body);
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" \
             font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" fill=\"#222222\">\n\
             <title>{title}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n"
        )
        .into_bytes()
    }
}

/// A length with two decimals at most.
pub(super) fn px(value: f64) -> String {
    rounded(if value.is_finite() { value } else { 0.0 }, 2)
}

/// Text that is safe inside an element: markup is escaped, and what XML does not allow is replaced.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\t' | '\n' | '\r' => safe.push(' '),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            _ => safe.push(letter),
        }
    }
    safe
}

/// At most `most` letters, the last an ellipsis where some are left out.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_owned(),
    }
}
