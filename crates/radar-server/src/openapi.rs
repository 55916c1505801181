//! The description of the service, for programs that write clients and for tests that try everything.

use std::sync::OnceLock;

use serde_json::Value;

/// The document as bytes: what is written by hand, with the schemas of problem and answer put in.
pub fn document() -> &'static [u8] {
    static DOCUMENT: OnceLock<Vec<u8>> = OnceLock::new();
    DOCUMENT.get_or_init(|| {
        let mut document = parsed(include_str!("../openapi.json"));
        for (name, schema) in
            [("Problem", radar_format::problem_schema()), ("Answer", radar_format::answer_schema())]
        {
            document["components"]["schemas"][name] = embedded(parsed(schema), name);
        }
        serde_json::to_vec(&document).unwrap_or_default()
    })
}

/// Both are files of this crate, and a test reads them.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

/// A schema as a part of the document: its own definitions are found from the top of it.
fn embedded(mut schema: Value, name: &str) -> Value {
    if let Some(object) = schema.as_object_mut() {
        object.remove("$schema");
        object.remove("$id");
    }
    point_inside(&mut schema, &format!("#/components/schemas/{name}"));
    schema
}

fn point_inside(value: &mut Value, base: &str) {
    match value {
        Value::Object(object) => {
            for (key, value) in object.iter_mut() {
                match value {
                    Value::String(target) if key == "$ref" => {
                        if let Some(rest) = target.strip_prefix('#') {
                            *target = format!("{base}{rest}");
                        }
                    }
                    _ => point_inside(value, base),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| point_inside(value, base)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_leads_somewhere() {
        let document: Value = serde_json::from_slice(document()).expect("JSON");
        assert_eq!(document["openapi"], "3.1.0");
        let mut seen = 0;
        follow(&document, &document, &mut seen);
        assert!(seen > 20, "{seen}");
    }

    fn follow(document: &Value, value: &Value, seen: &mut usize) {
        match value {
            Value::Object(object) => {
                for (key, value) in object {
                    if let (Some(target), "$ref") = (value.as_str(), key.as_str()) {
                        *seen += 1;
                        let pointer = target.strip_prefix('#').expect("within the document");
                        assert!(document.pointer(pointer).is_some(), "{target}");
                    }
                    follow(document, value, seen);
                }
            }
            Value::Array(values) => values.iter().for_each(|value| follow(document, value, seen)),
            _ => {}
        }
    }
}
