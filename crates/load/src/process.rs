//! What a process uses, as Linux tells it in `/proc`.

use std::net::SocketAddr;
use std::path::Path;

/// Ticks a second in `/proc/*/stat`, whatever the kernel counts in.
const TICKS: f64 = 100.0;

/// A process of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process(pub u32);

impl Process {
    /// Whether it is there and can be looked at.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.cpu_seconds().is_some() && self.kib().is_some()
    }

    /// Processor time so far, its own and the system's for it.
    #[must_use]
    pub fn cpu_seconds(&self) -> Option<f64> {
        cpu_seconds(&std::fs::read_to_string(format!("/proc/{}/stat", self.0)).ok()?)
    }

    /// Kibibytes in memory.
    #[must_use]
    pub fn kib(&self) -> Option<u64> {
        kib(&std::fs::read_to_string(format!("/proc/{}/status", self.0)).ok()?)
    }
}

fn cpu_seconds(stat: &str) -> Option<f64> {
    // The name in brackets may hold anything: what follows its last bracket is numbers.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut numbers = rest.split_whitespace().skip(11).map(str::parse::<u64>);
    let (user, system) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    Some((user + system) as f64 / TICKS)
}

fn kib(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The process of this machine that listens at an address.
#[must_use]
pub fn listening_at(address: SocketAddr) -> Option<Process> {
    let tables =
        ["/proc/net/tcp", "/proc/net/tcp6"].map(|path| std::fs::read_to_string(path).unwrap_or_default());
    let sockets: Vec<String> = tables
        .iter()
        .flat_map(|text| listeners(text, address.port()))
        .map(|number| format!("socket:[{number}]"))
        .collect();
    let ids = std::fs::read_dir("/proc").ok()?.flatten();
    ids.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .find(|id: &u32| {
            let open = std::fs::read_dir(format!("/proc/{id}/fd")).into_iter().flatten().flatten();
            open.filter_map(|file| std::fs::read_link(file.path()).ok())
                .any(|link| sockets.iter().any(|socket| Path::new(socket) == link))
        })
        .map(Process)
}

/// Numbers of the sockets that listen at a port, from `/proc/net/tcp`.
fn listeners(text: &str, port: u16) -> Vec<u64> {
    text.lines()
        .skip(1)
        .filter_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let (_, at) = words.get(1)?.rsplit_once(':')?;
            let listens = u16::from_str_radix(at, 16) == Ok(port) && *words.get(3)? == "0A";
            if listens { words.get(9)?.parse().ok() } else { None }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_tells_is_read() {
        let stat = "4242 (a (b) c) S 1 1 1 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 7 0 100 1000 200";
        assert_eq!(cpu_seconds(stat), Some(3.0));
        assert_eq!(cpu_seconds("no process"), None);
        assert_eq!(kib("Name:\tparlour\nVmRSS:\t   51234 kB\nThreads:\t7\n"), Some(51234));
        let tcp = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
                   0: 0100007F:1CFC 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 777 1 0 100 0\n\
                   1: 0100007F:1CFC 0100007F:9C40 01 00000000:00000000 00:00000000 00000000 0 0 778 1 0 20 4\n";
        assert_eq!(listeners(tcp, 7420), [777]);
        assert_eq!(listeners(tcp, 80), [0; 0]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_very_process_is_found() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let found = listening_at(listener.local_addr().expect("an address"));
        assert_eq!(found, Some(Process(std::process::id())));
        assert!(found.is_some_and(|process| process.is_there()));
    }
}
