//! Counts the caps of AG(n,3) and says how long that took.
fn main() {
    for dim in 1..=4 {
        let start = std::time::Instant::now();
        let space = lab::space::Space::new(dim);
        let counts = lab::caps::count(&space);
        println!("AG({dim},3): {:?}", start.elapsed());
        for c in counts {
            println!("{:3} {:>16} {:6} {:>14} {:4}", c.size, c.caps, c.classes, c.complete, c.complete_classes);
        }
    }
}
