//! Distributions of the number of lines, and the most.
use lab::lines::{distribution, most};
fn main() {
    let space = lab::space::Space::new(4);
    for k in [3, 9, 12, 15] {
        let start = std::time::Instant::now();
        println!("{k}: {:?} {:?}", distribution(&space, k), start.elapsed());
    }
    println!("d27: {:?}", distribution(&lab::space::Space::new(3), 9));
    let start = std::time::Instant::now();
    println!("{:?} {:?}", (3..=18).map(|k| most(&space, k).0).collect::<Vec<_>>(), start.elapsed());
}
