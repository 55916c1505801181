//! A rival in a process of its own: jobs go in and answers come out, a line each.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::exam::Exam;
use super::solver::Solver;

/// Loading a rival's libraries takes seconds on a cold disk.
const START: Duration = Duration::from_secs(60);

/// What a rival that keeps no time may take.
const UNLIMITED: Duration = Duration::from_secs(120);

/// How the reason of a rival that was killed begins.
const KILLED: &str = "killed";

/// How often a rival's CPU time is looked at.
const GLANCE: Duration = Duration::from_millis(100);

/// On a busy machine a rival may have to wait this many times its patience.
const WALL: u32 = 10;

/// What came back for a job.
pub struct Answer {
    /// The routes, or why there are none.
    pub routes: Result<Vec<Vec<usize>>, String>,
    /// CPU seconds.
    pub seconds: Option<f64>,
    /// Whether it was called proved.
    pub optimal: bool,
}

impl Answer {
    pub fn failed(why: impl ToString) -> Self {
        Self { routes: Err(why.to_string()), seconds: None, optimal: false }
    }

    /// Whether the rival overstayed so far that it was killed.
    pub fn was_killed(&self) -> bool {
        self.routes.as_ref().is_err_and(|why| why.starts_with(KILLED))
    }
}

/// A rival that answered its name.
pub struct Driver {
    solver: Solver,
    module: &'static str,
    version: String,
    log: PathBuf,
    running: Option<Running>,
}

/// Its process; a new one is begun when it died.
struct Running {
    child: Child,
    jobs: ChildStdin,
    answers: Receiver<String>,
}

impl Driver {
    /// Starts a rival, or says why it cannot take part.
    pub fn start(solver: Solver, log: &Path) -> Result<Self, String> {
        let module = solver.module().ok_or("ours needs no driver")?;
        let mut driver = Self { solver, module, version: String::new(), log: log.to_owned(), running: None };
        driver.version = driver.begin()?;
        Ok(driver)
    }

    pub fn version(&self) -> &str {
        &self.version
    }

    /// Gives it one instance. A rival that dies or overstays has failed at this one only.
    pub fn solve(&mut self, exam: &Exam, budget: f64, seed: u64) -> Answer {
        if self.running.is_none()
            && let Err(why) = self.begin()
        {
            return Answer::failed(why);
        }
        let patience = match self.solver.keeps_time() {
            true => Duration::from_secs_f64((4.0 * budget).max(5.0)),
            false => UNLIMITED,
        };
        let job = json!({ "problem": exam.file, "digest": exam.digest, "budget": budget, "seed": seed });
        match self.ask(&job, patience) {
            Ok(answer) => read(&answer),
            Err(why) => {
                self.running = None;
                Answer::failed(why)
            }
        }
    }

    /// Begins a process and reads its greeting: the version.
    fn begin(&mut self) -> Result<String, String> {
        let log = std::fs::OpenOptions::new().create(true).append(true).open(&self.log);
        let log = log.map_err(|error| format!("{}: {error}", self.log.display()))?;
        let mut command = Command::new(super::venv::PYTHON);
        command.args(["-u", "rivals/driver.py", self.module]);
        for threads in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"] {
            command.env(threads, "1");
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log);
        let mut child = command.spawn().map_err(|error| format!("{}: {error}", super::venv::PYTHON))?;
        let (Some(jobs), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipes".to_owned());
        };
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            for line in lines {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let running = self.running.insert(Running { child, jobs, answers });
        let greeting = running.hear(START);
        let greeting =
            greeting.and_then(|line| serde_json::from_str::<Value>(&line).map_err(|error| error.to_string()));
        let why = match greeting {
            Ok(greeting) => match greeting["version"].as_str() {
                Some(version) => return Ok(version.to_owned()),
                None => greeting["error"].as_str().unwrap_or("no greeting").to_owned(),
            },
            Err(why) => why,
        };
        self.running = None;
        Err(format!("{}: {why}", self.solver.name()))
    }

    fn ask(&mut self, job: &Value, patience: Duration) -> Result<Value, String> {
        let running = self.running.as_mut().ok_or("not running")?;
        writeln!(running.jobs, "{job}").map_err(|error| format!("died: {error}"))?;
        let line = running.hear(patience)?;
        serde_json::from_str(&line).map_err(|error| format!("spoke nonsense: {error}"))
    }
}

impl Running {
    /// The next line, unless the process dies or spends more than `patience` of CPU time on it.
    fn hear(&self, patience: Duration) -> Result<String, String> {
        let (begun, spent) = (Instant::now(), self.cpu());
        loop {
            match self.answers.recv_timeout(GLANCE) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err("died".to_owned()),
                Err(RecvTimeoutError::Timeout) => {
                    let wall = begun.elapsed();
                    let used = self.cpu().zip(spent).map_or(wall, |(now, then)| now.saturating_sub(then));
                    if used > patience || wall > patience * WALL {
                        return Err(format!("{KILLED} after {} s", patience.as_secs_f64()));
                    }
                }
            }
        }
    }

    /// The CPU time of the process, where the system tells: fields 14 and 15 of its line, in hundredths of a
    /// second.
    fn cpu(&self) -> Option<Duration> {
        let line = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        let after_name = line.rsplit_once(')')?.1;
        let ticks: Option<u64> =
            after_name.split_whitespace().skip(11).take(2).map(|field| field.parse::<u64>().ok()).sum();
        ticks.map(|ticks| Duration::from_millis(10 * ticks))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may be dead already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(answer: &Value) -> Answer {
    let routes = match answer["error"].as_str() {
        Some(why) => Err(why.to_owned()),
        None => serde_json::from_value(answer["routes"].clone()).map_err(|error| error.to_string()),
    };
    Answer { routes, seconds: answer["seconds"].as_f64(), optimal: false }
}
