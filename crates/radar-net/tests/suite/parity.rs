//! The reference and the fused network against the recorded cases, and spoilt cases that must fail.

use radar_kernel::isa::Isa;
use radar_net::parity::{Answer, Fast, Question, Reference, Report, Subject, program, run, run_gradients};
use radar_net::{Config, NetError, Weights};

use crate::file::{File, golden_bytes};

const CASES: [&str; 2] = ["atsp20", "acvrp20"];

/// The verdict on the fused network, which that on the reference must agree with.
fn judged(file: &File) -> Result<Report, NetError> {
    let bytes = file.bytes();
    let (naive, fused) = (run(&bytes, &Reference), run(&bytes, &Fast(Isa::best().precise())));
    let verdict = |judged: &Result<Report, NetError>| match judged {
        Ok(report) => {
            Ok(report.lines.iter().map(|line| (line.name.clone(), line.passed())).collect::<Vec<_>>())
        }
        Err(error) => Err(error.clone()),
    };
    assert_eq!(verdict(&naive), verdict(&fused));
    fused
}

#[test]
fn the_reference_reproduces_the_recorded_cases() {
    for name in CASES {
        let report = run(&golden_bytes(name), &Reference).expect("a case");
        assert!(report.passed(), "{name}\n{report}");
        assert!(report.worst() < 5e-6, "{name}\n{report}");
        assert!(report.lines.len() >= 9 && report.ignored.is_empty(), "{name}\n{report}");
    }
}

#[test]
fn the_fused_network_reproduces_them_on_every_instruction_set() {
    for isa in Isa::available().filter(|&isa| isa.precise() == isa) {
        for name in CASES {
            let report = run(&golden_bytes(name), &Fast(isa)).expect("a case");
            assert!(report.passed(), "{name} on {isa}\n{report}");
            assert!(report.worst() < 1e-5, "{name} on {isa}\n{report}");
        }
    }
}

#[test]
fn the_program_ends_with_what_it_found() {
    let folder = std::env::temp_dir().join(format!("radar-parity-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let outcome = |bytes: &[u8], more: &[&str]| {
        let path = folder.join("case.safetensors");
        std::fs::write(&path, bytes).expect("written");
        let first = [path.display().to_string()];
        program(&first.into_iter().chain(more.iter().map(|&text| text.to_owned())).collect::<Vec<_>>())
    };
    for name in CASES {
        let golden = golden_bytes(name);
        let sound = outcome(&golden, &[]);
        assert_eq!((sound.code, sound.complaint.as_str()), (0, ""));
        assert!(sound.said.lines().last().is_some_and(|line| line.starts_with("passed")), "{}", sound.said);
        let mut spoilt = File::golden(name);
        spoilt.change("weight.decoder.Wk.weight", 1, |value| value + 1e-2);
        let failed = outcome(&spoilt.bytes(), &["portable"]);
        assert!(failed.code == 1 && failed.said.contains("FAILED"), "{failed:?}");
        spoilt.change("act.encoder.0", 1, |_| f32::NAN);
        let refused = outcome(&spoilt.bytes(), &[]);
        assert!(refused.code == 1 && refused.complaint.contains("[not-finite]"), "{refused:?}");
        let short = outcome(&golden[..golden.len() / 2], &[]);
        assert!(short.code == 1 && !short.complaint.is_empty(), "{short:?}");
        assert_eq!(outcome(&golden, &["abacus"]).code, 2);
    }
    std::fs::remove_dir_all(&folder).expect("removed");
    assert_eq!(program(&[]).code, 2);
    assert_eq!(program(&["/nowhere/case.safetensors".to_owned()]).code, 1);
}

#[test]
fn a_weight_off_by_a_hundredth_fails() {
    for name in CASES {
        let golden = File::golden(name);
        for weight in [
            "projection.weight",
            "projection.bias",
            "encoder.layers.0.Wv.weight",
            "encoder.layers.1.mixed_score_MHA.mix2_weight",
            "encoder.layers.1.add_n_normalization_2.norm.bias",
            "encoder.layers.0.feed_forward.W2.weight",
            "decoder.Wq_0.weight",
            "decoder.multi_head_combine.bias",
        ] {
            let mut spoilt = golden.clone();
            spoilt.change(&format!("weight.{weight}"), 1, |value| value + 1e-2);
            let report = judged(&spoilt).expect("a case");
            assert!(!report.passed(), "{name} {weight}\n{report}");
        }
    }
}

#[test]
fn an_activation_off_by_a_thousandth_fails_on_its_line() {
    for name in CASES {
        let golden = File::golden(name);
        for tensor in
            golden.tensors.keys().filter(|key| key.starts_with("act.") || key.starts_with("rollout."))
        {
            if tensor == "rollout.actions" {
                continue;
            }
            let mut spoilt = golden.clone();
            spoilt.change(tensor, 25, |value| value + 1e-3);
            let report = judged(&spoilt).expect("a case");
            assert!(!report.passed(), "{name} {tensor}\n{report}");
            let line = report
                .lines
                .iter()
                .find(|line| line.name.split(' ').next() == Some(tensor))
                .expect("it is there");
            assert!(!line.passed(), "{name} {tensor}\n{report}");
        }
    }
}

#[test]
fn a_gradient_off_by_a_hundredth_fails_on_its_line() {
    for name in CASES {
        let golden = File::golden(name);
        let judged = |file: &File| run_gradients(&file.bytes(), Isa::best().precise()).expect("a case");
        assert!(judged(&golden).passed());
        for tensor in golden.tensors.keys().filter(|key| key.starts_with("grad.") || *key == "loss") {
            let mut spoilt = golden.clone();
            spoilt.change(tensor, 0, |value| value + 1e-2);
            let report = judged(&spoilt);
            let line = report.lines.iter().find(|line| line.name == *tensor);
            assert!(!report.passed() && line.is_some_and(|line| !line.passed()), "{name} {tensor}\n{report}");
        }
    }
}

#[test]
fn every_missing_key_fails_and_is_named() {
    for name in CASES {
        let golden = File::golden(name);
        for key in golden.tensors.keys() {
            let dead = key.contains("g_layer") || (name == "acvrp20" && key.ends_with("decoder.Wq_1.weight"));
            let mut spoilt = golden.clone();
            spoilt.tensors.remove(key);
            match judged(&spoilt) {
                Ok(report) => assert!(dead && report.passed(), "{name}: {key} was not missed"),
                Err(error) => {
                    let named = error.to_string().contains(key.trim_start_matches("weight."));
                    assert!(error.code == "missing-tensor" && named && !dead, "{name} {key}: {error}");
                }
            }
        }
        for key in ["embedding", "heads", "layers", "task", "rank", "logit_clipping"] {
            let mut spoilt = golden.clone();
            spoilt.metadata.remove(key);
            assert!(judged(&spoilt).expect_err("refused").to_string().contains(key));
        }
    }
}

#[test]
fn what_is_not_a_number_fails() {
    for name in CASES {
        let golden = File::golden(name);
        for key in ["in.distance", "act.encoder.1", "rollout.cost", "weight.decoder.Wk.weight", "loss"] {
            for value in [f32::NAN, f32::INFINITY] {
                let mut spoilt = golden.clone();
                spoilt.change(key, 0, |_| value);
                assert_eq!(judged(&spoilt).expect_err("refused").code, "not-finite", "{name} {key}");
            }
        }
    }
}

#[test]
fn every_wrong_shape_fails() {
    for name in CASES {
        let golden = File::golden(name);
        for key in golden.tensors.keys().filter(|key| !key.contains("g_layer")) {
            if name == "acvrp20" && key.ends_with("decoder.Wq_1.weight") {
                continue;
            }
            let mut spoilt = golden.clone();
            spoilt.tensors.get_mut(key).expect("it is there").1.push(1);
            assert_eq!(judged(&spoilt).expect_err("refused").code, "wrong-shape", "{name} {key}");
        }
        for (key, text) in [("nodes", "19"), ("batch", "3"), ("heads", "2"), ("layers", "1")] {
            let mut spoilt = golden.clone();
            spoilt.metadata.insert(key.to_owned(), text.to_owned());
            assert!(judged(&spoilt).is_err(), "{name} {key}");
        }
    }
}

#[test]
fn signs_of_pairs_are_free_and_nothing_else() {
    let flip = |columns: &[usize]| {
        let mut file = File::golden("atsp20");
        for node in 0..20 {
            columns.iter().for_each(|column| file.change("act.features", node * 20 + column, |value| -value));
        }
        let report = judged(&file).expect("a case");
        report.lines.into_iter().find(|line| line.name.contains("recomputed")).expect("it is there")
    };
    assert!(flip(&[3, 13]).passed());
    assert!(!flip(&[3]).passed());
    assert!(!flip(&[13]).passed());
}

/// A subject that leaves things out.
struct Lazy(fn(&mut Vec<Answer>));

impl Subject for Lazy {
    fn features(&self, config: &Config, question: &Question<'_>) -> Result<Vec<f64>, String> {
        Reference.features(config, question)
    }

    fn answer(&self, weights: &Weights, questions: &[Question<'_>]) -> Result<Vec<Answer>, String> {
        let mut answers = Reference.answer(weights, questions)?;
        self.0(&mut answers);
        Ok(answers)
    }
}

#[test]
fn answers_that_lack_something_fail() {
    let bytes = golden_bytes("atsp20");
    let spoils: [fn(&mut Vec<Answer>); 5] = [
        |answers| answers.truncate(1),
        |answers| drop(answers[1].remove("act.encoder.1")),
        |answers| answers[0].get_mut("rollout.cost").expect("it is there").truncate(3),
        |answers| answers[1].get_mut("rollout.cost").expect("it is there")[3] = f64::NAN,
        |answers| answers[1].get_mut("rollout.step_probabilities").expect("it is there").truncate(30),
    ];
    assert!(run(&bytes, &Lazy(|_| ())).expect("a case").passed());
    for spoil in spoils {
        assert!(!run(&bytes, &Lazy(spoil)).expect("a case").passed());
    }
}
