//! Choices by name, and families of parts.
//!
//! A part of the network is a file that says all there is to say of it in a constant `PART`, and a line in the
//! table of its family. The table is all that knows which parts there are.

/// Declares a choice: an enum whose values are written in configurations by name.
macro_rules! choice {
    (
        $(#[doc = $doc:literal])+
        $choice:ident {
            $($(#[doc = $about:literal])+ $name:ident = $text:literal,)+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $choice { $($(#[doc = $about])+ $name,)+ }

        impl $choice {
            /// Every choice there is.
            pub const ALL: &'static [$choice] = &[$($choice::$name,)+];

            /// The names of the choices, in the same order.
            pub const NAMES: &'static [&'static str] = &[$($text,)+];

            /// The name in configurations.
            pub const fn as_str(self) -> &'static str {
                match self { $($choice::$name => $text,)+ }
            }
        }

        impl std::fmt::Display for $choice {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $choice {
            type Err = $crate::NetError;

            fn from_str(name: &str) -> Result<Self, $crate::NetError> {
                let found = Self::ALL.iter().copied().find(|choice| choice.as_str() == name);
                found.ok_or_else(|| {
                    let valid = format!("give one of {}", Self::NAMES.join(", "));
                    $crate::NetError::new("config", format!("there is no `{name}`"), valid)
                })
            }
        }

        impl serde::Serialize for $choice {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $choice {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <String as serde::Deserialize>::deserialize(deserializer)?;
                name.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

/// Declares a family: a choice between parts, each with a file of its own beside the table. The family's
/// module says in a struct `Part` what its files have to give.
///
/// `cargo fmt` does not look behind macros: `rustfmt` has to be given these files by name.
macro_rules! family {
    (
        $(#[doc = $doc:literal])+
        $family:ident {
            $($(#[doc = $about:literal])+ $name:ident = $text:literal in $file:ident,)+
        }
    ) => {
        $(mod $file;)+

        $crate::family::choice! {
            $(#[doc = $doc])+
            $family { $($(#[doc = $about])+ $name = $text,)+ }
        }

        impl $family {
            /// What its file says of it.
            pub(crate) const fn part(self) -> &'static Part {
                match self { $($family::$name => &$file::PART,)+ }
            }
        }
    };
}

pub(crate) use {choice, family};

#[cfg(test)]
mod tests {
    use crate::config::{Init, Term};

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
