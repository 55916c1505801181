//! Files that a kill may meet half-way.

use std::fs;
use std::path::PathBuf;

use radar_train::folder::Folder;
use radar_train::metrics::{Examined, Journal, Line, read};
use radar_train::validation::Mark;

fn place(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("radar-train-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    path
}

#[test]
fn a_file_is_replaced_as_a_whole_and_remains_do_not_matter() {
    let path = place("folder");
    let folder = Folder::open(&path).expect("a folder");
    folder.put("a", b"old").expect("written");
    // A kill in the middle of writing leaves a part; nobody reads it, and the next write replaces it.
    fs::write(folder.place("a.part"), b"ha").expect("written");
    assert_eq!(folder.get("a").expect("read"), b"old");
    folder.put("a", b"new").expect("written");
    assert_eq!(folder.get("a").expect("read"), b"new");
    assert!(!folder.has("a.part") && !folder.has("b"));
    fs::remove_dir_all(&path).expect("removed");
}

#[test]
fn one_process_at_a_time() {
    let path = place("lock");
    let folder = Folder::open(&path).expect("a folder");
    assert_eq!(Folder::open(&path).map(|_| ()).expect_err("held").code, "in-use");
    drop(folder);
    assert!(Folder::open(&path).is_ok());
    fs::remove_dir_all(&path).expect("removed");
}

#[test]
fn a_journal_goes_on_where_the_state_was() {
    let path = place("journal-file");
    let line = |step: u64| {
        let mark = Mark { cost: 2.0, gap: None, unsolved: 0 };
        Line::Validation(Examined { step, instances: step, mark, seconds: 0.0, cpu_seconds: 0.0 })
    };
    let mut journal = Journal::open(&path, 0).expect("opened");
    journal.write(&line(1)).expect("written");
    let position = journal.sync().expect("synced");
    journal.write(&line(2)).expect("written");
    drop(journal);
    fs::write(&path, [fs::read(&path).expect("read"), b"{\"kind\": \"tra".to_vec()].concat())
        .expect("written");
    let mut journal = Journal::open(&path, position).expect("opened");
    journal.write(&line(3)).expect("written");
    assert!(!journal.is_short());
    assert_eq!(read(&fs::read_to_string(&path).expect("read")), [line(1), line(3)]);
    // What somebody cut off is missing, but what follows is whole.
    let position = journal.sync().expect("synced");
    fs::OpenOptions::new().write(true).open(&path).and_then(|file| file.set_len(position - 5)).expect("cut");
    let mut journal = Journal::open(&path, position).expect("opened");
    assert!(journal.is_short());
    journal.write(&line(4)).expect("written");
    assert_eq!(read(&fs::read_to_string(&path).expect("read")), [line(1), line(4)]);
    fs::remove_file(&path).expect("removed");
}
