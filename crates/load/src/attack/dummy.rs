//! A listener that does nothing: it opens every socket, answers every request with two letters, and reads the rest away.

use std::io;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Where it listens. It ends with this.
pub struct Dummy {
    pub address: SocketAddr,
    _stop: tokio::sync::oneshot::Sender<()>,
}

/// Starts it on a thread of its own, as the server has its own.
pub fn start() -> io::Result<Dummy> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::spawn(move || {
        runtime.block_on(async {
            tokio::select! {
                _ = stopped => {}
                () = listen(listener) => {}
            }
        });
    });
    Ok(Dummy { address, _stop: stop })
}

async fn listen(listener: std::net::TcpListener) {
    let Ok(listener) = TcpListener::from_std(listener) else { return };
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(answer(stream));
    }
}

async fn answer(mut stream: TcpStream) -> io::Result<()> {
    let (mut head, mut buffer) = (vec![], [0; 4096]);
    loop {
        let count = stream.read(&mut buffer).await?;
        if count == 0 {
            return Ok(());
        }
        head.extend_from_slice(&buffer[..count]);
        while let Some(end) = head.windows(4).position(|four| four == b"\r\n\r\n") {
            let is_socket = head[..end].windows(7).any(|seven| seven.eq_ignore_ascii_case(b"upgrade"));
            head.drain(..end + 4);
            if is_socket {
                stream.write_all(b"HTTP/1.1 101 Switching Protocols\r\n\r\n").await?;
                while stream.read(&mut buffer).await? > 0 {}
                return Ok(());
            }
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}").await?;
        }
    }
}
