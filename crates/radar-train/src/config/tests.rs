use super::*;

fn refusal(toml: &str) -> String {
    Config::from_toml(toml, &[]).expect_err(toml).to_string()
}

#[test]
fn presets_are_sound_and_go_there_and_back() {
    for name in names() {
        let config = Config::preset(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(config.name, name);
        let text = config.to_toml().expect("TOML");
        assert_eq!(Config::from_toml(&text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}")), config);
    }
}

#[test]
fn the_papers_numbers() {
    let config = Config::preset("paper-atsp").expect("a preset");
    assert_eq!((config.batch, config.starts, config.ema), (64, None, None));
    assert_eq!(config.model, radar_net::Config::default());
    assert_eq!(config.optimiser, Optimiser::default());
    assert_eq!((config.optimiser.lr, config.optimiser.weight_decay), (4e-4, 1e-6));
    assert_eq!((config.budget.instances, config.epoch), (Some(2_100 * 10_000), Some(10_000)));
    assert_eq!(config.validation.every, 10_000_u64.div_ceil(64));
    let factor = |instances: u64| {
        let share = config.budget.share(&Spent { instances, ..Spent::default() });
        config.schedule.factor_at(instances / 64, share)
    };
    assert_eq!((factor(0), factor(20_000_000 - 64), factor(20_000_000)), (1.0, 1.0, 0.1));
}

#[test]
fn a_configuration_may_build_on_a_preset() {
    let toml = "preset = \"paper-atsp\"\nbatch = 16\n[data]\ncurriculum = [{ until = 1e3, nodes = 50 }, { nodes = [50, 100] }]";
    let set =
        ["optimiser.lr=1e-3".to_owned(), "loss.kind=preference".to_owned(), "budget.time=2h".to_owned()];
    let config = Config::from_toml(toml, &set).expect("sound");
    assert_eq!((config.batch, config.optimiser.lr), (16, 1e-3));
    assert_eq!(config.loss.alpha, Some(0.05));
    assert_eq!(config.data.sizes(), [50, 100]);
    assert_eq!(config.data.curriculum[0], Stage { until: Some(1000), nodes: vec![50] });
    assert_eq!(
        config.budget,
        Budget { time: Some(std::time::Duration::from_secs(7200)), ..Budget::default() }
    );
    assert_eq!(Config::from_toml(&config.to_toml().expect("TOML"), &[]), Ok(config));
}

#[test]
fn refusals_name_key_value_and_what_is_valid() {
    for (toml, parts) in [
        ("bach = 3", vec!["`bach`", "did you mean `batch`?"]),
        ("starts = 1", vec!["`starts` is 1", "compares", "imitation"]),
        ("first_nodes = \"likely\"", vec!["`first_nodes` is \"likely\"", "`starts` is \"all\""]),
        ("starts = 5\nfirst_nodes = \"likely\"", vec!["of a tour all are alike", "reinforce routes"]),
        ("[loss]\nkind = \"imitation\"\nastray = 1.5", vec!["`loss.astray` is 1.5", "from 0 to 1"]),
        ("batch = 0", vec!["`batch` is 0", "from 1 to"]),
        ("batch = \"many\"", vec!["`batch` is \"many\"", "whole number"]),
        ("ema = 1.5", vec!["`ema` is 1.5", "from 0 to"]),
        (
            "first_nodes = \"likly\"",
            vec!["`first_nodes` is \"likly\"", "did you mean `likely`?", "any, likely"],
        ),
        ("compute = \"fst\"", vec!["`compute` is \"fst\"", "did you mean `fast`?", "fast, precise"]),
        ("preset = \"quik\"", vec!["\"quik\"", "did you mean `quick`?", "paper-atsp"]),
        ("preset = 3", vec!["`preset` is 3", "quick"]),
        ("model = 3", vec!["`model` is 3", "a table"]),
        ("[model]\nwidht = 3", vec!["`model`", "`widht`", "did you mean `width`"]),
        ("[model]\nwidth = -3", vec!["`model`", "`width` is -3", "from 1"]),
        ("[loss]\nkind = \"reinforced\"", vec!["`loss.kind`", "did you mean `reinforce`?", "preference"]),
        ("[loss]\nalpha = 3", vec!["`loss.alpha`", "`loss.kind` = \"preference\"", "loss has kind"]),
        ("[schedule]\ndrops = [0.5]", vec!["`schedule.drops`", "`schedule.kind` = \"step\""]),
        ("lr = 3", vec!["`lr` is no key", "did you mean `optimiser.lr`?"]),
        ("alpha = 3", vec!["`alpha` is no key", "did you mean `loss.alpha`?"]),
        ("[optimiser]\nlr = -1", vec!["`optimiser.lr` is -1", "from 0 to 10"]),
        ("[optimiser]\nbetas = [0.9]", vec!["`optimiser.betas` is [0.9]", "two numbers"]),
        ("[optimiser]\nmomentum = 0.9", vec!["`optimiser.momentum`", "optimiser has kind"]),
        ("[schedule]\nkind = \"step\"\ndrops = [0.9, 0.8]", vec!["`schedule.drops`", "rising"]),
        ("[schedule]\nkind = \"cosine\"", vec!["`schedule.kind` is \"cosine\"", "no end", "budget"]),
        ("[validation]\nreferences = \"lkh\"", vec!["`validation.references`", "search, none"]),
        ("[budget]\ntime = 3", vec!["`budget.time` is 3", "1h30m"]),
        ("[budget]\nepochs = 3", vec!["`budget.epochs`", "time, cpu, steps, instances"]),
        ("[data]\ndistribution = \"tmt\"", vec!["`data.distribution`", "did you mean `tmat`?", "city"]),
        ("[data]\nnodes = 1", vec!["`data.nodes` is 1", "2 to 20000"]),
        ("[data]\nsigma = 1", vec!["`data.sigma`", "parameters"]),
        ("[data]\nparameters = { sigma = 1 }", vec!["`data.parameters.sigma`", "`tmat`", "variant, preset"]),
        ("[data]\nvariant = \"VRP\"", vec!["`data.variant`", "VRP", "mix"]),
        (
            "[data]\nvariant = \"ACVRP\"",
            vec!["`data.variant`", "`tmat` gives ACVRP", "`model.task` is atsp", "draw ATSP"],
        ),
        ("[data]\ndistribution = \"acvrp\"", vec!["`data.distribution`", "`acvrp` gives ACVRP", "draw ATSP"]),
        (
            "[data]\nmixture = [{}, { variant = \"AVRPX\" }]",
            vec!["`data.mixture[1].variant`", "AVRPX", "mix"],
        ),
        ("[data]\nmixture = [{}, { variant = \"mix\" }]", vec!["`data.mixture[1].variant`", "gives mix"]),
        ("prest = \"quick\"", vec!["`prest` is no key", "did you mean `preset`?"]),
        (
            "[model]\ninit = \"one-hot\"\nwidth = 16\n[data]\ncurriculum = [{ until = 9, nodes = 5 }, { nodes = 2000 }]",
            vec!["`model.init` is \"one-hot\"", "`model.width` = 16", "up to 2000", "`data.nodes`"],
        ),
        ("epoch = 0", vec!["`epoch` is 0", "from 1", "or \"none\""]),
        ("[data]\ncurriculum = [{ nodes = 5 }, { nodes = 6 }]", vec!["`data.curriculum`", "`until`"]),
        ("[data]\ncurriculum = [{ until = 5 }]", vec!["`data.curriculum[0].nodes` is missing"]),
        ("[data]\ndistribution = \"roads\"", vec!["`data.roads` is empty", "npz"]),
        ("[data]\nroads = \"x\"", vec!["`data.roads`", "nothing draws from it"]),
        ("[data]\nmixture = []", vec!["`data.mixture`", "at least one"]),
        (
            "[data]\nnodes = 5\ncurriculum = [{ nodes = 6 }]",
            vec!["`data.curriculum` and `data.nodes`", "one of them"],
        ),
        (
            "[data]\ndistribution = \"tmat\"\nmixture = [{ distribution = \"tmat\" }]",
            vec!["`data.mixture` and `data.distribution`"],
        ),
        ("seed = -1", vec!["`seed` is -1", "from 0 to 18446744073709551615", "in quotes"]),
        ("seed = \"18446744073709551616\"", vec!["`seed` is \"18446744073709551616\"", "from 0 to"]),
        ("seed = 18446744073709551615", vec!["line 1", "9223372036854775807", "in quotes"]),
        ("[validation]\nseed = \"x\"", vec!["`validation.seed` is \"x\"", "from 0 to"]),
        ("batch = ", vec!["line 1"]),
        ("name = \"a\\nb\"", vec!["`name`", "on one line"]),
        ("starts = \"some\"", vec!["`starts` is \"some\"", "whole number", "or \"all\""]),
        ("[optimiser]\nlr = nan", vec!["`optimiser.lr` is NaN", "finite"]),
        ("[optimiser]\nlr = -inf", vec!["`optimiser.lr` is -inf", "finite"]),
        ("[optimiser]\nclip = \"any\"", vec!["`optimiser.clip`", "or \"none\""]),
        ("[budget]\ntime = 1979-05-27", vec!["`budget.time` is the date", "1979-05-27", "in quotes"]),
        ("[budget]\nsteps = \"some\"", vec!["`budget.steps` is \"some\"", "or \"none\""]),
        ("[schedule]\nwarmup = \"some\"", vec!["`schedule.warmup` is \"some\"", "or \"auto\""]),
        ("[validation]\nnodes = 1", vec!["`validation.nodes` is 1", "from 2 to", "or \"data\""]),
        ("[validation]\nroads = \"city\"", vec!["`validation.roads`", "nothing draws from it"]),
        ("[data]\npreset = \"tight\"", vec!["`data.preset` is \"tight\"", "neither limits nor windows"]),
        ("[data]\npreset = \"day\"", vec!["`data.preset` is \"day\"", "no vehicles"]),
        (
            "[model]\npreset = \"vrp\"\n[data]\nmixture = [{ distribution = \"multitask\", preset = \"tight\" }, \
             { distribution = \"city\", variant = \"AOVRPB\", preset = \"tight\" }]",
            vec!["`data.mixture[1].preset`", "(L, TW)"],
        ),
    ] {
        let text = refusal(toml);
        assert!(parts.iter().all(|part| text.contains(part)), "{toml}: {text}");
    }
}

#[test]
fn another_kind_keeps_what_all_kinds_share() {
    let multi = named("multi").expect("a preset");
    for kind in ["leader", "preference", "imitation"] {
        let config = Config::from_toml(multi, &[format!("loss.kind={kind}")]).expect("sound");
        assert!(config.loss.normalise, "{kind}");
    }
}

#[test]
fn nothing_can_be_said_in_words() {
    let plain = Config::default();
    let words = ["starts=all", "ema=none", "optimiser.clip=none"].map(str::to_owned);
    assert_eq!(Config::from_toml("starts = 5\nema = 0.9\n[optimiser]\nclip = 1", &words), Ok(plain.clone()));
    let text = plain.to_toml().expect("TOML");
    for line in ["starts = \"all\"", "ema = \"none\"", "clip = \"none\""] {
        assert!(text.lines().any(|known| known == line), "{line}\n{text}");
    }
}

/// Every key that a configuration knows stands in what is written, and single keys can be laid over that.
#[test]
fn what_is_written_has_all_keys_and_takes_others() {
    let text = Config::default().to_toml().expect("TOML");
    for line in [
        "roads = []",
        "distribution = \"tmat\"",
        "variant = \"ATSP\"",
        "preset = \"paper\"",
        "nodes = 100",
        "nodes = \"data\"",
        "warmup = \"auto\"",
        "time = \"none\"",
        "instances = \"none\"",
    ] {
        assert!(text.lines().any(|known| known == line), "{line}\n{text}");
    }
    assert_eq!(text.matches("roads = []").count(), 2);
    let over = |set: &[&str]| {
        let set: Vec<String> = set.iter().map(|&text| text.to_owned()).collect();
        Config::from_toml(&text, &set).unwrap_or_else(|error| panic!("{set:?}: {error}"))
    };
    assert_eq!(over(&["data.nodes=50"]).data.sizes(), [50]);
    assert_eq!(over(&["data.nodes=50"]).validation.size(&over(&["data.nodes=50"]).data), 50);
    let routes = over(&["model.task=vrp", "data.variant=AVRPTW", "data.preset=tight"]);
    assert_eq!(routes.data.mixture[0].parameters["variant"], "AVRPTW");
    let shaken = over(&["data.distribution=asymmetry", "data.parameters.sigma=0.3"]);
    assert_eq!(shaken.data.mixture[0].parameters["sigma"], "0.3");
    assert!(shaken.to_toml().expect("TOML").contains("[data.parameters]\nsigma = \"0.3\""));
}

/// As runs wrote it before: tables in the place of plain keys, and no key that was not given.
#[test]
fn configurations_of_before_are_the_same() {
    let before = "name = \"paper-atsp\"\n[data]\nminimise = \"distance\"\nroads = []\n\n[[data.mixture]]\n\
                  distribution = \"tmat\"\nweight = 3.0\n\n[data.mixture.parameters]\nvariant = \"ATSP\"\n\n\
                  [[data.curriculum]]\nnodes = [100]\n\n[validation]\ncount = 64\n";
    let config = Config::from_toml(before, &[]).expect("sound");
    assert_eq!(config, Config { name: "paper-atsp".to_owned(), ..Config::default() });
    assert_eq!(Config::from_toml(&config.to_toml().expect("TOML"), &[]), Ok(config));
}

#[test]
fn mixtures_and_stages_go_there_and_back() {
    let toml = "[model]\npreset = \"vrp\"\n[data]\nmixture = [{ distribution = \"acvrp\", weight = 3 }, \
                { distribution = \"asymmetry\", variant = \"AVRPTW\", parameters = { sigma = 0.3 } }]\n\
                curriculum = [{ until = 1e3, nodes = 50 }, { nodes = [50, 100] }]";
    let config = Config::from_toml(toml, &[]).expect("sound");
    let text = config.to_toml().expect("TOML");
    assert_eq!(Config::from_toml(&text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}")), config);
    assert_eq!(config.first_difference(&Config::from_toml(&text, &[]).expect("sound")), None);
    let other = Config::from_toml(&text, &["data.nodes=50".to_owned()]).expect("sound");
    assert_eq!(config.first_difference(&other), Some("data.curriculum".to_owned()));
}

#[test]
fn paths_are_whole_afterwards() {
    let toml = "[data]\ndistribution = \"roads\"\nroads = [\"a.npz\", \"/b\"]\n[validation]\nroads = \"c\"";
    let config = Config::from_toml(toml, &[]).and_then(Config::with_whole_paths).expect("sound");
    let paths: Vec<&String> = config.data.roads.iter().chain(&config.validation.roads).collect();
    assert!(paths.iter().all(|path| std::path::Path::new(path).is_absolute()), "{paths:?}");
    assert!(paths[0].ends_with("a.npz") && paths[1] == "/b" && paths[2].ends_with("c"), "{paths:?}");
    assert_eq!(config.clone().with_whole_paths(), Ok(config));
    let mut empty = Config::default();
    empty.data.roads = vec![String::new()];
    assert!(empty.with_whole_paths().is_err_and(|error| error.code == "unreadable"));
}

#[test]
fn any_seed_goes_there_and_back() {
    for seed in [0, 1 << 53, i64::MAX as u64, i64::MAX as u64 + 1, u64::MAX] {
        let set = [format!("seed={seed}"), format!("validation.seed={seed}")];
        let config = Config::from_toml("", &set).expect("sound");
        assert_eq!((config.seed, config.validation.seed), (seed, seed));
        assert_eq!(Config::from_toml(&format!("seed = \"{seed}\""), &[]).expect("sound").seed, seed);
        assert_eq!(Config::from_toml(&config.to_toml().expect("TOML"), &[]), Ok(config));
    }
}

#[test]
fn differences_are_found_but_for_the_budget() {
    let config = Config::default();
    let mut other = config.clone();
    other.budget.steps = Some(3);
    assert_eq!(config.first_difference(&other), None);
    other.optimiser.lr = 0.5;
    assert_eq!(config.first_difference(&other), Some("optimiser.lr".to_owned()));
    other.model.width = 8;
    assert_eq!(config.first_difference(&other), Some("model.width".to_owned()));
}

#[test]
fn batches_end_with_an_epoch() {
    let config = Config::from_toml("batch = 4\nepoch = 10\n[budget]\ninstances = 21", &[]).expect("sound");
    let (mut spent, mut batches) = (Spent::default(), Vec::new());
    while spent.instances < 21 {
        batches.push(config.next_batch(&spent));
        spent.instances += batches[batches.len() - 1] as u64;
    }
    assert_eq!(batches, [4, 4, 2, 4, 4, 2, 1]);
}
