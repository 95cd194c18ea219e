//! Real servers of the engine on this machine.
#![allow(dead_code, reason = "each test file uses its part")]

use cluster::{Access, Account};
use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// The program that a variable names, if there is one: `cargo xtask test` fetches it and says where it is.
pub fn program(variable: &str) -> Option<PathBuf> {
    let found = std::env::var_os(variable).map(PathBuf::from);
    if found.is_none() {
        println!("left out: {variable} does not name a nats-server (`cargo xtask test` fetches it)");
    }
    found
}

/// A server; it is killed when this is dropped.
pub struct Server {
    pub program: PathBuf,
    pub config: PathBuf,
    process: Option<Child>,
    pub name: String,
    pub url: String,
}

impl Server {
    pub fn start(&mut self) {
        let log = fs::File::create(self.config.with_extension("log")).expect("a log");
        let mut command = Command::new(&self.program);
        command.arg("-c").arg(&self.config).stdout(Stdio::null()).stderr(log);
        self.process = Some(command.spawn().expect("the server starts"));
    }

    /// Starts it if it does not run.
    pub fn start_again(&mut self) {
        if self.process.is_none() {
            self.start();
        }
    }

    /// As `kill -9` does.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().expect("it runs");
            process.wait().expect("it ends");
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A few servers, and where they keep their files.
pub struct Cluster {
    pub servers: Vec<Server>,
    _folder: tempfile::TempDir,
}

/// Ports that nobody uses at the moment.
fn ports(count: usize) -> Vec<u16> {
    let held: Vec<TcpListener> =
        (0..count).map(|_| TcpListener::bind(("127.0.0.1", 0)).expect("a port")).collect();
    held.iter().map(|port| port.local_addr().expect("an address").port()).collect()
}

impl Cluster {
    /// Starts so many servers; `storage` is what their configuration says of JetStream.
    pub fn start(program: PathBuf, count: usize, storage: &str) -> Cluster {
        let mut cluster = Cluster::prepare(program, count, storage);
        cluster.servers.iter_mut().for_each(Server::start);
        cluster
    }

    /// The same, without starting them.
    pub fn prepare(program: PathBuf, count: usize, storage: &str) -> Cluster {
        let folder = tempfile::tempdir().expect("a folder");
        let ports = ports(2 * count);
        let (clients, routes) = ports.split_at(count);
        let others: Vec<String> = routes.iter().map(|port| format!("nats://127.0.0.1:{port}")).collect();
        let servers: Vec<Server> = (0..count)
            .map(|number| {
                let name = format!("server-{number}");
                let config = folder.path().join(format!("{name}.conf"));
                let store = folder.path().join(&name);
                let cluster = format!(
                    "cluster {{ name: parlour, listen: \"127.0.0.1:{}\", routes: [{}], no_advertise: true }}",
                    routes[number],
                    others.join(", ")
                );
                let text = format!(
                    "server_name: {name}\nlisten: \"127.0.0.1:{}\"\n\
                     jetstream {{ store_dir: {store:?}, max_file_store: 256MB, {storage} }}\n{}\n\
                     accounts {{ $SYS: {{ users: [{{ user: system, password: s }}] }}\n\
                     PARLOUR: {{ jetstream: enabled, users: [{{ user: parlour, password: p }}] }} }}\n",
                    clients[number],
                    if count > 1 { &cluster } else { "" },
                );
                fs::write(&config, text).expect("a configuration");
                let url = format!("nats://127.0.0.1:{}", clients[number]);
                Server { program: program.clone(), config, process: None, name, url }
            })
            .collect();
        Cluster { servers, _folder: folder }
    }

    /// How it is reached, by way of those of its servers.
    pub fn access(&self, servers: &[usize]) -> Access {
        let account = |user: &str, password: &str| Account { user: user.into(), password: password.into() };
        Access {
            servers: servers.iter().map(|&number| self.servers[number].url.clone()).collect(),
            log: account("parlour", "p"),
            system: account("system", "s"),
        }
    }
}
