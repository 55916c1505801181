//! The parts a network can be built from. Each has its name in one place: here.

use crate::error::NetError;

macro_rules! part {
    (
        $(#[doc = $doc:literal])+
        $part:ident {
            $($(#[doc = $about:literal])+ $name:ident = $text:literal,)+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $part { $($(#[doc = $about])+ $name,)+ }

        impl $part {
            /// Every choice there is.
            pub const ALL: &'static [$part] = &[$($part::$name,)+];

            /// The names of the choices, in the same order.
            pub const NAMES: &'static [&'static str] = &[$($text,)+];

            /// The name in configurations.
            pub const fn as_str(self) -> &'static str {
                match self { $($part::$name => $text,)+ }
            }
        }

        impl std::fmt::Display for $part {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $part {
            type Err = NetError;

            fn from_str(name: &str) -> Result<Self, NetError> {
                let found = Self::ALL.iter().copied().find(|part| part.as_str() == name);
                found.ok_or_else(|| {
                    let valid = format!("give one of {}", Self::NAMES.join(", "));
                    NetError::new("config", format!("there is no `{name}`"), valid)
                })
            }
        }

        impl serde::Serialize for $part {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $part {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <String as serde::Deserialize>::deserialize(deserializer)?;
                name.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

part! {
    /// What the decoder builds.
    Task {
        /// One tour; the query knows the first node.
        Atsp = "atsp",
        /// Routes with a capacity; the query knows the load left.
        Acvrp = "acvrp",
        /// Routes with any of the features; the query knows the state of the route.
        Vrp = "vrp",
    }
}

part! {
    /// What tells the nodes apart before the first block.
    Init {
        /// The leading singular vectors of the scaled matrix.
        Svd = "svd",
        /// One random number.
        Random = "random",
        /// A random unit vector of its own, added to the embedding.
        OneHot = "one-hot",
        /// The smallest entries of its row and of its column.
        Nearest = "nearest",
        /// Nothing but what the task says of it.
        Demand = "demand",
    }
}

part! {
    /// How singular vectors are found.
    Sketch {
        /// By power iterations on a random block.
        Randomised = "randomised",
        /// To machine precision.
        Exact = "exact",
    }
}

part! {
    /// The sign of each pair of singular vectors.
    Signs {
        /// As it comes.
        Free = "free",
        /// The entry of largest magnitude in each left vector is positive.
        Fixed = "fixed",
    }
}

part! {
    /// How a matrix is scaled before the network sees it.
    Scaling {
        /// Mean 0 and standard deviation 1 over all entries, the diagonal included.
        ZScore = "z-score",
        /// Smallest entry 0, largest 1.
        MinMax = "min-max",
        /// Not at all.
        None = "none",
    }
}

part! {
    /// A matrix that is mixed into the attention scores, beside the dot product.
    Mix {
        /// The way there.
        Distance = "distance",
        /// The way back.
        DistanceBack = "distance-back",
        /// The time there.
        Duration = "duration",
        /// The time back.
        DurationBack = "duration-back",
    }
}

part! {
    /// How scores become weights of attention.
    Normalisation {
        /// Rows and columns in turn.
        Sinkhorn = "sinkhorn",
        /// Rows alone.
        Softmax = "softmax",
    }
}

part! {
    /// Which normalisation comes last in each iteration of Sinkhorn's, and so holds exactly.
    Ends {
        /// Each iteration does rows, then columns.
        Columns = "columns",
        /// Each iteration does columns, then rows.
        Rows = "rows",
    }
}

part! {
    /// A learned multiple of an entry of the scaled distance, taken off a candidate's score.
    Term {
        /// From where the vehicle is to the candidate.
        Edge = "edge",
        /// From the candidate back home: a tour's first node, the depot.
        Back = "back",
        /// From the candidate to the nearest other node.
        Ahead = "ahead",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_there_and_back() {
        for &term in Term::ALL {
            assert_eq!(term.to_string().parse(), Ok(term));
        }
        for (&init, &name) in Init::ALL.iter().zip(Init::NAMES) {
            assert_eq!(init.as_str(), name);
            assert_eq!(serde_json::to_string(&init).expect("JSON"), format!("\"{name}\""));
        }
        let refusal = "qr".parse::<Init>().expect_err("refused").to_string();
        assert!(refusal.contains("`qr`") && refusal.contains("svd, random, one-hot, nearest, demand"));
    }
}
