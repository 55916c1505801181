//! Networks on the command line: `radar eval` and `radar model`, the real binary in a fresh folder.

mod evaluate;
mod model;
mod references;
mod solve;

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// A folder of its own for each test, removed afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("radar-eval-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a fresh folder");
        Self(path)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), content).expect("written");
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).expect(name)
    }

    fn radar(&self, line: &str) -> Run {
        let output = Command::new(env!("CARGO_BIN_EXE_radar"))
            .current_dir(&self.0)
            .args(line.split_whitespace())
            .output();
        Run(output.expect("it runs"))
    }

    /// Runs what must succeed.
    fn done(&self, line: &str) -> Run {
        let run = self.radar(line);
        assert_eq!(run.code(), 0, "{line}: {}{}", run.out(), run.err());
        run
    }

    /// A network that is quick, for a task.
    fn network(&self, task: &str) -> String {
        let file = format!("{task}.safetensors");
        self.done(&format!("model new --preset small-{task} --set width=32 --set heads=4 --set layers=2 --set hidden=48 --seed 3 -o {file}"));
        file
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a command did.
struct Run(Output);

impl Run {
    fn out(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    fn err(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    fn code(&self) -> i32 {
        self.0.status.code().expect("not killed")
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.out())
            .unwrap_or_else(|error| panic!("{error}: {}{}", self.out(), self.err()))
    }

    /// Expects a failure with a code, and words in what is said.
    fn refused(&self, exit: i32, code: &str, words: &[&str]) {
        let text = self.err();
        assert_eq!(self.code(), exit, "{text}");
        assert!(text.contains(&format!("[{code}]")), "{code}: {text}");
        assert!(text.contains("->"), "no action: {text}");
        for word in words {
            assert!(text.contains(word), "{word}: {text}");
        }
    }
}
