//! Faults that are put in on purpose, in memory: it is known so that they would be found.

use crate::registers::Plant;
use crate::world::{Found, Site, World};
use bytes::Bytes;
use cluster::{Engine, Memory, MemoryBus, NotAppended, Partition, Sequence, Stored, Unreachable};
use game::chance::SplitMix;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::sleep;

/// An engine that takes its time, as real ones do, and may ignore what an append depends on.
#[derive(Clone)]
struct Slow {
    memory: Arc<Memory>,
    ignores: Arc<AtomicBool>,
}

impl Engine for Slow {
    async fn append(&self, to: Partition, after: Sequence, message: Bytes) -> Result<Sequence, NotAppended> {
        sleep(Duration::from_millis(4)).await;
        match self.ignores.load(Ordering::SeqCst) {
            true => Ok(self.memory.force(to, message)),
            false => self.memory.append_now(to, after, message),
        }
    }
    async fn read(&self, of: Partition, after: Sequence, most: usize) -> Result<Vec<Stored>, Unreachable> {
        self.memory.read(of, after, most).await
    }
    async fn wait(&self, time: Duration) {
        sleep(time).await;
    }
}

struct Here {
    engine: Slow,
    bus: MemoryBus,
    /// The line of each node.
    lines: Mutex<Vec<Option<MemoryBus>>>,
}

impl Site for Here {
    type Engine = Slow;
    type Bus = MemoryBus;
    async fn connect(&self, node: usize) -> Option<(Slow, MemoryBus)> {
        let line = self.bus.line();
        self.lines.lock().expect("lines")[node] = Some(line.clone());
        Some((self.engine.clone(), line))
    }
}

/// Plays for a while with three nodes, of which one after another is cut off from the rest, but not from the engine, and killed
/// then.
async fn play(seed: u64, plant: Plant, ignores: bool) -> Found {
    let engine = Slow { memory: Arc::default(), ignores: Arc::default() };
    let site = Here { engine, bus: MemoryBus::default(), lines: Mutex::new(vec![None; 3]) };
    let world = World::open(site, 3, plant).await;
    world.site.engine.ignores.store(ignores, Ordering::SeqCst);
    let partitions: Vec<Partition> = (0..6).map(Partition).collect();
    let clients: Vec<_> = (0..24)
        .map(|number| {
            let partition = partitions[number % partitions.len()];
            tokio::spawn(Arc::clone(&world).client(partition, vec![0, 1, 2], SplitMix(seed + number as u64)))
        })
        .collect();
    for victim in 0..3 {
        sleep(Duration::from_millis(150)).await;
        let line = world.site.lines.lock().expect("lines")[victim].clone();
        line.expect("it is there").cut();
        sleep(Duration::from_millis(1500)).await;
        if ignores {
            // Nobody could follow what there is then.
            break;
        }
        let remains = world.kill(victim).expect("it runs");
        world.start(victim, remains).await;
        world.turn_the_page();
        world.settled().await;
    }
    world.end();
    for client in clients {
        client.await.expect("nobody breaks down");
    }
    world.judge(&partitions).await
}

/// Plays until something is found, ten times at most.
async fn find(plant: Plant, ignores: bool) -> Found {
    for seed in 0..10 {
        let found = play(1000 * seed, plant, ignores).await;
        println!("seed {seed}: {found:?}");
        if !found.is_clean() {
            return found;
        }
    }
    panic!("nothing was found");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_nothing_is_planted_nothing_is_found() {
    let found = play(1, Plant::Nothing, false).await;
    println!("{found:?}");
    assert!(found.is_clean(), "{found:?}");
    assert!(found.acknowledged > 100, "{found:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_said_to_be_written_before_it_is_is_found() {
    let found = find(Plant::TellsEarly, false).await;
    assert!(!found.broken.is_empty() || !found.judged.wrong.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_of_a_host_that_was_replaced_is_found() {
    let found = find(Plant::BelievesItself, false).await;
    assert_eq!(found.broken, [] as [String; 0], "the log is as it should be: only the checker sees it");
    assert!(!found.judged.wrong.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_that_ignores_what_an_append_depends_on_is_found() {
    let found = find(Plant::Nothing, true).await;
    assert!(
        found.broken.iter().any(|why| why.contains("two histories") || why.contains("twice")),
        "{found:?}"
    );
}
