//! The server as it is started.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server that ends with the test.
struct Server(Child, SocketAddr);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn serve(data: &std::path::Path, files: u32) -> Server {
    let script =
        format!("ulimit -n {files}; exec \"$0\" serve --listen 127.0.0.1:0 --log error --data \"$1\"");
    let mut child = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_parlour")])
        .arg(data)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("it says where");
    let address = line.trim().rsplit_once("http://").expect("an address").1.parse().expect("an address");
    Server(child, address)
}

fn health(address: SocketAddr) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a time");
    let _ = write!(stream, "GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_house_with_few_files_is_not_filled_by_those_who_only_connect() {
    let data = tempfile::tempdir().expect("a folder");
    let server = serve(data.path(), 128);
    let mut held = vec![];
    for n in 0..180 {
        let mut stream = TcpStream::connect(server.1).expect("it listens");
        if n % 2 == 0 {
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: ");
        }
        held.push(stream);
    }
    for n in 0..10 {
        assert_eq!(health(server.1), "HTTP/1.1 200 OK", "{n}");
    }
}

#[test]
fn it_stays_open_though_nobody_reads_where() {
    let data = tempfile::tempdir().expect("a folder");
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port");
    let mut child = Command::new(env!("CARGO_BIN_EXE_parlour"))
        .args(["serve", "--log", "error", "--listen", &port.to_string(), "--data"])
        .arg(data.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let mut server = Server(child, port);
    let opens = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        TcpStream::connect(port).is_ok()
    });
    assert!(opens, "{:?}", server.0.try_wait());
    assert_eq!(health(port), "HTTP/1.1 200 OK");
    assert_eq!(server.0.try_wait().expect("its state"), None, "it goes on");
}
