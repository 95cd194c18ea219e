//! That the engine waits for the disk before it acknowledges, as its system calls show. No kill could show that: what was given
//! to the operating system survives it.

use crate::run::{Cluster, program};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const APPENDS: usize = 5;

/// A server whose system calls are written down; both are killed when this is dropped.
struct Traced {
    tracer: Child,
    /// Where the server writes its number.
    number: PathBuf,
}

impl Traced {
    fn start(cluster: &Cluster, trace: &Path) -> Traced {
        let server = &cluster.servers[0];
        let number = server.config.with_extension("pid");
        let tracer = Command::new("strace")
            .args(["-f", "-y", "-s", "4096", "-e", "trace=write,writev,pwrite64,fsync,fdatasync", "-o"])
            .arg(trace)
            .arg(&server.program)
            .arg("-c")
            .arg(&server.config)
            .arg("-P")
            .arg(&number)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Traced { tracer: tracer.expect("strace starts"), number }
    }
}

impl Drop for Traced {
    fn drop(&mut self) {
        // The server goes on where only its tracer is killed.
        if let Ok(number) = fs::read_to_string(&self.number) {
            let _ = Command::new("kill").args(["-9", number.trim()]).status();
        }
        let _ = self.tracer.kill();
        let _ = self.tracer.wait();
    }
}

/// What happened to one append, in the order in which it did: lines of the trace.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    written: Option<usize>,
    synced: Option<usize>,
    acknowledged: Option<usize>,
}

/// Finds the appends in what `strace` wrote.
fn seen(trace: &str) -> [Seen; APPENDS] {
    let mut seen = [Seen::default(); APPENDS];
    // A call that lasts while others begin has two lines; the file of the first is that of the second.
    let mut waiting: HashMap<&str, &str> = HashMap::new();
    for (at, line) in trace.lines().enumerate() {
        let (thread, call) = line.split_once(' ').unwrap_or((line, ""));
        let call = call.trim_start();
        let is_block = |call: &str| call.split_once('>').is_some_and(|(file, _)| file.ends_with(".blk"));
        let begins = call.starts_with("fsync(") || call.starts_with("fdatasync(");
        let ends = call.starts_with("<... fsync resumed") || call.starts_with("<... fdatasync resumed");
        let synced = match (begins, ends) {
            (true, _) if call.contains("<unfinished") => {
                waiting.insert(thread, call);
                false
            }
            (true, _) => is_block(call),
            (_, true) => waiting.remove(thread).is_some_and(is_block),
            _ => false,
        };
        for (number, one) in seen.iter_mut().enumerate() {
            let (entry, place) =
                (format!("append number {number}."), format!("\\\"seq\\\":{}}}", number + 1));
            if one.written.is_none() && is_block(call) && call.contains(&entry) {
                one.written = Some(at);
            }
            if synced && one.written.is_some() && one.synced.is_none() {
                one.synced = Some(at);
            }
            if one.acknowledged.is_none()
                && call.contains("\\\"stream\\\":\\\"ONE\\\"")
                && call.contains(&place)
            {
                one.acknowledged = Some(at);
            }
        }
    }
    seen
}

/// Appends to one server with this setting, and gives what its calls show.
async fn appends(program: PathBuf, storage: &str) -> [Seen; APPENDS] {
    let cluster = Cluster::prepare(program, 1, storage);
    let trace = cluster.servers[0].config.with_extension("trace");
    let traced = Traced::start(&cluster, &trace);
    let access = cluster.access(&[0]);
    let began = Instant::now();
    let client = loop {
        let options = async_nats::ConnectOptions::new()
            .user_and_password(access.log.user.clone(), access.log.password.clone());
        match options.connect(&access.servers).await {
            Ok(client) => break client,
            Err(why) if began.elapsed() > Duration::from_secs(60) => panic!("{why}"),
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    };
    let stream = r#"{"name":"ONE","subjects":["one"],"storage":"file","num_replicas":1}"#;
    loop {
        let made = client.request("$JS.API.STREAM.CREATE.ONE", stream.into()).await;
        if made.is_ok_and(|answer| String::from_utf8_lossy(&answer.payload).contains("\"config\"")) {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "no stream");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    for number in 0..APPENDS {
        let answer = client.request("one", format!("append number {number}.").into()).await;
        let answer = String::from_utf8_lossy(&answer.expect("an answer").payload).into_owned();
        assert!(answer.contains(&format!("\"seq\":{}", number + 1)), "{answer}");
    }
    drop(traced);
    seen(&fs::read_to_string(trace).expect("a trace"))
}

#[tokio::test]
async fn what_is_acknowledged_was_waited_for_by_the_disk() {
    let Some(program) = program("PARLOUR_NATS") else { return };
    let works = Command::new("strace").args(["-o", "/dev/null", "true"]).stderr(Stdio::null()).status();
    if !works.is_ok_and(|status| status.success()) {
        println!("left out: strace is not installed, or may not look at other programs here");
        return;
    }
    let waited = |one: &Seen| matches!((one.written, one.synced, one.acknowledged), (Some(w), Some(s), Some(a)) if w < s && s < a);
    for one in appends(program.clone(), "sync_interval: always").await {
        assert!(waited(&one), "{one:?}");
    }
    // And it would be seen if it did not.
    for one in appends(program, "sync_interval: 2m").await {
        assert!(one.written.is_some() && one.acknowledged.is_some() && !waited(&one), "{one:?}");
    }
}
