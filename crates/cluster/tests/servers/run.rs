//! Real servers of the engine on this machine.
#![allow(dead_code, reason = "each test file uses its part")]

use cluster::{Access, Account, Encryption};
#[path = "networks.rs"]
pub mod networks;

use networks::Networks;
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
    /// The network that it has for itself.
    network: Option<String>,
    pub name: String,
    pub url: String,
}

impl Server {
    pub fn start(&mut self) {
        let log = fs::File::create(self.config.with_extension("log")).expect("a log");
        let mut command = match &self.network {
            None => Command::new(&self.program),
            // It becomes the program, and keeps the number of its process.
            Some(network) => {
                let mut command = Command::new("ip");
                command.args(["netns", "exec", network]).arg(&self.program);
                command
            }
        };
        command.arg("-c").arg(&self.config).stdout(Stdio::null()).stderr(log);
        self.process = Some(command.spawn().expect("the server starts"));
    }

    /// Starts it if it does not run.
    pub fn start_again(&mut self) {
        if self.process.is_none() {
            self.start();
        }
    }

    fn signal(&self, signal: &str) {
        if let Some(process) = &self.process {
            let sent = Command::new("kill").args([signal, &process.id().to_string()]).status();
            assert!(sent.is_ok_and(|status| status.success()), "kill {signal}");
        }
    }

    /// Lets it stand still as it is, or go on: its clock does.
    pub fn pause(&self, pause: bool) {
        self.signal(if pause { "-STOP" } else { "-CONT" });
    }

    /// Ends it in good order.
    pub fn end(&mut self) {
        self.signal("-TERM");
        if let Some(mut process) = self.process.take() {
            process.wait().expect("it ends");
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
    /// Those of the servers, where each has one for itself.
    pub networks: Option<Networks>,
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
        cluster.begin();
        cluster
    }

    /// The same, without starting them.
    pub fn prepare(program: PathBuf, count: usize, storage: &str) -> Cluster {
        Cluster::prepare_in(program, count, storage, None)
    }

    /// The same, each in a network of its own.
    pub fn prepare_in(program: PathBuf, count: usize, storage: &str, networks: Option<Networks>) -> Cluster {
        let folder = tempfile::tempdir().expect("a folder");
        let ports = ports(2 * count);
        let (clients, routes) = ports.split_at(count);
        let place = |of: usize| networks.as_ref().map_or("127.0.0.1".to_owned(), |networks| networks.of(of));
        let route = |from: usize, to: usize| {
            let own = || "127.0.0.1".to_owned();
            let place =
                networks.as_ref().filter(|_| from != to).map_or_else(own, |one| one.of_one_to(to, from));
            format!("nats://{place}:{}", routes[to])
        };
        // In a network of its own it is to be found on all lines.
        let listens = if networks.is_some() { "0.0.0.0" } else { "127.0.0.1" };
        let servers: Vec<Server> = (0..count)
            .map(|number| {
                let name = format!("server-{number}");
                let config = folder.path().join(format!("{name}.conf"));
                let store = folder.path().join(&name);
                let others: Vec<String> = (0..count).map(|other| route(number, other)).collect();
                let cluster = format!(
                    "cluster {{ name: parlour, listen: \"{listens}:{}\", routes: [{}], no_advertise: true }}",
                    routes[number],
                    others.join(", ")
                );
                let text = format!(
                    "server_name: {name}\nlisten: \"{listens}:{}\"\n\
                     jetstream {{ store_dir: {store:?}, max_file_store: 256MB, {storage} }}\n{}\n\
                     accounts {{ $SYS: {{ users: [{{ user: system, password: s }}] }}\n\
                     PARLOUR: {{ jetstream: enabled, users: [{{ user: parlour, password: p }}] }} }}\n",
                    clients[number],
                    if count > 1 { &cluster } else { "" },
                );
                fs::write(&config, text).expect("a configuration");
                let url = format!("nats://{}:{}", place(number), clients[number]);
                let network = networks.as_ref().map(|networks| networks.name(number).to_owned());
                Server { program: program.clone(), config, process: None, network, name, url }
            })
            .collect();
        Cluster { servers, networks, _folder: folder }
    }

    /// What its servers have said of late, for who looks why something does not go on.
    pub fn told(&self) -> String {
        let said = self.servers.iter().map(|server| {
            let log = fs::read_to_string(server.config.with_extension("log")).unwrap_or_default();
            let lines: Vec<&str> = log.lines().collect();
            format!("{}:\n{}", server.name, lines[lines.len().saturating_sub(40)..].join("\n"))
        });
        said.collect::<Vec<_>>().join("\n")
    }

    /// Adds lines to what each of its servers is told, before they are started.
    pub fn tell(&self, more: &str) {
        for server in &self.servers {
            let told = fs::read_to_string(&server.config).expect("its configuration");
            fs::write(&server.config, told + more).expect("a configuration");
        }
    }

    /// Says how much room the logs of each may take, which it reads when it is started.
    pub fn give_room(&self, room: &str) {
        for server in &self.servers {
            let told = fs::read_to_string(&server.config).expect("its configuration");
            let (before, after) = told.split_once("max_file_store: ").expect("it says so");
            let (_, after) = after.split_once(',').expect("more follows");
            fs::write(&server.config, format!("{before}max_file_store: {room},{after}"))
                .expect("a configuration");
        }
    }

    /// Starts all of its servers.
    pub fn begin(&mut self) {
        self.servers.iter_mut().for_each(Server::start);
    }

    /// How it is reached, by way of those of its servers.
    pub fn access(&self, servers: &[usize]) -> Access {
        let account = |user: &str, password: &str| Account { user: user.into(), password: password.into() };
        Access {
            servers: servers.iter().map(|&number| self.servers[number].url.clone()).collect(),
            encryption: Encryption::default(),
            log: account("parlour", "p"),
            system: account("system", "s"),
        }
    }
}
