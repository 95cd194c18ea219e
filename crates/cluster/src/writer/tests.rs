use super::*;
use crate::engine::Sequence;
use crate::memory::Memory;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

const HERE: Partition = Partition(2);

/// What is to happen to an append.
#[derive(Clone, Copy, Debug)]
enum Then {
    /// It happens, and the answer is lost.
    AnswerLost,
    /// It does not happen, and nobody says so.
    Lost,
    /// It does not happen: "wrong last sequence", though that is not so.
    Spurious,
    /// It does not happen: there is no room.
    Refuse,
    /// Another host takes over before.
    Rival,
    /// It happens, its answer is lost, and another host takes over.
    RivalAfter,
}

#[derive(Default)]
struct Scripted {
    memory: Memory,
    script: Mutex<VecDeque<Then>>,
}

impl Scripted {
    fn new() -> Arc<Scripted> {
        Arc::default()
    }
    fn then(&self, script: &[Then]) {
        *self.script.lock().expect("a script") = script.iter().copied().collect();
    }
    fn rival(&self) {
        let all = self.memory.all(HERE);
        let mut chain = Chain::after(HERE, Head::START);
        all.iter().for_each(|stored| drop(chain.take(stored).expect("a chain")));
        let body = Body::TookOver { incarnation: [9; 16], node: "rival".to_owned() };
        self.memory.force(HERE, chain.head().next(HERE, body).encode().into());
    }
}

impl Engine for Scripted {
    async fn append(&self, to: Partition, after: Sequence, message: Bytes) -> Result<Sequence, NotAppended> {
        let then = self.script.lock().expect("a script").pop_front();
        let lost = || Err(NotAppended::Unknown("no answer".to_owned()));
        match then {
            Some(Then::Lost) => return lost(),
            Some(Then::Spurious) => return Err(NotAppended::Behind),
            Some(Then::Refuse) => return Err(NotAppended::Refused("no room".to_owned())),
            Some(Then::Rival) => self.rival(),
            _ => {}
        }
        let appended = self.memory.append_now(to, after, message);
        match then {
            Some(Then::AnswerLost) => lost(),
            Some(Then::RivalAfter) => {
                self.rival();
                lost()
            }
            _ => appended,
        }
    }
    async fn read(&self, of: Partition, after: Sequence, most: usize) -> Result<Vec<Stored>, Unreachable> {
        self.memory.read(of, after, most).await
    }
    async fn wait(&self, _: Duration) {}
}

fn now<T>(what: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(what)
}

fn host(number: u8) -> Host {
    Host { node: format!("node {number}"), incarnation: [number; 16] }
}

fn take_over(
    engine: &Arc<Scripted>,
    from: Head,
    number: u8,
) -> Result<(Writer<Arc<Scripted>>, usize), Fault> {
    let mut seen = 0;
    let writer = now(Writer::take_over(Arc::clone(engine), HERE, from, &host(number), |_| seen += 1))?;
    Ok((writer, seen))
}

/// The batches in the log, which must be one chain.
fn batches(engine: &Scripted) -> Vec<Vec<u8>> {
    let mut chain = Chain::after(HERE, Head::START);
    let messages =
        engine.memory.all(HERE).into_iter().map(|stored| chain.take(&stored).expect("a chain").body);
    let batch = |body| match body {
        Body::Batch(batch) => Some(batch),
        Body::TookOver { .. } => None,
    };
    messages.filter_map(batch).collect()
}

#[test]
fn an_append_whose_answer_is_lost_happens_once() {
    let engine = Scripted::new();
    let (mut writer, _) = take_over(&engine, Head::START, 1).expect("it takes over");
    for script in [
        &[Then::AnswerLost][..],
        &[Then::Lost, Then::Lost, Then::AnswerLost],
        &[Then::Spurious, Then::Spurious],
        &[Then::AnswerLost, Then::Spurious, Then::Lost],
    ] {
        engine.then(script);
        let number = writer.head().number;
        let head = now(writer.append(b"batch".to_vec())).expect("it is appended");
        assert_eq!((head.number, writer.head()), (number + 1, head));
    }
    assert_eq!(batches(&engine).len(), 4);
}

#[test]
fn what_is_not_settled_is_settled_before_anything_else() {
    let engine = Scripted::new();
    let (mut writer, _) = take_over(&engine, Head::START, 1).expect("it takes over");
    engine.then(&[Then::AnswerLost].iter().chain(&[Then::Lost; 7]).copied().collect::<Vec<_>>());
    let unsettled = now(writer.append(b"first".to_vec())).expect_err("nobody knows");
    assert!(matches!(unsettled, Fault::Unsettled(_)), "{unsettled}");
    assert!(matches!(now(writer.append(b"second".to_vec())), Err(Fault::Unsettled(_))));
    // That there is no room now does not say that there was none.
    engine.then(&[Then::Refuse; 8]);
    assert!(matches!(now(writer.settle()), Err(Fault::Unsettled(_))));
    assert_eq!(now(writer.settle()).expect("it is there").expect("one").number, 2);
    assert_eq!(now(writer.settle()), Ok(None));
    now(writer.append(b"second".to_vec())).expect("it is appended");
    assert_eq!(batches(&engine), [b"first".to_vec(), b"second".to_vec()]);
}

#[test]
fn an_append_that_nobody_waits_for_is_settled_too() {
    let engine = Scripted::new();
    let (mut writer, _) = take_over(&engine, Head::START, 1).expect("it takes over");
    engine.then(&[Then::AnswerLost]);
    {
        // Polled once: it is on its way, and then its caller goes away.
        let mut append = std::pin::pin!(writer.append(b"first".to_vec()));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        drop(append.as_mut().poll(&mut context));
    }
    now(writer.settle()).expect("it is settled");
    now(writer.append(b"second".to_vec())).expect("it is appended");
    assert_eq!(batches(&engine), [b"first".to_vec(), b"second".to_vec()]);
}

#[test]
fn who_was_superseded_writes_no_more_and_knows_what_became_of_its_last() {
    let engine = Scripted::new();
    let (mut writer, _) = take_over(&engine, Head::START, 1).expect("it takes over");
    // Its last append happened, though its answer was lost and another host came after it.
    engine.then(&[Then::RivalAfter]);
    now(writer.append(b"first".to_vec())).expect("it is there");
    assert_eq!(now(writer.append(b"second".to_vec())), Err(Fault::Superseded(HERE)));
    assert_eq!(now(writer.append(b"third".to_vec())), Err(Fault::Superseded(HERE)));
    assert_eq!(now(writer.settle()), Err(Fault::Superseded(HERE)));

    let (mut writer, seen) = take_over(&engine, Head::START, 2).expect("it takes over");
    assert_eq!(seen, 4, "took over, first, took over, took over");
    engine.then(&[Then::Rival]);
    assert_eq!(now(writer.append(b"fourth".to_vec())), Err(Fault::Superseded(HERE)));
    assert_eq!(batches(&engine), [b"first".to_vec()]);
}

#[test]
fn who_takes_over_has_read_all_before() {
    let engine = Scripted::new();
    let (mut writer, _) = take_over(&engine, Head::START, 1).expect("it takes over");
    let known = now(writer.append(b"first".to_vec())).expect("it is appended");
    now(writer.append(b"second".to_vec())).expect("it is appended");
    // Another one takes over while this one reads.
    engine.then(&[Then::Rival, Then::Lost]);
    let (mut writer, seen) = take_over(&engine, known, 2).expect("it takes over");
    assert_eq!(seen, 3, "second, took over, took over");
    now(writer.append(b"third".to_vec())).expect("it is appended");
    assert_eq!(batches(&engine).len(), 3);
}

#[test]
fn what_was_known_and_is_gone_is_seen() {
    let engine = Scripted::new();
    let (mut writer, _) = take_over(&engine, Head::START, 1).expect("it takes over");
    now(writer.append(b"first".to_vec())).expect("it is appended");
    let known = now(writer.append(b"second".to_vec())).expect("it is appended");
    engine.memory.lose_last(HERE);
    // Nothing stands where it was: whoever answers may only be late.
    assert!(matches!(take_over(&engine, known, 2), Err(Fault::Unreachable(_))));
    assert!(matches!(now(writer.append(b"third".to_vec())), Err(Fault::Unsettled(_))));
    // Something else stands there.
    engine.rival();
    let rewound = Broken::Rewound { partition: HERE, known: known.number };
    assert_eq!(take_over(&engine, known, 2).map(|_| ()), Err(rewound.into()));
    let broken = now(writer.settle()).expect_err("it is broken");
    assert!(matches!(broken, Fault::Broken(Broken::Number { expected: 4, found: 3, .. })), "{broken}");
    assert_eq!(now(writer.append(b"fourth".to_vec())), Err(broken));
}

#[test]
fn what_is_too_large_or_refused_leaves_the_writer_as_it_was() {
    let engine = Scripted::new();
    let nobody = Host { node: "n".repeat(65), incarnation: [0; 16] };
    let refused = now(Writer::take_over(Arc::clone(&engine), HERE, Head::START, &nobody, |_| {}));
    assert!(matches!(refused.map(|_| ()), Err(Fault::Refused(_))));
    let (mut writer, _) = take_over(&engine, Head::START, 1).expect("it takes over");
    assert_eq!(now(writer.append(vec![0; MOST_BODY + 1])), Err(Fault::Size(MOST_BODY + 1)));
    engine.then(&[Then::Refuse]);
    assert_eq!(now(writer.append(b"first".to_vec())), Err(Fault::Refused("no room".to_owned())));
    now(writer.append(b"second".to_vec())).expect("it is appended");
    assert_eq!(batches(&engine), [b"second".to_vec()]);
}
