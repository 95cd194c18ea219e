//! Layouts without a SuperSET, and without a Double-Set.
fn main() {
    let space = lab::space::Space::new(4);
    let start = std::time::Instant::now();
    println!("{:?} {:?}", lab::patterns::count(&space, 10, &lab::patterns::without_super, &mut |_, _| ()), start.elapsed());
    let d = lab::patterns::count(&space, 22, &lab::patterns::without_double, &mut |k, n| println!("{k}: {n} {:?}", start.elapsed()));
    for (k, n) in d.iter().enumerate() { println!("{k} {n} {}", *n as f64 / lab::lines::choose(81, k as u64) as f64); }
}
