//! The jobs in SQLite. What has been accepted is on the disk before the caller hears of it.

use std::fs::File;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};

/// A job as it is kept.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its name.
    pub id: String,
    /// Where it stands.
    pub state: State,
    /// Milliseconds of the epoch.
    pub created: i64,
    /// When work began.
    pub started: Option<i64>,
    /// When it ended.
    pub ended: Option<i64>,
    /// How often work has begun.
    pub attempts: u32,
    /// How it is to be solved, as JSON.
    pub options: String,
    /// About how many bytes that takes.
    pub need: u64,
    /// Seconds spent until the last save.
    pub spent: f64,
    /// The curve, as JSON.
    pub curve: Option<String>,
    /// The best plan, as JSON.
    pub plan: Option<String>,
    /// The answer, as JSON.
    pub answer: Option<String>,
    /// The refusal, as JSON.
    pub error: Option<String>,
}

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It waits for its turn.
    Queued,
    /// It is being solved.
    Running,
    /// It has an answer.
    Done,
    /// It has none, and says why.
    Failed,
    /// Somebody cancelled it; it may have an answer.
    Cancelled,
}

impl State {
    const ALL: [Self; 5] = [Self::Queued, Self::Running, Self::Done, Self::Failed, Self::Cancelled];

    /// The name of the state.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether nothing will come any more.
    pub fn is_ended(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }
}

/// What a job ends with.
#[derive(Clone, Debug)]
pub struct Ending {
    /// Done, failed or cancelled.
    pub state: State,
    /// The answer, as JSON.
    pub answer: Option<String>,
    /// The refusal, as JSON.
    pub error: Option<String>,
}

/// A job that is to be kept.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Its name.
    pub id: &'a str,
    /// The key under which it may be sent again.
    pub key: Option<&'a str>,
    /// Everything needed to do it.
    pub request: &'a [u8],
    /// How it is to be solved, as JSON.
    pub options: &'a str,
    /// About how many bytes that takes.
    pub need: u64,
}

/// How many ended jobs are kept.
#[derive(Clone, Copy, Debug)]
pub struct Keep {
    /// Those that ended after this moment.
    pub since: i64,
    /// As many as there are, and as fit into so many bytes; the newest first.
    pub count: u64,
    /// Bytes of all of them together.
    pub bytes: u64,
}

/// The store.
pub struct Store {
    connection: Mutex<Connection>,
    /// Held for as long as the store is open: no two services run the same jobs.
    _lock: Option<File>,
}

/// Why the store does not work.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite says no.
    #[error("the store of jobs: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The folder cannot be used.
    #[error("the folder of jobs: {0}")]
    Folder(#[from] std::io::Error),
    /// Another process has it.
    #[error("another service uses the same folder of jobs")]
    Taken,
    /// The key belongs to another job.
    #[error("the key belongs to another job")]
    KeyReused,
    /// It was written by a later version.
    #[error("the store has version {0}, and this program knows 1")]
    Newer(i64),
}

const VERSION: i64 = 1;

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS jobs (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, state TEXT NOT NULL, key TEXT UNIQUE,
        created INTEGER NOT NULL, started INTEGER, ended INTEGER, attempts INTEGER NOT NULL DEFAULT 0,
        spent REAL NOT NULL DEFAULT 0, options TEXT NOT NULL, need INTEGER NOT NULL, size INTEGER NOT NULL,
        request BLOB NOT NULL, curve TEXT, plan TEXT, answer TEXT, error TEXT
    ) STRICT;
    CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs (state, number);
";

const COLUMNS: &str =
    "id, state, created, started, ended, attempts, spent, curve, plan, answer, error, options, need";

impl Store {
    /// The store of a folder, or one that lives as long as the process.
    pub fn open(folder: Option<&Path>) -> Result<Self, StoreError> {
        let (connection, lock) = match folder {
            None => (Connection::open_in_memory()?, None),
            Some(folder) => {
                std::fs::create_dir_all(folder)?;
                let lock = File::create(folder.join("lock"))?;
                lock.try_lock().map_err(|_| StoreError::Taken)?;
                (Connection::open(folder.join("jobs.sqlite"))?, Some(lock))
            }
        };
        let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if version > VERSION {
            return Err(StoreError::Newer(version));
        }
        // What is forgotten is given back to the disk.
        connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.execute_batch(SCHEMA)?;
        connection.pragma_update(None, "user_version", VERSION)?;
        Ok(Self { connection: Mutex::new(connection), _lock: lock })
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // Every change is one statement or one transaction: a panic leaves nothing half done.
        self.connection.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Accepts a job. With the key of an earlier one, that one is meant if the request is the same: its name is
    /// returned.
    pub fn accept(&self, entry: Entry<'_>, now: i64) -> Result<String, StoreError> {
        let Entry { id, key, request, options, need } = entry;
        let connection = self.lock();
        let insert = "INSERT INTO jobs (id, state, key, created, request, options, need, size)
                      VALUES (?1, 'queued', ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (key) DO NOTHING";
        let need = i64::try_from(need).unwrap_or(i64::MAX);
        let size = i64::try_from(request.len()).unwrap_or(i64::MAX);
        if connection.execute(insert, params![id, key, now, request, options, need, size])? == 1 {
            return Ok(id.to_owned());
        }
        let query = "SELECT id, request = ?2 FROM jobs WHERE key = ?1";
        let (known, is_same): (String, bool) =
            connection.query_row(query, params![key, request], |row| Ok((row.get(0)?, row.get(1)?)))?;
        if is_same { Ok(known) } else { Err(StoreError::KeyReused) }
    }

    /// Whether a job has this key.
    pub fn knows(&self, key: &str) -> Result<bool, StoreError> {
        let query = "SELECT 1 FROM jobs WHERE key = ?1";
        Ok(self.lock().query_row(query, [key], |_| Ok(())).optional()?.is_some())
    }

    /// One job.
    pub fn job(&self, id: &str) -> Result<Option<Record>, StoreError> {
        let query = format!("SELECT {COLUMNS} FROM jobs WHERE id = ?1");
        Ok(self.lock().query_row(&query, [id], record).optional()?)
    }

    /// What was asked for.
    pub fn request(&self, id: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let query = "SELECT request FROM jobs WHERE id = ?1";
        Ok(self.lock().query_row(query, [id], |row| row.get(0)).optional()?)
    }

    /// How many jobs wait before this one.
    pub fn position(&self, id: &str) -> Result<usize, StoreError> {
        let query = "SELECT count(*) FROM jobs WHERE state = 'queued'
                     AND number < (SELECT number FROM jobs WHERE id = ?1)";
        let count: i64 = self.lock().query_row(query, [id], |row| row.get(0))?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// Begins a job that waits; whether it did.
    pub fn begin(&self, id: &str, now: i64) -> Result<bool, StoreError> {
        let update =
            "UPDATE jobs SET state = 'running', started = coalesce(started, ?2), attempts = attempts + 1
                      WHERE id = ?1 AND state = 'queued'";
        Ok(self.lock().execute(update, params![id, now])? == 1)
    }

    /// Saves what a running job has come to.
    pub fn save(&self, id: &str, curve: &str, plan: Option<&str>, spent: f64) -> Result<(), StoreError> {
        let update = "UPDATE jobs SET curve = ?2, plan = ?3, spent = ?4 WHERE id = ?1 AND state = 'running'";
        self.lock().execute(update, params![id, curve, plan, spent])?;
        Ok(())
    }

    /// Puts a running job back into the line.
    pub fn park(&self, id: &str) -> Result<(), StoreError> {
        let update =
            "UPDATE jobs SET state = 'queued', attempts = attempts - 1 WHERE id = ?1 AND state = 'running'";
        self.lock().execute(update, [id])?;
        Ok(())
    }

    /// Ends a job; whether it had not ended before.
    pub fn end(&self, id: &str, ending: &Ending, now: i64) -> Result<bool, StoreError> {
        let update = "UPDATE jobs SET state = ?2, answer = ?3, error = ?4, ended = ?5
                      WHERE id = ?1 AND state IN ('queued', 'running')";
        let Ending { state, answer, error } = ending;
        Ok(self.lock().execute(update, params![id, state.as_str(), answer, error, now])? == 1)
    }

    /// Ends a job that still waits; whether it did.
    pub fn cancel_waiting(&self, id: &str, ending: &Ending, now: i64) -> Result<bool, StoreError> {
        let update = "UPDATE jobs SET state = ?2, ended = ?3 WHERE id = ?1 AND state = 'queued'";
        Ok(self.lock().execute(update, params![id, ending.state.as_str(), now])? == 1)
    }

    /// After a start: whatever was running waits again. The jobs that wait, the oldest first.
    pub fn recover(&self) -> Result<Vec<Record>, StoreError> {
        let connection = self.lock();
        connection.execute("UPDATE jobs SET state = 'queued' WHERE state = 'running'", [])?;
        let query = format!("SELECT {COLUMNS} FROM jobs WHERE state = 'queued' ORDER BY number");
        let mut statement = connection.prepare(&query)?;
        let jobs = statement.query_map([], record)?.collect::<Result<Vec<Record>, _>>()?;
        Ok(jobs)
    }

    /// Forgets ended jobs beyond what is to be kept; how many.
    pub fn forget(&self, keep: Keep) -> Result<usize, StoreError> {
        let connection = self.lock();
        let delete = "DELETE FROM jobs WHERE number IN (
            SELECT number FROM (
                SELECT number, ended, row_number() OVER newest AS place,
                       sum(size + coalesce(length(answer), 0) + coalesce(length(curve), 0)) OVER newest AS bytes
                FROM jobs WHERE ended IS NOT NULL WINDOW newest AS (ORDER BY number DESC))
            WHERE ended < ?1 OR place > ?2 OR bytes > ?3)";
        let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let forgotten =
            connection.execute(delete, params![keep.since, whole(keep.count), whole(keep.bytes)])?;
        if forgotten > 0 {
            connection.execute_batch("PRAGMA incremental_vacuum")?;
        }
        Ok(forgotten)
    }
}

fn record(row: &Row<'_>) -> rusqlite::Result<Record> {
    let name: String = row.get(1)?;
    Ok(Record {
        id: row.get(0)?,
        state: State::ALL.into_iter().find(|state| state.as_str() == name).unwrap_or(State::Failed),
        created: row.get(2)?,
        started: row.get(3)?,
        ended: row.get(4)?,
        attempts: u32::try_from(row.get::<_, i64>(5)?).unwrap_or(0),
        spent: row.get(6)?,
        curve: row.get(7)?,
        plan: row.get(8)?,
        answer: row.get(9)?,
        error: row.get(10)?,
        options: row.get(11)?,
        need: row.get::<_, i64>(12)?.unsigned_abs(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(state: State) -> Ending {
        Ending { state, answer: Some("{}".to_owned()), error: None }
    }

    fn entry<'a>(id: &'a str, key: Option<&'a str>, request: &'a [u8]) -> Entry<'a> {
        Entry { id, key, request, options: "{}", need: 7 }
    }

    #[test]
    fn a_job_ends_once() {
        let store = Store::open(None).expect("a store");
        assert_eq!(store.accept(entry("a", Some("k"), b"x"), 1).expect("accepted"), "a");
        assert_eq!(store.accept(entry("b", Some("k"), b"x"), 2).expect("the same key"), "a");
        assert!(matches!(store.accept(entry("b", Some("k"), b"y"), 2), Err(StoreError::KeyReused)));
        assert!(store.knows("k").expect("read") && !store.knows("other").expect("read"));
        // A clock that steps back changes no order.
        assert_eq!(store.accept(entry("c", None, b"z"), 3).expect("accepted"), "c");
        assert_eq!(store.accept(entry("d", None, b"z"), 0).expect("accepted"), "d");
        assert_eq!(store.position("d").expect("a number"), 2);
        assert!(store.begin("a", 5).expect("begun"));
        assert!(!store.begin("a", 6).expect("running already"));
        assert!(store.end("a", &ending(State::Done), 7).expect("ended"));
        assert!(!store.end("a", &ending(State::Cancelled), 8).expect("ended already"));
        let job = store.job("a").expect("read").expect("there");
        assert_eq!((job.state, job.attempts, job.started, job.ended), (State::Done, 1, Some(5), Some(7)));
        assert_eq!((job.options.as_str(), job.need), ("{}", 7));
        assert_eq!(store.request("a").expect("read").as_deref(), Some(b"x".as_slice()));
    }

    #[test]
    fn ended_jobs_are_kept_within_limits() {
        let store = Store::open(None).expect("a store");
        for number in 0..10_i64 {
            let id = number.to_string();
            store.accept(entry(&id, None, &[0; 100]), number).expect("accepted");
            if number < 8 {
                store.end(&id, &ending(State::Done), number).expect("ended");
            }
        }
        let all = Keep { since: 0, count: 100, bytes: 1 << 20 };
        assert_eq!(store.forget(all).expect("none"), 0);
        assert_eq!(store.forget(Keep { since: 2, ..all }).expect("too old"), 2);
        assert_eq!(store.forget(Keep { count: 5, ..all }).expect("too many"), 1);
        assert_eq!(store.forget(Keep { bytes: 310, ..all }).expect("too large"), 2);
        let left = (0..10).filter(|id| store.job(&id.to_string()).expect("read").is_some());
        assert_eq!(left.collect::<Vec<i32>>(), [5, 6, 7, 8, 9]);
    }

    #[test]
    fn what_was_running_waits_again() {
        let store = Store::open(None).expect("a store");
        for (id, created) in [("early", 9), ("late", 2), ("done", 1)] {
            store.accept(entry(id, None, b""), created).expect("accepted");
            store.begin(id, created).expect("begun");
        }
        store.save("early", "[]", Some("[[1]]"), 2.5).expect("saved");
        store.end("done", &ending(State::Done), 10).expect("ended");
        let jobs = store.recover().expect("recovered");
        assert_eq!(jobs.iter().map(|job| job.id.as_str()).collect::<Vec<_>>(), ["early", "late"]);
        assert_eq!((jobs[0].spent, jobs[0].plan.as_deref(), jobs[0].attempts), (2.5, Some("[[1]]"), 1));
    }

    #[test]
    fn a_folder_has_one_service() {
        let folder = std::env::temp_dir().join(format!("radar-store-{}", std::process::id()));
        let store = Store::open(Some(&folder)).expect("a store");
        assert!(matches!(Store::open(Some(&folder)), Err(StoreError::Taken)));
        store.accept(entry("a", None, b"x"), 1).expect("accepted");
        drop(store);
        let again = Store::open(Some(&folder)).expect("free again");
        assert!(again.job("a").expect("read").is_some());
        drop(again);
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
