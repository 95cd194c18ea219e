//! What a table on this machine keeps, and what is left of it after a power cut.

use home::Wanted;
use std::io::Write;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use terminal::{Heard, HomeTable, Kept, Line, Opening, Order, Trouble};
use wire::api::{GameChoice, NewTable};

fn wanted() -> Opening {
    let table = NewTable::private(GameChoice::Preset("contract".to_owned()), 3, vec!["easy".to_owned(); 2]);
    Opening::New(Box::new(Wanted { table, name: "Ann".to_owned(), day: None, pace: Some(0) }))
}

fn open(folder: &std::path::Path, opening: Opening) -> (Line, Receiver<Heard>) {
    let (tell, heard) = channel();
    let kept = Kept::open(folder).expect("a folder");
    (HomeTable::open(kept, opening, move |what| _ = tell.send(what)), heard)
}

/// Greets, begins the match and hears of it until the cards are dealt; everything that was heard.
fn begin(line: &Line, heard: &Receiver<Heard>) -> Vec<String> {
    let send = |frame: &str| line.send(Order::Frame(frame.to_owned()));
    send(&format!(r#"{{"hello":{{"protocol":{},"client":1}}}}"#, wire::PROTOCOL));
    send(r#"{"act":"start"}"#);
    let mut frames = Vec::new();
    while let Ok(what) = heard.recv_timeout(Duration::from_secs(20)) {
        if let Heard::Frame(frame) = what {
            let dealt = frame.contains("dealt");
            frames.push(frame);
            if dealt {
                return frames;
            }
        }
    }
    panic!("no cards were dealt: {frames:#?}");
}

/// Waits until nobody holds the folder any more.
fn closed(folder: &std::path::Path) -> Kept {
    for _ in 0..200 {
        match Kept::open(folder) {
            Ok(kept) => return kept,
            Err(Trouble::Taken(_)) => std::thread::sleep(Duration::from_millis(20)),
            Err(other) => panic!("{other}"),
        }
    }
    panic!("the folder is still held");
}

#[test]
fn what_was_played_is_there_again_and_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let (line, heard) = open(folder.path(), wanted());
    begin(&line, &heard);
    // Nobody else plays here meanwhile.
    let taken = Kept::open(folder.path()).expect_err("it is held");
    assert!(taken.to_string().contains("is open in another terminal"), "{taken}");
    drop(line);
    let kept = closed(folder.path());
    let rows = kept.table().1.len();
    assert!(rows > 2 && home::wanted_of(kept.table().0).is_some());
    drop(kept);
    // The last line is torn, as a power cut leaves it: the rest is what was played.
    let file = folder.path().join("table.jsonl");
    let mut torn = std::fs::OpenOptions::new().append(true).open(&file).expect("the file");
    torn.write_all(b"{\"table\":\"J\xc3").expect("written");
    drop(torn);
    let kept = Kept::open(folder.path()).expect("what is whole is read");
    assert_eq!(kept.table().1.len(), rows);
    drop(kept);
    let (line, heard) = open(folder.path(), Opening::Kept);
    line.send(Order::Frame(format!(r#"{{"hello":{{"protocol":{},"client":2}}}}"#, wire::PROTOCOL)));
    let mut views = 0;
    while views == 0 {
        match heard.recv_timeout(Duration::from_secs(20)).expect("the match is there") {
            Heard::Frame(frame) if frame.starts_with(r#"{"view""#) => views += 1,
            Heard::Closed(why) => panic!("{why}"),
            _ => {}
        }
    }
    drop(line);
}

#[test]
fn a_record_is_written_as_everybody_reads_records() {
    let folder = tempfile::tempdir().expect("a folder");
    let (line, heard) = open(folder.path(), wanted());
    begin(&line, &heard);
    line.send(Order::Record);
    let path = loop {
        match heard.recv_timeout(Duration::from_secs(20)).expect("an answer") {
            Heard::Recorded(path) => break path,
            Heard::Unrecorded(why) => panic!("{why}"),
            _ => {}
        }
    };
    let record = std::fs::read_to_string(path).expect("the record");
    record::verify::<rulebook::Match>(&record).expect("it is right as far as it goes");
}

#[test]
fn what_is_no_table_of_ours_is_told_so() {
    let check = |text: &str, part: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("table.jsonl"), text).expect("written");
        let why = Kept::open(folder.path()).expect_err("it is none").to_string();
        assert!(why.contains(part), "{why}");
        // It is left as it was.
        assert_eq!(std::fs::read_to_string(folder.path().join("table.jsonl")).expect("read"), text);
    };
    check("hello\n", "line 1: expected value");
    check("{\"table\":null,\"forget\":[],\"rows\":[]}\n{\"rows\":7}\n", "line 2:");
    let folder = tempfile::tempdir().expect("a folder");
    let (line, heard) = open(folder.path(), Opening::Kept);
    let frame = match heard.recv_timeout(Duration::from_secs(20)) {
        Ok(Heard::Frame(frame)) => frame,
        other => panic!("{other:?}"),
    };
    assert!(frame.contains("no_table.none_here"), "{frame}");
    drop(line);
}
