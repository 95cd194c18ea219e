//! The lines between a node and the servers of the engine: forwarders that the test controls.

use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::sleep;

/// How it is on the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Open,
    /// Whatever is sent takes so long.
    Slow(Duration),
    /// Nothing gets through, and nobody is told; what was sent comes when this ends.
    Stalled,
    /// All connections are broken, and nobody can connect.
    Cut,
}

/// The lines of one node, to each server.
pub struct Lines {
    /// Where the servers are for this node.
    pub urls: Vec<String>,
    way: watch::Sender<Way>,
}

impl Lines {
    /// Lines to these servers.
    pub async fn to(servers: &[String]) -> Lines {
        let (way, changes) = watch::channel(Way::Open);
        let mut urls = Vec::new();
        for server in servers {
            let address: SocketAddr = server.trim_start_matches("nats://").parse().expect("an address");
            let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
            urls.push(format!("nats://{}", listener.local_addr().expect("an address")));
            tokio::spawn(listen(listener, address, changes.clone()));
        }
        Lines { urls, way }
    }

    pub fn set(&self, way: Way) {
        self.way.send_replace(way);
    }
}

async fn listen(listener: TcpListener, server: SocketAddr, way: watch::Receiver<Way>) {
    while let Ok((client, _)) = listener.accept().await {
        let mut way = way.clone();
        if *way.borrow_and_update() != Way::Cut {
            tokio::spawn(connect(client, server, way));
        }
    }
}

async fn connect(client: TcpStream, server: SocketAddr, mut way: watch::Receiver<Way>) {
    let Ok(server) = TcpStream::connect(server).await else { return };
    for side in [&client, &server] {
        side.set_nodelay(true).expect("a socket");
    }
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    tokio::select! {
        () = pass(from_client, to_server, way.clone()) => {}
        () = pass(from_server, to_client, way.clone()) => {}
        _ = way.wait_for(|way| *way == Way::Cut) => {}
    }
}

async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut way: watch::Receiver<Way>) {
    let mut bytes = vec![0; 64 * 1024];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        let now = *way.borrow();
        if let Way::Slow(time) = now {
            sleep(time).await;
        }
        if way.wait_for(|way| *way != Way::Stalled).await.is_err()
            || to.write_all(&bytes[..count]).await.is_err()
        {
            return;
        }
    }
}
