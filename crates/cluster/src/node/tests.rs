use super::*;
use crate::bus::Heard;
use crate::chain::Head;
use crate::house::Applied;
use crate::members::PROTOCOL;
use crate::memory::{Memory, MemoryBus};
use futures_util::stream::BoxStream;
use std::collections::BTreeMap;

/// Keeps what it was given.
#[derive(Default)]
struct Keeper {
    kept: Mutex<BTreeMap<Partition, (Head, Vec<String>)>>,
    hosts: Mutex<BTreeMap<Partition, Hosting>>,
    heard: Mutex<Vec<(String, Bytes)>>,
    gone: Mutex<Vec<String>>,
    missed: Mutex<Vec<Option<String>>>,
    full: AtomicBool,
}

impl House for Keeper {
    fn place(&self, partition: Partition) -> Result<Head, String> {
        Ok(lock(&self.kept).get(&partition).map_or(Head::START, |kept| kept.0))
    }
    fn apply(&self, partition: Partition, head: Head, batch: Option<Bytes>, applied: Applied) {
        let result = {
            let mut kept = lock(&self.kept);
            let (at, changes) = kept.entry(partition).or_insert((Head::START, Vec::new()));
            if self.full.load(Ordering::Relaxed) {
                Err("the disk is full".to_owned())
            } else if head.number != at.number + 1 {
                Err(format!("{} does not follow {}", head.number, at.number))
            } else {
                *at = head;
                let text = batch.map(|batch| String::from_utf8(batch.to_vec()).expect("text"));
                changes.extend(text.iter().flat_map(|text| text.split(',').map(str::to_owned)));
                Ok(())
            }
        };
        applied(result);
    }
    fn join(&self, changes: &[Vec<u8>]) -> Vec<u8> {
        changes.join(&b',')
    }
    fn gained(&self, hosting: Hosting) {
        lock(&self.hosts).insert(hosting.partition(), hosting);
    }
    fn lost(&self, partition: Partition) {
        if let Some(hosting) = lock(&self.hosts).remove(&partition) {
            hosting.hand(b"farewell".to_vec(), Box::new(|_| {}));
        }
    }
    fn answer(&self, partition: Partition, question: &[u8]) -> Result<Vec<u8>, String> {
        match question {
            b"why" => Err("because".to_owned()),
            _ => Ok(format!("{partition}").into_bytes()),
        }
    }
    fn heard(&self, from: &NodeId, bytes: Bytes) {
        lock(&self.heard).push((from.name().to_owned(), bytes));
    }
    fn missed(&self, node: Option<&NodeId>) {
        lock(&self.missed).push(node.map(|node| node.name().to_owned()));
    }
    fn gone(&self, node: &NodeId) {
        lock(&self.gone).push(node.name().to_owned());
    }
}

/// A line of a program of this version, or of one as the next may be: its beats say so, and have something that this one does not know.
#[derive(Clone)]
struct Line {
    bus: MemoryBus,
    next: bool,
    gaps: Arc<AtomicU64>,
}

impl Bus for Line {
    async fn publish(&self, subject: String, bytes: Bytes) -> Result<(), Unreachable> {
        let newer = (self.next && subject == BEATS).then(|| {
            let mut beat: serde_json::Value = serde_json::from_slice(&bytes).expect("a beat");
            beat["protocol"] = (PROTOCOL + 1).into();
            beat["later"] = serde_json::json!({ "what": ["comes", 1] });
            Bytes::from(serde_json::to_vec(&beat).expect("plain data"))
        });
        self.bus.publish(subject, newer.unwrap_or(bytes)).await
    }
    async fn subscribe(&self, subject: String) -> Result<BoxStream<'static, Heard>, Unreachable> {
        self.bus.subscribe(subject).await
    }
    fn gaps(&self) -> u64 {
        self.gaps.load(Ordering::Relaxed)
    }
    async fn ask(&self, subject: String, bytes: Bytes, patience: Duration) -> Result<Bytes, NoAnswer> {
        self.bus.ask(subject, bytes, patience).await
    }
}

type Tested = Node<Arc<Memory>, Line>;

struct One {
    node: Tested,
    house: Arc<Keeper>,
    line: MemoryBus,
    gaps: Arc<AtomicU64>,
}

async fn join(log: &Arc<Memory>, bus: &MemoryBus, name: &str, house: Arc<Keeper>) -> Result<One, Unable> {
    join_as(log, bus, name, house, false).await
}

/// The same, with a program of this version or as the next may be.
async fn join_as(
    log: &Arc<Memory>,
    bus: &MemoryBus,
    name: &str,
    house: Arc<Keeper>,
    next: bool,
) -> Result<One, Unable> {
    let line = bus.line();
    let id = NodeId::new(name, line.number()).expect("a name");
    let gaps: Arc<AtomicU64> = Arc::default();
    let speaks = Line { bus: line.clone(), next, gaps: Arc::clone(&gaps) };
    let node = Node::join(id, "key".to_owned(), Arc::clone(log), speaks, house.clone()).await?;
    node.open();
    Ok(One { node, house, line, gaps })
}

/// Waits until the nodes host all partitions, and each one.
async fn settled(nodes: &[&One]) {
    for _ in 0..2000 {
        let hosted: usize = nodes.iter().map(|one| one.node.counted().hosted).sum();
        let known = nodes.iter().all(|one| {
            let Counted { nodes: there, unhosted, .. } = one.node.counted();
            there == nodes.len() && unhosted == 0
        });
        if hosted == usize::from(PARTITIONS) && known && nodes.iter().all(|one| one.node.counted().hosted > 0)
        {
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("they never share: {:?}", nodes.iter().map(|one| one.node.counted()).collect::<Vec<_>>());
}

/// Waits until a node hosts all partitions, whoever else is there.
async fn hosts_all(one: &One) {
    for _ in 0..500 {
        if one.node.counted().hosted == usize::from(PARTITIONS) {
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("it never hosts all: {:?}", one.node.counted());
}

/// What all have applied of a partition, when all have applied the same.
async fn same(nodes: &[&One], partition: Partition) -> Vec<String> {
    for _ in 0..1000 {
        let kept: Vec<Option<(Head, Vec<String>)>> =
            nodes.iter().map(|one| lock(&one.house.kept).get(&partition).cloned()).collect();
        // Where that is does not count: who has left need not hear who took over.
        let changes: Vec<Option<Vec<String>>> =
            kept.into_iter().map(|kept| kept.map(|(_, changes)| changes)).collect();
        if changes.windows(2).all(|two| two[0] == two[1]) {
            return changes.into_iter().flatten().next().expect("something");
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("they never agree about {partition}");
}

/// A partition that this node hosts.
fn one_of(one: &One) -> Partition {
    *lock(&one.house.hosts).keys().next().expect("it hosts some")
}

#[tokio::test]
async fn whatever_a_node_writes_is_applied_on_all_and_survives_the_host() {
    let (log, bus) = (Arc::new(Memory::default()), MemoryBus::default());
    let north = join(&log, &bus, "north", Arc::default()).await.expect("it joins");
    settled(&[&north]).await;
    let south = join(&log, &bus, "south", Arc::default()).await.expect("it joins");
    let west = join(&log, &bus, "west", Arc::default()).await.expect("it joins");
    settled(&[&north, &south, &west]).await;
    let here = one_of(&south);
    for (number, one) in (0..).zip([&north, &south, &west, &north]) {
        one.node.commit(here, format!("move {number}").into_bytes()).await.expect("it is written");
        let applied = lock(&one.house.kept).get(&here).cloned().expect("it is applied where it was asked");
        assert_eq!(applied.1.last(), Some(&format!("move {number}")));
    }
    assert_eq!(north.node.question(here, b"where".to_vec()).await, Ok(format!("{here}").into()));
    assert_eq!(north.node.question(here, b"why".to_vec()).await, Err("because".to_owned()));
    // The host is killed: another one goes on.
    south.line.cut();
    north.node.commit(here, b"move 4".to_vec()).await.expect("it is written");
    settled(&[&north, &west]).await;
    let mut changes = same(&[&north, &west], here).await;
    // It was given to South in good order when South came.
    changes.retain(|change| change != "farewell");
    assert_eq!(changes, (0..5).map(|number| format!("move {number}")).collect::<Vec<_>>());
    assert_eq!(*lock(&north.house.gone), ["south"]);
    // It comes back with what it had, and is brought up to date.
    let kept = Mutex::new(lock(&south.house.kept).clone());
    let house = Arc::new(Keeper { kept, ..Keeper::default() });
    let south = join(&log, &bus, "south", house).await.expect("it joins again");
    settled(&[&north, &south, &west]).await;
    assert_eq!(one_of(&south), here, "it has what it had");
    same(&[&north, &south, &west], here).await;
}

#[tokio::test]
async fn who_leaves_gives_all_away_first() {
    let (log, bus) = (Arc::new(Memory::default()), MemoryBus::default());
    let north = join(&log, &bus, "north", Arc::default()).await.expect("it joins");
    let south = join(&log, &bus, "south", Arc::default()).await.expect("it joins");
    settled(&[&north, &south]).await;
    let here = one_of(&south);
    let hosting = lock(&south.house.hosts)[&here].clone();
    let (told, heard) = tokio::sync::oneshot::channel();
    hosting.hand(b"last".to_vec(), Box::new(move |outcome| drop(told.send(outcome))));
    south.node.leave().await;
    assert!(matches!(heard.await, Ok(Outcome::Committed(_))));
    assert_eq!(south.node.counted().hosted, 0);
    hosts_all(&north).await;
    // South need not follow any more.
    let changes = same(&[&north], here).await;
    assert_eq!(changes[changes.len() - 2..], ["last", "farewell"]);
    let (told, heard) = tokio::sync::oneshot::channel();
    hosting.hand(b"too late".to_vec(), Box::new(move |outcome| drop(told.send(outcome))));
    assert_eq!(heard.await, Ok(Outcome::Over));
    assert!(!hosting.is_open());
}

#[tokio::test]
async fn who_cannot_store_hosts_nothing_until_it_can() {
    let (log, bus) = (Arc::new(Memory::default()), MemoryBus::default());
    let north = join(&log, &bus, "north", Arc::default()).await.expect("it joins");
    let south = join(&log, &bus, "south", Arc::default()).await.expect("it joins");
    settled(&[&north, &south]).await;
    let here = one_of(&south);
    south.house.full.store(true, Ordering::Relaxed);
    north.node.commit(here, b"one".to_vec()).await.expect("North has it");
    hosts_all(&north).await;
    assert!(south.node.counted().stuck > 0);
    north.node.commit(here, b"two".to_vec()).await.expect("North hosts it");
    south.house.full.store(false, Ordering::Relaxed);
    settled(&[&north, &south]).await;
    let mut changes = same(&[&north, &south], here).await;
    changes.retain(|change| change != "farewell");
    assert_eq!(changes, ["one", "two"]);
}

#[tokio::test]
async fn what_is_said_comes_in_order_and_a_misfit_is_refused_in_words() {
    let (log, bus) = (Arc::new(Memory::default()), MemoryBus::default());
    let north = join(&log, &bus, "north", Arc::default()).await.expect("it joins");
    let south = join(&log, &bus, "south", Arc::default()).await.expect("it joins");
    for number in 0..100u8 {
        assert!(north.node.say(south.node.id(), vec![number].into()));
    }
    for _ in 0..1000 {
        if lock(&south.house.heard).len() >= 100 {
            break;
        }
        sleep(Duration::from_millis(10)).await;
    }
    let heard: Vec<u8> = lock(&south.house.heard).iter().map(|(_, bytes)| bytes[0]).collect();
    assert_eq!(heard, (0..100).collect::<Vec<_>>());
    let again = join(&log, &bus, "south", Arc::default()).await.map(|_| ());
    assert_eq!(again, Err(Unable::Misfit(Misfit::Name("south".to_owned()))));
    let line = bus.line();
    let id = NodeId::new("west", 1).expect("a name");
    let speaks = Line { bus: line, next: false, gaps: Arc::default() };
    let other =
        Node::join(id, "other".to_owned(), log, speaks, Arc::new(Keeper::default())).await.map(|_| ());
    let other = other.expect_err("another key");
    assert!(matches!(other, Unable::Misfit(Misfit::Key(_))), "{other}");
}

/// Numbers show that something is missing only when something more is said.
#[tokio::test]
async fn who_was_away_for_a_moment_says_that_something_may_be_missing() {
    let (log, bus) = (Arc::new(Memory::default()), MemoryBus::default());
    let north = join(&log, &bus, "north", Arc::default()).await.expect("it joins");
    let south = join(&log, &bus, "south", Arc::default()).await.expect("it joins");
    let west = join(&log, &bus, "west", Arc::default()).await.expect("it joins");
    settled(&[&north, &south, &west]).await;
    let missed = |one: &One| lock(&one.house.missed).clone();
    assert!([&north, &south, &west].iter().all(|one| missed(one).is_empty()), "nobody was away");
    for times in 1..=2 {
        south.gaps.fetch_add(1, Ordering::Relaxed);
        let of_south = vec![Some("south".to_owned()); times];
        for _ in 0..500 {
            if missed(&north) == of_south && missed(&west) == of_south && missed(&south).len() == times {
                break;
            }
            sleep(Duration::from_millis(10)).await;
        }
        assert_eq!((missed(&north), missed(&west)), (of_south.clone(), of_south));
        assert_eq!(missed(&south), vec![None; times], "it may have missed what anybody said");
    }
}

/// As `docs/cluster.md` says, "Rolling upgrade".
#[tokio::test]
async fn a_cluster_is_brought_from_one_version_to_the_next_node_by_node() {
    let (log, bus) = (Arc::new(Memory::default()), MemoryBus::default());
    let mut nodes = Vec::new();
    for name in ["north", "south", "west"] {
        nodes.push(join(&log, &bus, name, Arc::default()).await.expect("it joins"));
    }
    settled(&nodes.iter().collect::<Vec<_>>()).await;
    let here = one_of(&nodes[0]);
    for upgraded in 0..3 {
        nodes[upgraded].node.leave().await;
        nodes[upgraded].line.cut();
        let (name, house) = (nodes[upgraded].node.id().name().to_owned(), Arc::clone(&nodes[upgraded].house));
        nodes[upgraded] = join_as(&log, &bus, &name, house, true).await.expect("neighbours work together");
        settled(&nodes.iter().collect::<Vec<_>>()).await;
        for (number, one) in nodes.iter().enumerate() {
            let written = format!("move {upgraded}.{number}").into_bytes();
            one.node.commit(here, written).await.expect("it is written, whoever hosts it");
            assert_eq!(one.node.question(here, b"where".to_vec()).await, Ok(format!("{here}").into()));
            assert!(nodes[0].node.say(one.node.id(), b"a frame".as_slice().into()));
        }
        // Something that only a later program could ask or say is no harm.
        let node = &nodes[2].node;
        let asked = [9, 0, 0].as_slice().into();
        let answer = bus.line().ask(talk::asks(node.id()), asked, Duration::from_secs(5)).await;
        assert!(matches!(answer.map(|bytes| answer_of(&bytes)), Ok(Reply::Refused(_))), "in words");
    }
    let mut changes = same(&nodes.iter().collect::<Vec<_>>(), here).await;
    changes.retain(|change| change != "farewell");
    let moves = |upgraded| (0..3).map(move |number| format!("move {upgraded}.{number}"));
    assert_eq!(changes, (0..3).flat_map(moves).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_host_that_was_replaced_unasked_notices_and_nothing_is_lost() {
    let (log, bus) = (Arc::new(Memory::default()), MemoryBus::default());
    let north = join(&log, &bus, "north", Arc::default()).await.expect("it joins");
    settled(&[&north]).await;
    let here = Partition(9);
    north.node.commit(here, b"one".to_vec()).await.expect("it is written");
    // Somebody whom nobody hears takes over, as after the network was cut in two.
    let host = crate::Host { node: "stranger".to_owned(), incarnation: [9; 16] };
    let mut stranger = crate::Writer::take_over(Arc::clone(&log), here, Head::START, &host, |_| {})
        .await
        .expect("it takes over");
    stranger.append(b"two".to_vec()).await.expect("it is the host");
    north.node.commit(here, b"three".to_vec()).await.expect("it takes over again");
    assert_eq!(north.node.counted().superseded, 1);
    assert_eq!(same(&[&north], here).await, ["one", "two", "three"]);
}

#[tokio::test]
async fn who_hears_nothing_takes_nothing_from_those_that_went_on() {
    let (log, bus) = (Arc::new(Memory::default()), MemoryBus::default());
    let north = join(&log, &bus, "north", Arc::default()).await.expect("it joins");
    let south = join(&log, &bus, "south", Arc::default()).await.expect("it joins");
    settled(&[&north, &south]).await;
    let before = south.node.counted();
    south.line.cut();
    hosts_all(&north).await;
    sleep(Duration::from_millis(2 * GONE)).await;
    let after = south.node.counted();
    assert_eq!((after.nodes, after.taken), (2, before.taken));
    assert!(!south.node.is_in_touch());
    assert_eq!(north.node.counted().superseded, 0);
}

/// A host, and a partition of it that somebody takes over whom nobody hears.
async fn replaced_unheard() -> (One, crate::Hosting) {
    let (log, bus) = (Arc::new(Memory::default()), MemoryBus::default());
    let north = join(&log, &bus, "north", Arc::default()).await.expect("it joins");
    settled(&[&north]).await;
    let hosting = north.node.hosting(TAKEN).expect("it hosts all");
    let host = crate::Host { node: "stranger".to_owned(), incarnation: [9; 16] };
    let stranger = crate::Writer::take_over(Arc::clone(&log), TAKEN, Head::START, &host, |_| {}).await;
    stranger.expect("it takes over");
    assert!(hosting.is_open(), "nobody has told it");
    (north, hosting)
}

/// Late in the order in which a node looks at its own: in these tests it does not come to it by itself.
const TAKEN: Partition = Partition(PARTITIONS - 1);

async fn notices(north: &One, hosting: &crate::Hosting) {
    for _ in 0..1000 {
        if !hosting.is_open() {
            break;
        }
        sleep(Duration::from_millis(10)).await;
    }
    assert!(!hosting.is_open());
    assert_eq!(north.node.counted().superseded, 1);
}

#[tokio::test]
async fn a_host_that_reads_that_it_was_replaced_answers_no_more() {
    let (north, hosting) = replaced_unheard().await;
    north.node.0.look_at_own(TAKEN).await.expect("it reads");
    notices(&north, &hosting).await;
}

#[tokio::test]
async fn a_host_reads_what_another_one_says_to_host_too() {
    let (north, hosting) = replaced_unheard().await;
    let stranger = NodeId::new("stranger", 1).expect("a name");
    let mut other = Members::new(stranger);
    other.hosts(TAKEN, 2);
    let key = north.node.0.key.clone();
    north.node.0.hear(&serde_json::to_vec(&other.beat(&key)).expect("plain data"));
    notices(&north, &hosting).await;
}

#[tokio::test]
async fn a_host_looks_at_all_that_it_hosts_one_after_another() {
    let (log, bus) = (Arc::new(Memory::default()), MemoryBus::default());
    let north = join(&log, &bus, "north", Arc::default()).await.expect("it joins");
    settled(&[&north]).await;
    let mut seen = Vec::new();
    for _ in 0..PARTITIONS {
        seen.push(north.node.0.own_after(seen.last().copied()).expect("it hosts all"));
    }
    assert_eq!(seen, (0..PARTITIONS).map(Partition).collect::<Vec<_>>());
    assert_eq!(north.node.0.own_after(seen.last().copied()), Some(Partition(0)), "and again");
}

#[test]
fn a_partition_is_left_alone_for_longer_each_time_until_it_was_calm() {
    let began = Instant::now();
    let first = Cooling::next(None, began);
    assert_eq!(first.time, COOLS_FIRST);
    let second = Cooling::next(Some(first), first.until);
    assert_eq!(second.time, 2 * COOLS_FIRST);
    let last = (0..20).fold(second, |before, _| Cooling::next(Some(before), before.until));
    assert_eq!(last.time, COOLS);
    assert_eq!(Cooling::next(Some(last), last.until + CALM).time, COOLS_FIRST);
}
