//! References in JSON: by name, or in the order of the set.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{FORMS, Reference, References, duplicate, wrong};
use crate::failure::Failure;

/// Reads a file's content. `names` are those of the set, for lists that give none.
pub fn read(content: &[u8], names: &[String]) -> Result<References, Failure> {
    let value: Value = serde_json::from_slice(content).map_err(|error| wrong(error.to_string(), FORMS))?;
    if let Some(key) = repeated_key(content) {
        return Err(duplicate(format!("`{key}` stands there twice")));
    }
    let origin = value.get("origin").and_then(Value::as_str).map(str::to_owned);
    let inner = value.get("references").filter(|inner| inner.is_object() || inner.is_array());
    let named = match inner.unwrap_or(&value) {
        Value::Object(all) => all
            .iter()
            .map(|(name, value)| Ok((name.clone(), reference(name, value)?)))
            .collect::<Result<_, Failure>>()?,
        Value::Array(all) if all.len() == names.len() => names
            .iter()
            .zip(all)
            // A list has a place for what has none.
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| Ok((name.clone(), reference(name, value)?)))
            .collect::<Result<_, Failure>>()?,
        Value::Array(all) => {
            let (costs, instances) = (all.len(), names.len());
            return Err(wrong(
                format!("it lists {costs} costs, and the set has {instances} instances"),
                FORMS,
            ));
        }
        _ => return Err(wrong("it is neither an object nor a list", FORMS)),
    };
    Ok(References { origin, named })
}

/// A number, or an object with `cost`.
fn reference(name: &str, value: &Value) -> Result<Reference, Failure> {
    let place = format!("`{name}`");
    if let Some(cost) = value.as_f64() {
        return Reference { cost, bound: None, optimal: false, instance: None }.sound(&place);
    }
    let Value::Object(keys) = value else {
        return Err(wrong(format!("{place} is neither a cost nor an object with `cost`"), FORMS));
    };
    let cost = stated(keys, name, "cost", "a number", Value::as_f64)?;
    let cost = cost.ok_or_else(|| wrong(format!("{place} has no `cost`"), FORMS))?;
    Reference {
        cost,
        bound: stated(keys, name, "bound", "a number", Value::as_f64)?,
        optimal: stated(keys, name, "optimal", "true or false", Value::as_bool)?.unwrap_or(false),
        instance: stated(keys, name, "instance", "a text", |value| value.as_str().map(str::to_owned))?,
    }
    .sound(&place)
}

/// The value of a key; `null` is as good as nothing.
fn stated<T>(
    keys: &Map<String, Value>,
    name: &str,
    key: &str,
    kind: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> Result<Option<T>, Failure> {
    match keys.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => read(value).map(Some).ok_or_else(|| {
            wrong(format!("`{key}` of `{name}` is {value}"), format!("write {kind}, or leave it out"))
        }),
    }
}

/// The first key that an object has twice, in a text that is known to be JSON: a parser keeps the last alone.
fn repeated_key(content: &[u8]) -> Option<String> {
    let mut objects: Vec<BTreeSet<String>> = Vec::new();
    let mut at = 0;
    while let Some(byte) = content.get(at) {
        let mut end = at + 1;
        match byte {
            b'{' => objects.push(BTreeSet::new()),
            b'}' => drop(objects.pop()),
            b'"' => {
                let mut is_escaped = false;
                end += 1 + content.get(end..)?.iter().position(|&byte| {
                    let ends = byte == b'"' && !is_escaped;
                    is_escaped = byte == b'\\' && !is_escaped;
                    ends
                })?;
                if content.get(end..)?.trim_ascii_start().starts_with(b":") {
                    let key: String = serde_json::from_slice(content.get(at..end)?).ok()?;
                    if !objects.last_mut()?.insert(key.clone()) {
                        return Some(key);
                    }
                }
            }
            _ => {}
        }
        at = end;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<References, Failure> {
        read(text.as_bytes(), &["a".to_owned(), "b".to_owned()])
    }

    #[test]
    fn every_form_is_read() {
        let full = r#"{"origin": "x", "references": {"b": {"cost": 2, "bound": null, "optimal": true, "instance": "ff"}}}"#;
        let reference = of(full).expect("JSON").get("b").cloned().expect("it is there");
        assert_eq!(
            (reference.cost, reference.optimal, reference.instance.as_deref()),
            (2.0, true, Some("ff"))
        );
        for text in [r#"{"a": 1, "b": 2}"#, "[1, 2]", r#"{"references": [1, 2]}"#] {
            assert_eq!(of(text).expect("JSON").get("b").map(|one| one.cost), Some(2.0), "{text}");
        }
    }

    #[test]
    fn a_list_may_have_gaps() {
        let read = of(r#"{"origin": "a run", "set": "ff", "references": [null, {"cost": 3, "optimal": true, "routes": [[0, 1]]}]}"#)
            .expect("JSON");
        assert_eq!(read.get("a"), None);
        assert_eq!(read.get("b").map(|one| (one.cost, one.optimal)), Some((3.0, true)));
        assert_eq!(read.origin.as_deref(), Some("a run"));
    }

    #[test]
    fn what_is_wrong_is_refused() {
        let wrong = [
            "3",
            "[1]",
            "{",
            r#"{"a": "1"}"#,
            r#"{"a": -1}"#,
            r#"{"a": {"bound": 1}}"#,
            r#"{"a": {"cost": 1, "bound": "0"}}"#,
            r#"{"a": {"cost": 1, "optimal": "maybe"}}"#,
            r#"{"a": {"cost": 1, "instance": 3}}"#,
            r#"{"a": {"cost": 1, "bound": 1.001}}"#,
        ];
        for text in wrong {
            let failure = of(text).expect_err(text).to_json();
            assert_eq!(failure["findings"][0]["code"], "bad-references", "{text}");
        }
    }

    #[test]
    fn a_key_stands_once() {
        for text in
            [r#"{"a": 1, "\u0061": 1}"#, r#"{"a": {"cost": 1, "cost": 2}}"#, r#"[1, {"a\"": [], "a\"" : 1}]"#]
        {
            assert!(repeated_key(text.as_bytes()).is_some(), "{text}");
        }
        for text in
            [r#"{"a": {"cost": 1}, "b": {"cost": "cost"}}"#, r#"["a", "a"]"#, r#"{"a": "\\", "b": "a"}"#]
        {
            assert_eq!(repeated_key(text.as_bytes()), None, "{text}");
        }
        assert!(
            of(r#"{"a": 1, "a": 2}"#)
                .expect_err("twice")
                .to_json()
                .to_string()
                .contains("`a` stands there twice")
        );
    }
}
