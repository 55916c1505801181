//! Writing problems and answers.
