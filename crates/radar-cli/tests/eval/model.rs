//! `radar model`.

use radar_net::checkpoint::pytorch::CONVERSION;
use serde_json::Value;

use crate::Folder;

#[test]
fn a_new_network_is_shown() {
    let folder = Folder::new("new");
    let made = folder.done("model new --preset paper-atsp --seed 7 --name first -o a.safetensors");
    assert!(made.out().contains("`first`, atsp, 2 970 792 weights"), "{}", made.out());
    let shown = folder.done("model show a.safetensors --tensors").out();
    for words in [
        "name",
        "first",
        "2,970,792 weights",
        "F32",
        "11.9 MB",
        "decoder.Wq_1.weight",
        "256 x 256",
        "not trained",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let json = folder.done("model show a.safetensors --json --tensors").json();
    assert_eq!((&json["parameters"], &json["card"]["seed"]), (&Value::from(2_970_792), &Value::from(7)));
    assert_eq!(
        (&json["card"]["config"]["width"], &json["dtypes"][0]),
        (&Value::from(256), &Value::from("F32"))
    );
    let weights = |tensor: &Value| {
        tensor["shape"].as_array().expect("a shape").iter().filter_map(Value::as_u64).product::<u64>()
    };
    let tensors = json["tensors"].as_array().expect("tensors");
    assert_eq!(tensors.iter().map(weights).sum::<u64>(), 2_970_792);
    assert!(folder.done("model show a.safetensors --json").json().get("tensors").is_none());
}

#[test]
fn a_seed_is_a_file() {
    let folder = Folder::new("seed");
    for (file, seed) in [("a", 1), ("b", 1), ("c", 2)] {
        folder.done(&format!("model new --preset small-vrp --seed {seed} --name same -o {file}.safetensors"));
    }
    assert_eq!(folder.read("a.safetensors"), folder.read("b.safetensors"));
    assert_ne!(folder.read("a.safetensors"), folder.read("c.safetensors"));
    folder.done("model new --preset small-vrp --dtype bf16 -o half.safetensors");
    assert!(folder.read("half.safetensors").len() * 10 < folder.read("a.safetensors").len() * 6);
    assert!(folder.done("model show half.safetensors").out().contains("BF16"));
}

#[test]
fn networks_are_chosen_by_file_and_keys() {
    let folder = Folder::new("keys");
    folder.write("net.json", r#"{"preset": "small-acvrp", "layers": 1, "terms": ["edge"]}"#);
    folder.done("model new --config net.json --set width=64 --set heads=4 -o a.safetensors");
    let card = folder.done("model show a.safetensors --json").json();
    let config = &card["card"]["config"];
    assert_eq!((&config["task"], &config["width"]), (&Value::from("acvrp"), &Value::from(64)));
    assert_eq!((&config["layers"], &config["terms"][0]), (&Value::from(1), &Value::from("edge")));
    folder.radar("model new -o b.safetensors").refused(2, "no-network", &["paper-atsp"]);
    folder.radar("model new --preset papr -o b.safetensors").refused(2, "config", &["`papr`", "small-vrp"]);
    folder.radar("model new --preset vrp --set widht=3 -o b.safetensors").refused(2, "config", &["`width`"]);
    folder.radar("model new --preset vrp --set heads=7 -o b.safetensors").refused(2, "config", &["heads"]);
    folder.radar("model new --preset vrp --set heads -o b.safetensors").refused(
        2,
        "bad-parameter",
        &["heads"],
    );
    folder.radar("model new --preset vrp -o none/b.safetensors").refused(2, "cannot-write", &["folder"]);
    folder.radar("model new --config net.json -o net.json").refused(2, "would-overwrite-input", &[]);
    folder.write("bad.json", r#"{"width": "wide"}"#);
    folder.radar("model new --config bad.json -o b.safetensors").refused(
        2,
        "config",
        &["bad.json", "`width`"],
    );
}

/// A safetensors file with other names, without a card, and with a layer that nobody uses.
fn public(bytes: &[u8], prefix: &str) -> Vec<u8> {
    let length = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")) as usize;
    let header: Value = serde_json::from_slice(&bytes[8..8 + length]).expect("a header");
    let mut data = bytes[8 + length..].to_vec();
    let mut names = serde_json::Map::new();
    for (name, tensor) in
        header.as_object().expect("names").iter().filter(|(name, _)| *name != "__metadata__")
    {
        names.insert(format!("{prefix}{name}"), tensor.clone());
    }
    let (start, end) = (data.len(), data.len() + 8);
    data.extend([0; 8]);
    let dead = serde_json::json!({ "dtype": "F32", "shape": [2], "data_offsets": [start, end] });
    names.insert(format!("{prefix}encoder.layers.0.g_layer.bias"), dead);
    let mut header = Value::Object(names).to_string().into_bytes();
    header.resize(header.len().next_multiple_of(8), b' ');
    [(header.len() as u64).to_le_bytes().to_vec(), header, data].concat()
}

#[test]
fn public_weights_come_in() {
    let folder = Folder::new("import");
    folder.done("model new --preset small-atsp --seed 1 --name ours -o ours.safetensors");
    folder.write("theirs.safetensors", public(&folder.read("ours.safetensors"), "module."));
    folder.radar("model show theirs.safetensors").refused(2, "no-card", &["radar model import"]);
    folder.done("model import theirs.safetensors --name ours -o back.safetensors");
    let [ours, back] = ["ours", "back"]
        .map(|name| folder.done(&format!("model show {name}.safetensors --tensors --json")).json());
    assert_eq!(ours["tensors"], back["tensors"]);
    assert_eq!(ours["card"]["config"], back["card"]["config"]);
    assert_eq!((&back["card"]["trained"], &back["card"]["name"]), (&Value::Null, &Value::from("ours")));
    let data = |name: &str| folder.read(name)[folder.read(name).len() - 4 * 1000..].to_vec();
    assert_eq!(data("ours.safetensors"), data("back.safetensors"));

    let wrong = "model import theirs.safetensors --preset paper-atsp -o wrong.safetensors";
    folder.radar(wrong).refused(2, "wrong-shape", &["theirs.safetensors", "configuration"]);
    let twice = "model import theirs.safetensors -o theirs.safetensors";
    folder.radar(twice).refused(2, "would-overwrite-input", &[]);
}

#[test]
fn files_that_are_no_weights_are_refused() {
    let folder = Folder::new("refused");
    folder.write("it's.pt", b"PK\x03\x04 and so on, archive/data.pkl");
    folder.write("old.pt", b"\x80\x02}q\x00(X\x05\x00\x00\x00modelq\x01");
    for name in ["it's.pt", "old.pt"] {
        let run = folder.radar(&format!("model import {name} -o out.safetensors"));
        run.refused(2, "pytorch-file", &[CONVERSION, "radar model import", ".safetensors'"]);
        let shown = folder.radar(&format!("model show {name}"));
        assert_eq!(shown.err(), run.err());
    }
    folder.write("named.safetensors", folder.read("old.pt"));
    let named = folder.radar("solve old.pt --method neural --model named.safetensors");
    named.refused(2, "pytorch-file", &["'named.safetensors' 'named.converted.safetensors'"]);
    assert!(folder.radar("model import it's.pt -o out.safetensors").err().contains(r"'it'\''s.pt'"));
    folder.write("short.safetensors", b"abc");
    folder.radar("model show short.safetensors").refused(2, "truncated", &["short.safetensors"]);
    folder.network("atsp");
    let mut longer = folder.read("atsp.safetensors");
    longer.extend([0; 3]);
    folder.write("longer.safetensors", longer);
    let longer = folder.radar("model import longer.safetensors -o out.safetensors");
    longer.refused(
        2,
        "trailing-bytes",
        &["longer.safetensors", "3 bytes too many", "copy or download it again"],
    );
    assert!(!longer.err().contains("PyTorch"), "{}", longer.err());
    folder.radar("model show none.safetensors").refused(2, "cannot-read", &["none.safetensors"]);
    let json = folder.radar("model show short.safetensors --json");
    assert_eq!((json.code(), &json.json()["findings"][0]["code"]), (2, &Value::from("truncated")));
}
