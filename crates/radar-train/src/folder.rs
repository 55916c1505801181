//! The folder of a run. A file in it is the old one or the new one, never half of either; one process at a
//! time works in it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::TrainError;

/// A run's folder, held by this process while it lives.
pub struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// The configuration, every default said.
    pub const CONFIG: &'static str = "config.toml";
    /// One JSON object per line.
    pub const METRICS: &'static str = "metrics.jsonl";
    /// The training curve.
    pub const CURVE: &'static str = "curve.svg";
    /// The newest weights.
    pub const LAST: &'static str = "last.safetensors";
    /// The weights that did best on the validation set.
    pub const BEST: &'static str = "best.safetensors";
    /// Everything that resuming needs.
    pub const STATE: &'static str = "state.safetensors";
    /// The references of the validation set, and what tells it from others.
    pub const REFERENCES: &'static str = "references.json";
    /// The validation set itself: the first of the two that can hold it.
    pub const VALIDATION: [&'static str; 2] = ["validation.npz", "validation.jsonl"];

    /// Makes the folder if there is none, and keeps other processes out.
    pub fn open(path: &Path) -> Result<Self, TrainError> {
        let unwritable = |error: std::io::Error| TrainError::unwritable(path, error);
        fs::create_dir_all(path).map_err(unwritable)?;
        let lock = path.join(".lock");
        let lock =
            OpenOptions::new().create(true).truncate(false).write(true).open(lock).map_err(unwritable)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(TrainError::new(
                "in-use",
                format!("another process trains in {}", path.display()),
                "wait for it, or give another folder",
            )),
            Err(TryLockError::Error(error)) => Err(unwritable(error)),
        }
    }

    /// The folder's own place.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The place of a file.
    pub fn place(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Whether a file is there.
    pub fn has(&self, name: &str) -> bool {
        self.place(name).is_file()
    }

    /// Whether a file is there and not empty.
    pub fn holds(&self, name: &str) -> bool {
        fs::metadata(self.place(name)).is_ok_and(|file| file.is_file() && file.len() > 0)
    }

    /// Reads a whole file.
    pub fn get(&self, name: &str) -> Result<Vec<u8>, TrainError> {
        let path = self.place(name);
        fs::read(&path).map_err(|error| TrainError::unreadable(&path, error))
    }

    /// Writes a whole file beside its place, makes sure that it is on the disk, and moves it there.
    pub fn put(&self, name: &str, content: &[u8]) -> Result<(), TrainError> {
        let path = self.place(name);
        let beside = self.place(&format!("{name}.part"));
        let put = || -> std::io::Result<()> {
            let mut file = File::create(&beside)?;
            file.write_all(content)?;
            file.sync_all()?;
            fs::rename(&beside, &path)?;
            // The move itself is only kept once the folder is on the disk as well.
            File::open(&self.path)?.sync_all()
        };
        put().map_err(|error| {
            // Half a file serves nobody, and there may be no room for it.
            let _ = fs::remove_file(&beside);
            TrainError::unwritable(&path, error)
        })
    }
}
