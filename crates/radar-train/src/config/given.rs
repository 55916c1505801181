//! What a configuration is read from, layer upon layer.

use serde_json::{Map, Value, json};

use super::section::Section;
use super::{Config, Data, Part, preset};
use crate::error::TrainError;

/// What somebody gives: each part holds over those before it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// TOML. A `preset` at the top is where it starts from.
    pub text: &'a str,
    /// Files or folders of road matrices: they take the place of the matrices, and what is drawn upon them stays.
    pub roads: &'a [String],
    /// Single keys, such as `optimiser.lr=1e-3`.
    pub set: &'a [String],
    /// A network that is there already: it takes the place of the one that the text describes.
    pub network: Option<&'a radar_net::Config>,
}

impl Given<'_> {
    /// The configuration.
    pub fn read(&self) -> Result<Config, TrainError> {
        let mut value = preset::based(parse(self.text)?)?;
        if !self.roads.is_empty() {
            let data = value.get("data").cloned().unwrap_or_else(|| json!({}));
            preset::lay(&mut value, json!({ "data": on_roads(data, self.roads)? }));
        }
        let set = preset::singles(self.set)?;
        let network = self.network(&set)?;
        preset::lay(&mut value, set);
        Config::read(value, network.as_ref())
    }

    /// The network that is there, clipped as is asked for: that is no matter of its weights. Refuses all other keys that
    /// nobody would heed.
    fn network(&self, set: &Value) -> Result<Option<radar_net::Config>, TrainError> {
        let keys = set.get("model").and_then(Value::as_object);
        let (Some(network), Some(keys)) = (self.network, keys) else { return Ok(self.network.cloned()) };
        let mut network = network.clone();
        for (key, value) in keys {
            let mut other = network.clone();
            let is_heard = key != "preset" && other.set(key, value.clone()).is_ok();
            if is_heard && key == "clip" {
                network = other;
            } else if !is_heard || other != network {
                return Err(TrainError::config(
                    format!(
                        "`model.{key}` is {value}, but the network is that of the weights, which are there"
                    ),
                    "leave it out (`model.clip` alone may change), or train from the beginning (without --init)",
                ));
            }
        }
        Ok(Some(network))
    }
}

/// Every distribution of the data, upon road matrices.
fn on_roads(data: Value, roads: &[String]) -> Result<Value, TrainError> {
    let parts = Data::mixture(&mut Section::new("data", data)?)?;
    let mut parts = parts.iter().map(Part::on_roads).collect::<Result<Vec<Value>, _>>()?;
    let mut table = match &mut parts[..] {
        [Value::Object(one)] => {
            one.remove("weight");
            std::mem::take(one)
        }
        _ => Map::from_iter([("mixture".to_owned(), Value::Array(parts))]),
    };
    table.insert("roads".to_owned(), json!(roads));
    Ok(Value::Object(table))
}

/// The values of a text in TOML.
pub(super) fn parse(text: &str) -> Result<Value, TrainError> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map(|before| 1 + before.matches('\n').count());
        let place = line.map(|line| format!("line {line}: ")).unwrap_or_default();
        let action =
            format!("write a configuration in TOML (whole numbers to {}, greater seeds in quotes)", i64::MAX);
        TrainError::config(format!("{place}{}", error.message()), action)
    })?;
    plain("", toml::Value::Table(table))
}

/// The same value in JSON; what JSON has no word for is refused.
fn plain(path: &str, value: toml::Value) -> Result<Value, TrainError> {
    let refused = |what: String, action: &str| Err(TrainError::config(format!("`{path}` is {what}"), action));
    match value {
        toml::Value::String(text) => Ok(Value::String(text)),
        toml::Value::Integer(number) => Ok(number.into()),
        toml::Value::Float(number) if number.is_finite() => Ok(number.into()),
        toml::Value::Float(number) => refused(number.to_string(), "give a number that is finite"),
        toml::Value::Boolean(flag) => Ok(Value::Bool(flag)),
        toml::Value::Datetime(date) => {
            refused(format!("the date or time {date}"), "nothing here is one: put a text in quotes")
        }
        toml::Value::Array(list) => list.into_iter().map(|value| plain(path, value)).collect(),
        toml::Value::Table(table) => {
            let inner = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
            let each = table.into_iter().map(|(key, value)| Ok((key.clone(), plain(&inner(&key), value)?)));
            Ok(Value::Object(each.collect::<Result<_, TrainError>>()?))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn roads_take_the_place_of_matrices_and_nothing_else() {
        let read = |toml: &str, set: &[&str]| {
            let (roads, set) = (text(&["city.npz", "b\"c"]), text(set));
            Given { text: toml, roads: &roads, set: &set, ..Given::default() }.read()
        };
        let mixed = "[model]\npreset = \"vrp\"\n[data]\nmixture = [{ distribution = \"multitask\", variant = \"AVRPTW\", \
                     preset = \"tight\" }, { distribution = \"asymmetry\", variant = \"AOVRPL\", weight = 3, \
                     parameters = { sigma = 0.3 } }]";
        let data = read(mixed, &[]).expect("sound").data;
        assert_eq!(data.roads, ["city.npz", "b\"c"]);
        let shown: Vec<(&str, f64, String)> = data
            .mixture
            .iter()
            .map(|part| (part.distribution.as_str(), part.weight, format!("{:?}", part.parameters)))
            .collect();
        assert_eq!(
            shown,
            [
                (
                    "roads",
                    1.0,
                    "{\"pick\": \"uniform\", \"preset\": \"tight\", \"variant\": \"AVRPTW\"}".to_owned()
                ),
                (
                    "roads",
                    3.0,
                    "{\"pick\": \"uniform\", \"preset\": \"paper\", \"variant\": \"AOVRPL\"}".to_owned()
                ),
            ]
        );
        let one = |toml: &str, set: &[&str]| {
            let mixture = read(toml, set).expect("sound").data.mixture;
            assert_eq!(
                (mixture.len(), mixture[0].distribution.as_str(), mixture[0].weight),
                (1, "roads", 1.0)
            );
            mixture[0].parameters.clone()
        };
        assert_eq!(one("", &[])["variant"], "ATSP");
        assert_eq!(one("", &["data.parameters.pick=cluster"])["pick"], "cluster");
        let clusters = "[data]\ndistribution = \"roads\"\nparameters = { pick = \"cluster\" }";
        assert_eq!(one(clusters, &[])["pick"], "cluster");
        let routes = "[model]\npreset = \"paper-acvrp\"\n[data]\ndistribution = \"acvrp\"";
        assert_eq!(one(routes, &[])["variant"], "ACVRP");
        let changed =
            one("[model]\npreset = \"vrp\"\n[data]\ndistribution = \"multitask\"", &["data.variant=AVRPTW"]);
        assert_eq!(changed["variant"], "AVRPTW");
    }

    #[test]
    fn a_network_that_is_there_decides() {
        let routes = radar_net::Config::preset("paper-acvrp").expect("a preset");
        let toml = "[data]\ndistribution = \"acvrp\"";
        assert!(
            Config::from_toml(toml, &[]).is_err_and(|error| error.cause.contains("`model.task` is atsp"))
        );
        let read = |toml: &str, set: &[&str]| {
            let set = text(set);
            Given { text: toml, network: Some(&routes), set: &set, ..Given::default() }.read()
        };
        assert_eq!(
            read(toml, &["model.width=256", "model.clip=10"]).map(|config| config.model),
            Ok(routes.clone())
        );
        // How sharply it chooses is no matter of its weights.
        let sharper = radar_net::Config { clip: 30.0, ..routes.clone() };
        assert_eq!(read(toml, &["model.clip=30"]).map(|config| config.model), Ok(sharper));
        assert!(read(toml, &["model.clip=-1"]).is_err());
        // What it says of a network must still mean something.
        assert!(read(&format!("{toml}\n[model]\nwidht = 3"), &[]).is_err());
        for set in ["model.width=128", "model.terms=[\"back\"]", "model.preset=paper-acvrp"] {
            let error = read(toml, &[set]).expect_err(set);
            assert!(error.cause.contains(set.split_once('=').expect("a key").0), "{error}");
        }
    }

    #[test]
    fn values_that_mean_nothing_here_are_refused() {
        for (toml, part) in [
            ("name = 1979-05-27", "`name` is the date or time 1979-05-27"),
            ("[data]\nroads = [07:32:00]", "`data.roads` is the date or time 07:32:00"),
            ("[data.parameters]\nsigma = inf", "`data.parameters.sigma` is inf"),
            ("[optimiser]\nbetas = [0.9, nan]", "`optimiser.betas` is NaN"),
        ] {
            let error = Config::from_toml(toml, &[]).expect_err(toml);
            assert!(error.code == "config" && error.cause.contains(part), "{error}");
        }
        // Words on the command line have no quotes.
        let named = Config::from_toml("", &text(&["name=1979-05-27"])).expect("a name");
        assert_eq!(named.name, "1979-05-27");
        assert!(Config::from_toml("", &text(&["optimiser.lr=nan"])).is_err());
    }

    #[test]
    fn lines_are_counted_from_the_first() {
        for (toml, line) in [("batch = ", "line 1:"), ("batch = 3\n]", "line 2:"), ("\n\n= 3", "line 3:")] {
            let error = parse(toml).expect_err(toml);
            assert!(error.cause.contains(line), "{toml:?}: {error}");
        }
    }
}
