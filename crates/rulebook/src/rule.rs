//! The rules of the rulebooks (docs/rules) by their ids, which refusals cite.

/// The id of a rule with which a text begins: `CORE-7`, `CR-JOK-4`, `PAT-SET`. Capitals and digits, with a hyphen, and a number
/// at the end unless it is a pattern.
#[must_use]
pub fn rule_id(text: &str) -> Option<&str> {
    let end = text.bytes().take_while(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'-').count();
    let id = &text[..end];
    let (head, tail) = id.rsplit_once('-')?;
    let numbered = head == "PAT" || tail.bytes().all(|b| b.is_ascii_digit());
    (id.starts_with(|c: char| c.is_ascii_uppercase()) && !head.is_empty() && !tail.is_empty() && numbered)
        .then_some(id)
}

/// The rule that a line of a rulebook lays down: its id begins a list item or a row of a table.
#[must_use]
pub fn rule_of_line(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest = ["* ", "- ", "| "].iter().find_map(|mark| line.strip_prefix(mark))?;
    rule_id(rest.strip_prefix("**").unwrap_or(rest))
}

/// The rule that a ruling lays down, or says more about: `| Q-25 | SOLO-7: a solo player may give up |`.
#[must_use]
pub fn rule_of_ruling(line: &str) -> Option<&str> {
    let (_, ruling) = line.trim_start().strip_prefix("| ")?.split_once(" | ")?;
    rule_id(ruling).filter(|id| ruling[id.len()..].starts_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_known_by_their_ids() {
        let check = |line, expected| assert_eq!(rule_of_line(line), expected, "{line}");
        check("* **CR-JOK-4** A reclaimed joker", Some("CR-JOK-4"));
        check("  - **RF-9** (except A-41) If P0", Some("RF-9"));
        check("| A-07 | which end |", Some("A-07"));
        check("- PAT-SET three cards", Some("PAT-SET"));
        check("* CR-JOK-* never apply", None);
        check("* **Q**: what is meant?", None);
        check("CR-JOK-4 in running text", None);
        assert_eq!(rule_id("A-33, as always"), Some("A-33"));
        assert_eq!(rule_id("CR-GAP applies"), None);
        assert_eq!(rule_id("-1"), None);
        assert_eq!(rule_of_ruling("| Q-25 | SOLO-7: a solo player may give up |"), Some("SOLO-7"));
        assert_eq!(rule_of_ruling("| Q-24 | hints, and SOLO-7: as ever |"), None);
    }
}
