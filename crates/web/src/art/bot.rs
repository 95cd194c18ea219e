//! The faces of bots: the one in each seat has its own.

/// Outlines of heads, in a box of 48 by 48.
const HEADS: [&str; 3] = [
    r#"<rect x="9" y="14" width="30" height="25" rx="8"/>"#,
    r#"<path d="M24 13c11 0 16 7 16 14s-5 13-16 13S8 34 8 27s5-14 16-14Z"/>"#,
    r#"<path d="M13 14H35L40 27 34 40H14L8 27Z"/>"#,
];
/// What stands on them.
const TOPS: [&str; 4] = [
    r#"<path d="M24 13V8"/><circle class="dot" cx="24" cy="6" r="2.6"/>"#,
    r#"<path d="M17 14 13 6M31 14 35 6"/>"#,
    r#"<path class="dot" d="M24 3l2.200 4 4.300 1-3.300 3 .5 3h-7.400l.5-3-3.300-3 4.300-1Z"/>"#,
    r#"<path d="M15 10c3-4 15-4 18 0"/>"#,
];
const EYES: [&str; 4] = [
    r#"<circle class="dot" cx="18" cy="25" r="2.700"/><circle class="dot" cx="30" cy="25" r="2.700"/>"#,
    r#"<circle cx="18" cy="25" r="3.500"/><circle cx="30" cy="25" r="3.500"/>"#,
    r#"<path d="M15 25.500c1.500-3 4.500-3 6 0M27 25.500c1.500-3 4.500-3 6 0"/>"#,
    r#"<path d="M15 24H33" stroke-width="5"/>"#,
];
const MOUTHS: [&str; 3] = [
    r#"<path d="M18 32c3 3.500 9 3.500 12 0"/>"#,
    r#"<path d="M19 33H29"/>"#,
    r#"<path d="M20 31.500H28V34.500H20ZM24 31.500V34.500"/>"#,
];

/// The face of the bot in seat `n`, as what stands within an `svg` of 48 by 48; lines are in the colour of the text around it. So many
/// parts that no two of the first twelve seats are alike.
#[must_use]
pub fn face(n: u8) -> String {
    let n = usize::from(n);
    let part = |of: &[&'static str], n: usize| of[n % of.len()];
    let parts = [part(&HEADS, n), part(&TOPS, n), part(&EYES, n + n / 4), part(&MOUTHS, n + n / 3)];
    format!(
        r#"<g fill="none" stroke="currentColor" stroke-width="2.200" stroke-linecap="round" stroke-linejoin="round">{}</g>"#,
        parts.concat()
    )
}

#[cfg(test)]
mod tests {
    use super::face;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_bots_of_a_table_look_alike() {
        assert_eq!((0..12).map(face).collect::<BTreeSet<_>>().len(), 12);
    }
}
