//! A network of its own for each server, with a line to each other one and a line to this machine. Those between servers can be
//! cut, while whoever asks from here still reaches all of them: `ip` of Linux, as root.
#![allow(dead_code, reason = "each test file uses its part")]

use std::process::{Command, Stdio};

/// The networks; they go when this is dropped.
pub struct Networks {
    names: Vec<String>,
    /// Second number of all addresses: another run at the same time has others.
    second: u32,
}

fn ip(arguments: &str) -> bool {
    let mut command = Command::new("ip");
    command.args(arguments.split(' ')).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Networks of processes that were killed, which could not clean up.
fn drop_what_is_left() {
    let listed = Command::new("ip").args(["netns", "list"]).stderr(Stdio::null()).output();
    let listed = listed.map(|told| String::from_utf8_lossy(&told.stdout).into_owned()).unwrap_or_default();
    for name in listed.lines().filter_map(|line| line.split(' ').next()) {
        let process = name.strip_prefix("parlour-").and_then(|rest| rest.split('-').next());
        if process.is_some_and(|process| !std::path::Path::new("/proc").join(process).exists()) {
            ip(&format!("netns del {name}"));
        }
    }
}

impl Networks {
    /// So many; none where this process may not make them.
    pub fn open(count: usize) -> Option<Networks> {
        let process = std::process::id();
        drop_what_is_left();
        let names = (0..count).map(|number| format!("parlour-{process}-{number}")).collect();
        let networks = Networks { names, second: 64 + process % 128 };
        let made = networks.make(process);
        if !made {
            println!(
                "left out: servers that are cut off from each other (`ip netns add` needs Linux and root)"
            );
        }
        made.then_some(networks)
    }

    fn make(&self, process: u32) -> bool {
        let second = self.second;
        let each = |number: usize| {
            let name = &self.names[number];
            let here = format!("pl{number}-{process}");
            ip(&format!("netns add {name}"))
                && ip(&format!("link add {here} type veth peer name out netns {name}"))
                && ip(&format!("addr add 10.{second}.{number}.1/30 dev {here}"))
                && ip(&format!("link set {here} up"))
                && ip(&format!("-n {name} addr add {}/30 dev out", self.of(number)))
                && ip(&format!("-n {name} link set out up"))
                && ip(&format!("-n {name} link set lo up"))
        };
        let side = |of: usize, with: usize| {
            let name = &self.names[of];
            ip(&format!("-n {name} addr add {}/30 dev to{with}", self.of_one_to(of, with)))
                && ip(&format!("-n {name} link set to{with} up"))
        };
        let pair = |one: usize, other: usize| {
            let (first, second) = (&self.names[one], &self.names[other]);
            ip(&format!("-n {first} link add to{other} type veth peer name to{one} netns {second}"))
                && side(one, other)
                && side(other, one)
        };
        let all = 0..self.names.len();
        all.clone().all(each) && all.clone().all(|other| (0..other).all(|one| pair(one, other)))
    }

    /// Its name.
    pub fn name(&self, number: usize) -> &str {
        &self.names[number]
    }

    /// Where it is for this machine.
    pub fn of(&self, number: usize) -> String {
        format!("10.{}.{number}.2", self.second)
    }

    /// Where it is for another one.
    pub fn of_one_to(&self, number: usize, other: usize) -> String {
        let (low, high) = (number.min(other), number.max(other));
        format!("10.{}.{}.{}", self.second, 100 + 10 * low + high, 1 + usize::from(number == high))
    }

    /// Cuts its lines to the others, or mends them.
    pub fn cut(&self, number: usize, cut: bool) {
        let way = if cut { "down" } else { "up" };
        for other in (0..self.names.len()).filter(|other| *other != number) {
            assert!(ip(&format!("-n {} link set to{other} {way}", self.names[number])));
        }
    }
}

impl Drop for Networks {
    fn drop(&mut self) {
        for name in &self.names {
            ip(&format!("netns del {name}"));
        }
    }
}
