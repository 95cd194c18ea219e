//! `parlour caps`: collections of cards without a Set, counted exactly.

use anyhow::{Result, bail};
use cards::{Deck, Point};
use lab::caps;
use lab::space::{PointSet, Space, points};
use serde_json::json;
use std::process::ExitCode;

/// Counts the Set-free collections (caps) of AG(N,3), exactly
///
/// N = 4 is the deck of 81 cards, N = 3 that of 27.
#[derive(clap::Args)]
pub struct Args {
    /// Features of a card: 1 to 4
    #[arg(long, default_value_t = 4, value_name = "N")]
    dim: u32,
    /// Start from these cards: which cards are still safe, and how many caps extend them
    #[arg(long, value_name = "CARDS")]
    from: Option<String>,
    /// One JSON object, numbers of caps as text
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(args: Args) -> Result<ExitCode> {
    if !(1..=4).contains(&args.dim) {
        bail!("--dim {}: give 1, 2, 3 or 4 features", args.dim);
    }
    let space = Space::new(args.dim);
    match &args.from {
        Some(text) => from(&space, text, args.json)?,
        None => all(&space, args.json),
    }
    Ok(ExitCode::SUCCESS)
}

fn all(space: &Space, as_json: bool) {
    let counts = caps::count(space);
    let total: u128 = counts.iter().map(|c| c.caps).sum();
    if as_json {
        let sizes: Vec<_> = counts
            .iter()
            .map(|c| {
                json!({
                    "k": c.size, "caps": c.caps.to_string(), "classes": c.classes,
                    "complete": c.complete.to_string(), "complete_classes": c.complete_classes,
                })
            })
            .collect();
        outln!("{}", json!({"dim": space.dim(), "sizes": sizes, "total": total.to_string()}));
        return;
    }
    outln!("Caps of AG({},3): sets of cards without a Set\n", space.dim());
    outln!("{:>4} {:>20} {:>8} {:>18} {:>8}", "size", "caps", "classes", "complete", "classes");
    for c in &counts {
        outln!("{:>4} {:>20} {:>8} {:>18} {:>8}", c.size, c.caps, c.classes, c.complete, c.complete_classes);
    }
    outln!("{:>4} {total:>20}", "all");
}

fn from(space: &Space, text: &str, as_json: bool) -> Result<()> {
    let set = read(space, text)?;
    let write = |set: PointSet| {
        let code = |p: u8| Deck::D81.text(Point(p))[4 - space.dim() as usize..].to_owned();
        points(set).map(code).collect::<Vec<_>>()
    };
    let Some(extending) = caps::extending(space, set) else {
        let [a, b, c] = lab::odds::sets_in(space, set)[0];
        bail!("these cards hold a Set already: {}", write(1 << a | 1 << b | 1 << c).join(" "));
    };
    let safe = write(caps::safe(space, set));
    let total: u128 = extending.iter().sum();
    if as_json {
        let sizes: Vec<_> = extending
            .iter()
            .enumerate()
            .skip(set.count_ones() as usize)
            .map(|(k, n)| json!({"k": k, "caps": n.to_string()}))
            .collect();
        let answer = json!({
            "dim": space.dim(), "from": write(set), "safe": safe, "sizes": sizes, "total": total.to_string(),
        });
        outln!("{answer}");
        return Ok(());
    }
    outln!(
        "{} cards are safe to add: {}",
        safe.len(),
        if safe.is_empty() { "--".to_owned() } else { safe.join(" ") }
    );
    outln!("\n{:>4} {:>20}", "size", "caps that hold them");
    for (k, n) in extending.iter().enumerate().skip(set.count_ones() as usize) {
        outln!("{k:>4} {n:>20}");
    }
    outln!("{:>4} {total:>20}", "all");
    Ok(())
}

/// Cards of as many digits as the space has dimensions.
fn read(space: &Space, text: &str) -> Result<PointSet> {
    let digits = space.dim() as usize;
    let mut set: PointSet = 0;
    for word in text.split_whitespace() {
        if word.len() != digits || !word.bytes().all(|b| (b'0'..=b'2').contains(&b)) {
            bail!("--from: `{word}` is no card of AG({digits},3): write {digits} digits from 0 to 2");
        }
        let point = word.bytes().fold(0, |n, b| n * 3 + (b - b'0'));
        if set >> point & 1 == 1 {
            bail!("--from: {word} is named twice");
        }
        set |= 1 << point;
    }
    Ok(set)
}
