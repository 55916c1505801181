//! Files of weights: there and back, and what is refused.

use std::path::PathBuf;

use radar_net::checkpoint::pytorch::CONVERSION;
use radar_net::{Checkpoint, Config, NetError, Precision, Task, Term, Weights, card::Card};
use safetensors::Dtype;

use crate::file::{File, golden_path};

fn config(task: Task) -> Config {
    Config { task, width: 16, heads: 4, layers: 2, hidden: 24, terms: vec![Term::Edge], ..Config::default() }
}

fn checkpoint(task: Task) -> Checkpoint {
    let mut card = Card::new("small", config(task));
    card.seed = 5;
    card.figures.insert("gap".to_owned(), 0.25);
    Checkpoint { card, weights: Weights::random(&config(task), 5) }
}

fn written(task: Task) -> File {
    File::open(&checkpoint(task).to_bytes(Precision::Full).expect("written"))
}

fn refused(file: &File) -> NetError {
    Checkpoint::from_bytes(&file.bytes()).expect_err("refused")
}

/// A place of its own for each test.
fn place(name: &str) -> PathBuf {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).expect("it is there");
    place
}

#[test]
fn files_go_there_and_back() {
    let folder = place("there-and-back");
    for &task in Task::ALL {
        let checkpoint = checkpoint(task);
        let path = folder.join(format!("{task}.safetensors"));
        checkpoint.write(&path, Precision::Full).expect("written");
        checkpoint.write(&path, Precision::Full).expect("written");
        assert_eq!(Checkpoint::read(&path).expect("a checkpoint"), checkpoint);
        assert_eq!(
            std::fs::read(&path).expect("a checkpoint"),
            checkpoint.to_bytes(Precision::Full).expect("written")
        );
    }
    // Nothing half-written is left behind.
    assert_eq!(std::fs::read_dir(&folder).expect("it is there").count(), Task::ALL.len());
    let nowhere = folder.join("none").join("x.safetensors");
    assert_eq!(
        checkpoint(Task::Atsp).write(&nowhere, Precision::Full).expect_err("refused").code,
        "unwritable"
    );
}

#[test]
fn half_precision_rounds_to_the_nearest() {
    let checkpoint = checkpoint(Task::Acvrp);
    let bytes = checkpoint.to_bytes(Precision::Half).expect("written");
    assert!(bytes.len() < checkpoint.to_bytes(Precision::Full).expect("written").len() * 2 / 3);
    let read = Checkpoint::from_bytes(&bytes).expect("a checkpoint");
    let mut changed = 0;
    for (&exact, &rounded) in checkpoint.weights.values().iter().zip(read.weights.values()) {
        assert!((exact - rounded).abs() <= exact.abs() / 256.0);
        changed += usize::from(exact != rounded);
    }
    assert!(changed > 0);
    assert_eq!(read.to_bytes(Precision::Half).expect("written"), bytes);
}

#[test]
fn halves_are_read_too() {
    let mut file = written(Task::Atsp);
    let (dtype, _, data) = file.tensors.get_mut("decoder.terms.edge").expect("it is there");
    (*dtype, *data) = (Dtype::F16, 0x3555_u16.to_le_bytes().to_vec());
    let read = Checkpoint::from_bytes(&file.bytes()).expect("a checkpoint");
    assert_eq!(read.weights.of("decoder.terms.edge"), [0.333_251_95]);
}

#[test]
fn cut_files_are_refused_at_every_length() {
    let bytes = checkpoint(Task::Atsp).to_bytes(Precision::Full).expect("written");
    for length in (0..2000).chain((2000..bytes.len()).step_by(97)).chain([bytes.len() - 1]) {
        let error = Checkpoint::from_bytes(&bytes[..length]).expect_err("refused");
        assert_eq!(error.code, "truncated", "{length}: {error}");
    }
}

#[test]
fn damaged_files_are_to_be_copied_again_and_only_those_of_pytorch_converted() {
    let good = checkpoint(Task::Atsp).to_bytes(Precision::Full).expect("written");
    let changed = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = good.clone();
        change(&mut bytes);
        let error = Checkpoint::from_bytes(&bytes).expect_err("refused");
        assert!(error.action.contains("copy or download it again") && !error.to_string().contains("PyTorch"));
        error
    };
    let longer = changed(&|bytes| bytes.extend([0; 7]));
    assert!(longer.code == "trailing-bytes" && longer.cause.contains("7 bytes too many"), "{longer}");
    let cut = changed(&|bytes| bytes.truncate(bytes.len() - 7));
    assert_eq!(cut.code, "truncated", "{cut}");
    // The header's JSON, its text, its length by little and by much; then what never was one.
    assert_eq!(changed(&|bytes| bytes[9] = b'?').code, "damaged");
    assert_eq!(changed(&|bytes| bytes[20] = 0xFF).code, "damaged");
    assert_eq!(changed(&|bytes| bytes[0] ^= 8).code, "damaged");
    assert_eq!(changed(&|bytes| bytes[6] = 1).code, "damaged");
    assert_eq!(changed(&|bytes| *bytes = b"name,cost\na,1\n".to_vec()).code, "not-safetensors");
    assert_eq!(changed(&|bytes| *bytes = b"PK\x03\x04 with distance.npy".to_vec()).code, "not-safetensors");

    for bytes in [&b"PK\x03\x04 with archive/data.pkl"[..], b"\x80\x02ccollections\nOrderedDict\n"] {
        let error = Checkpoint::from_bytes(bytes).expect_err("refused");
        assert!(error.code == "pytorch-file" && error.action.contains(CONVERSION), "{error}");
        assert_eq!(Checkpoint::import_bytes(bytes, "x", None).expect_err("refused"), error);
    }
}

#[test]
fn the_documents_convert_as_errors_do() {
    let documents = include_str!("../../../../docs/models.md");
    let shown: Vec<&str> = documents.lines().filter(|line| line.contains("torch.load")).collect();
    assert_eq!(shown, [format!("{CONVERSION} IN.pt OUT.safetensors")]);
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let mut missing = written(Task::Atsp);
    missing.tensors.remove("encoder.layers.1.Wv.weight");
    let error = refused(&missing);
    assert!(error.code == "missing-tensor" && error.cause.contains("encoder.layers.1.Wv.weight"), "{error}");

    let mut wrong = written(Task::Atsp);
    wrong.tensors.get_mut("decoder.Wk.weight").expect("it is there").1 = vec![8, 32];
    let error = refused(&wrong);
    assert!(error.cause.contains("[8, 32]") && error.cause.contains("[16, 16]"), "{error}");
    assert_eq!(error.code, "wrong-shape");

    let mut stranger = written(Task::Atsp);
    let parts = stranger.tensors["decoder.Wk.weight"].clone();
    stranger.tensors.insert("decoder.Wz.weight".to_owned(), parts.clone());
    let error = refused(&stranger);
    assert!(error.code == "unknown-tensor" && error.cause.contains("decoder.Wz.weight"), "{error}");

    let mut nan = written(Task::Atsp);
    nan.change("projection.bias", 3, |_| f32::NAN);
    let error = refused(&nan);
    assert!(
        error.code == "not-finite" && error.cause.contains("`projection.bias` holds NaN at entry 3"),
        "{error}"
    );

    let mut integers = written(Task::Atsp);
    integers.tensors.get_mut("projection.bias").expect("it is there").0 = Dtype::I32;
    assert_eq!(refused(&integers).code, "wrong-type");
}

#[test]
fn dead_layers_are_passed_over() {
    let mut file = written(Task::Acvrp);
    let parts = file.tensors["decoder.Wk.weight"].clone();
    file.tensors.insert("decoder.Wq_1.weight".to_owned(), parts.clone());
    file.tensors.insert("encoder.layers.1.g_layer.weight".to_owned(), parts.clone());
    assert_eq!(Checkpoint::from_bytes(&file.bytes()).expect("a checkpoint"), checkpoint(Task::Acvrp));
    file.tensors.insert("encoder.layers.2.g_layer.weight".to_owned(), parts);
    assert_eq!(refused(&file).code, "unknown-tensor");
}

#[test]
fn cards_are_read_with_care() {
    let mut none = written(Task::Atsp);
    none.metadata.clear();
    assert_eq!(refused(&none).code, "no-card");
    let change = |from: &str, to: &str| {
        let mut file = written(Task::Atsp);
        let card = file.metadata.get_mut("card").expect("it is there");
        assert!(card.contains(from));
        *card = card.replacen(from, to, 1);
        refused(&file)
    };
    assert_eq!(change("\"version\":1", "\"version\":2,\"more\":1").code, "card-version");
    assert!(change("\"width\":16", "\"width\":0").cause.contains("`width` is 0"));
    assert!(change("\"width\":16", "\"widht\":16").cause.contains("`widht`"));
    assert_eq!(change("\"width\":16", "\"width\":8192").code, "wrong-shape");
    assert_eq!(change("{", "").code, "bad-card");
}

#[test]
fn bad_weights_are_never_written() {
    let mut spoilt = checkpoint(Task::Atsp);
    spoilt.weights.tensor_mut("projection.bias").expect("a parameter")[0] = f32::INFINITY;
    let error = spoilt.to_bytes(Precision::Full).expect_err("refused");
    assert!(error.code == "not-finite" && error.cause.contains("projection.bias"));
    let mut other = checkpoint(Task::Atsp);
    other.card.config.layers = 3;
    assert!(other.to_bytes(Precision::Full).is_err());
}

#[test]
fn public_files_become_checkpoints() {
    // The public layout: prefixes, dead layers, no card, no terms.
    for (task, name) in [(Task::Atsp, "atsp20"), (Task::Acvrp, "acvrp20")] {
        let recorded = Checkpoint::import(&golden_path(name), None).expect("a checkpoint");
        assert_eq!((recorded.card.name.as_str(), recorded.card.config.task), (name, task));
        assert_eq!((recorded.card.config.width, recorded.card.config.layers), (64, 2));
        assert_eq!(recorded.card.trained, None);

        let mut public =
            File::golden(name).renamed(|key| Some(format!("module.{}", key.strip_prefix("weight.")?)));
        public.metadata.clear();
        let by_shapes = Checkpoint::import_bytes(&public.bytes(), name, None).expect("a checkpoint");
        assert_eq!(by_shapes, recorded);
        let nested = public.clone().renamed(|key| Some(format!("model_state_dict.{key}")));
        let by_config = Checkpoint::import_bytes(&nested.bytes(), name, Some(&recorded.card.config))
            .expect("a checkpoint");
        assert_eq!(by_config, recorded);
        assert_eq!(
            Checkpoint::from_bytes(&recorded.to_bytes(Precision::Full).expect("written"))
                .expect("a checkpoint"),
            recorded
        );

        // One name without the prefix, and it is no prefix.
        let odd = public.renamed(|key| Some(key.replace("module.decoder", "decoder")));
        assert!(Checkpoint::import_bytes(&odd.bytes(), name, None).is_err());
        let other = Config { layers: 3, ..recorded.card.config.clone() };
        assert_eq!(
            Checkpoint::import_bytes(&nested.bytes(), name, Some(&other)).expect_err("refused").code,
            "missing-tensor"
        );
    }
    let own = checkpoint(Task::Vrp);
    let again = Checkpoint::import_bytes(&own.to_bytes(Precision::Full).expect("written"), "other", None)
        .expect("a checkpoint");
    assert_eq!(again, own);
}
