//! What validation has to say: a stable code, the cause with indices and values, and what to do.

use std::fmt;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing is stopped.
    Warning,
    /// A stop that no plan can serve, or a fleet that cannot serve all.
    Blocker,
    /// Malformed: nothing can be solved.
    Error,
}

impl Severity {
    /// The stable text.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Blocker => "blocker",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal, $severity:ident;)+) => {
        /// The kinds of findings. The text of a code never changes once published.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($(#[doc = $doc])+ $name,)+ }

        impl Code {
            /// Every code, in the order of the table in `docs/findings.md`.
            pub const ALL: &'static [Code] = &[$(Code::$name,)+];

            /// The stable text.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$name => $text,)+ }
            }

            /// How bad it is.
            pub const fn severity(self) -> Severity {
                match self { $(Code::$name => Severity::$severity,)+ }
            }

            /// What it means, in one sentence.
            pub const fn meaning(self) -> &'static str {
                match self { $(Code::$name => concat!($($doc,)+),)+ }
            }
        }
    };
}

codes! {
    /// There is no node, or a depot without stops.
    EmptyProblem = "empty-problem", Error;
    /// A matrix whose rows are not as long as it has rows.
    NotSquare = "matrix-not-square", Error;
    /// The duration matrix has another size than the distance matrix.
    SizeMismatch = "matrix-size-mismatch", Error;
    /// A list that does not have one entry per node.
    WrongLength = "wrong-length", Error;
    /// A value that is not a number.
    NotANumber = "not-a-number", Error;
    /// A negative value.
    Negative = "negative-value", Error;
    /// An infinite value where only a number makes sense.
    Infinite = "infinite-value", Error;
    /// Values too large to be added exactly.
    TooLarge = "magnitude-too-large", Error;
    /// Values too small to be told from zero.
    TooSmall = "magnitude-too-small", Error;
    /// A stop that both receives and hands over.
    BothAmounts = "delivery-and-pickup", Error;
    /// Amounts without a capacity.
    CapacityMissing = "capacity-missing", Error;
    /// A window that closes before it opens.
    WindowInverted = "window-inverted", Error;
    /// The depot has an amount or a service time.
    DepotNotZero = "depot-not-zero", Error;
    /// A fleet of no vehicles.
    NoVehicles = "no-vehicles", Error;
    /// Two nodes with one id.
    DuplicateId = "duplicate-id", Error;
    /// A point that is not two numbers.
    BadPoint = "bad-point", Error;
    /// A tour with features of routes.
    TourWithRouteFeature = "tour-with-route-feature", Error;
    /// A stop that takes more than a vehicle holds.
    AboveCapacity = "demand-above-capacity", Blocker;
    /// No way leads from the depot to the stop.
    Unreachable = "stop-unreachable", Blocker;
    /// No way leads from the stop back to the depot.
    NoReturn = "stop-no-return", Blocker;
    /// The window closes before anybody can arrive.
    WindowUnreachable = "window-unreachable", Blocker;
    /// Nobody who serves the stop can be back before the depot closes.
    ReturnTooLate = "return-too-late", Blocker;
    /// The shortest way there (and back) is longer than the limit.
    LimitTooShort = "limit-too-short", Blocker;
    /// The quickest way there (and back) with service takes longer than a shift.
    ShiftTooShort = "shift-too-short", Blocker;
    /// All vehicles together hold less than all stops need.
    FleetTooSmall = "fleet-too-small", Blocker;
    /// A diagonal entry was not 0; it is taken as 0.
    Diagonal = "diagonal-not-zero", Warning;
    /// The stop can be reached or left only by way of other stops.
    DirectMissing = "direct-arc-missing", Warning;
    /// Driven directly, the stop is reached too late; by way of other stops it may be in time.
    DirectLate = "direct-arc-late", Warning;
    /// Driven directly, the stop is beyond the limit; by way of other stops it may be within.
    DirectLong = "direct-arc-long", Warning;
    /// Not all digits of the values could be kept.
    Rounded = "values-rounded", Warning;
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One thing that validation found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What kind of thing.
    pub code: Code,
    /// What exactly, with indices and values.
    pub cause: String,
    /// What to do about it.
    pub action: String,
    /// The nodes concerned, if it is about nodes.
    pub nodes: Vec<usize>,
}

impl Finding {
    /// A finding about no node in particular.
    pub fn new(code: Code, cause: impl Into<String>, action: impl Into<String>) -> Self {
        Self { code, cause: cause.into(), action: action.into(), nodes: Vec::new() }
    }

    /// The same finding about `nodes`.
    pub fn about(mut self, nodes: impl IntoIterator<Item = usize>) -> Self {
        self.nodes.extend(nodes);
        self
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]: {}; {}", self.severity(), self.code, self.cause, self.action)
    }
}
