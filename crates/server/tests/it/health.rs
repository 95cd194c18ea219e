//! Whoever watches over the house is told what does not work.

use crate::common::{PATIENCE, Server};
use std::time::{Duration, Instant};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_house_whose_disk_takes_nothing_says_so() {
    let server = Server::start().await;
    let well = server.for_hosts("/healthz").await;
    assert_eq!((well.status, well.body.lines().next()), (200, Some("ok")), "{}", well.body);
    assert_eq!(server.get("/healthz").await.body, "ok\n", "visitors are told no more");
    // Another program holds the database: nothing can be written.
    let sql = rusqlite::Connection::open(server.data.path().join(store::DATABASE)).expect("the database");
    sql.execute_batch("BEGIN IMMEDIATE").expect("nobody writes");
    let until = async |status| {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let answer = server.for_hosts("/healthz").await;
            if answer.status == status {
                return answer.body;
            }
            assert!(Instant::now() < deadline, "{}", answer.body);
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    let says = until(503).await;
    assert!(
        says.starts_with("not ok\n") && says.contains("\ndisk: no: nothing was written within"),
        "{says}"
    );
    assert!(says.contains("\nwriter: lives\n") && says.contains("\nalarms: ring\n"), "{says}");
    let visitors = server.get("/healthz").await;
    assert_eq!((visitors.status, visitors.body.as_str()), (503, "not ok\n"));
    sql.execute_batch("ROLLBACK").expect("it is let go");
    assert_eq!(until(200).await, well.body);
}
