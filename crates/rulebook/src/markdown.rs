//! The little Markdown that rule sheets are written in: headings, paragraphs, lists, tables, fenced and `inline` code, **strong**,
//! *emphasis* and links. Everything else is shown as it stands; no HTML passes.

use crate::{rule_id, rule_of_line, rule_of_ruling};
use std::collections::BTreeSet;

/// As HTML that is safe to put into the page.
#[must_use]
pub fn html(text: &str) -> String {
    render(text, &BTreeSet::new())
}

/// A rulebook as HTML: every rule has its id as an anchor, and wherever it is cited a link leads to it.
#[must_use]
pub fn book(text: &str) -> String {
    render(
        text,
        &text.lines().flat_map(|line| [rule_of_line(line), rule_of_ruling(line)]).flatten().collect(),
    )
}

/// Stands above and below lines that are shown as they are.
const FENCE: &str = "```";

/// A line across, by itself.
const RULE: &str = "---";

/// Columns up to which a row of a table that ends early is filled.
const PADDED: usize = 8;

/// Ids of rules.
type Rules<'a> = BTreeSet<&'a str>;

fn render(text: &str, rules: &Rules) -> String {
    // A rule is where it is first laid down.
    let mut to_come = rules.clone();
    let mut place = |rule: Option<&str>| match rule.filter(|id| to_come.remove::<str>(id)) {
        Some(id) => format!(" id=\"{id}\""),
        None => String::new(),
    };
    let mut out = String::with_capacity(text.len() * 2);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            continue;
        }
        let level = trimmed.bytes().take_while(|b| *b == b'#').count();
        if (1..=4).contains(&level) && trimmed[level..].starts_with(' ') {
            out += &format!("<h{level}>{}</h{level}>", inline(trimmed[level..].trim(), rules));
        } else if trimmed.starts_with(FENCE) {
            let code: Vec<_> = lines.by_ref().take_while(|line| line.trim() != FENCE).map(escape).collect();
            out += &format!(
                "<div class=\"scroll\" tabindex=\"0\"><pre><code>{}</code></pre></div>",
                code.join("\n")
            );
        } else if trimmed == RULE {
            out += "<hr>";
        } else if trimmed.starts_with('|') {
            out += "<div class=\"scroll\" tabindex=\"0\"><table>";
            let mut row = Some(trimmed);
            let mut head = lines.peek().is_some_and(|next| is_rule(next));
            let columns = cells(trimmed).take(PADDED).count();
            while let Some(text) = row {
                if !is_rule(text) {
                    let tag = if head { "th" } else { "td" };
                    out += &format!("<tr{}>", place(rule_of_line(text)));
                    let ruled = rule_of_ruling(text);
                    // A row may end early: what it does not say is empty.
                    let missing = columns.saturating_sub(cells(text).take(PADDED).count());
                    for cell in cells(text).chain(std::iter::repeat_n("", missing)) {
                        let id = place(ruled.filter(|id| cell.starts_with(*id)));
                        out += &format!("<{tag}{id}>{}</{tag}>", inline(cell, rules));
                    }
                    out += "</tr>";
                    head = false;
                }
                row = lines.next_if(|next| next.trim().starts_with('|')).map(str::trim);
            }
            out += "</table></div>";
        } else if let Some(first) = bullet(trimmed) {
            out += "<ul>";
            let mut item = Some((place(rule_of_line(trimmed)), first.to_owned()));
            while let Some((anchored, mut text)) = item {
                // A line that is set in belongs to the item before it.
                while let Some(more) = lines
                    .next_if(|l| l.starts_with("  ") && bullet(l.trim()).is_none() && !l.trim().is_empty())
                {
                    join(&mut text, more);
                }
                out += &format!("<li{anchored}>{}</li>", inline(&text, rules));
                item = lines
                    .next_if(|l| bullet(l.trim()).is_some())
                    .map(|l| (place(rule_of_line(l)), bullet(l.trim()).unwrap_or_default().to_owned()));
            }
            out += "</ul>";
        } else {
            let mut text = trimmed.to_owned();
            while let Some(more) = lines.next_if(|l| {
                let l = l.trim();
                !l.is_empty()
                    && l != RULE
                    && !l.starts_with(['#', '|'])
                    && !l.starts_with(FENCE)
                    && bullet(l).is_none()
            }) {
                join(&mut text, more);
            }
            out += &format!("<p>{}</p>", inline(&text, rules));
        }
    }
    out
}

/// Goes on with a line.
fn join(text: &mut String, more: &str) {
    text.push(' ');
    text.push_str(more.trim());
}

/// The cells of a row of a table.
fn cells(row: &str) -> impl Iterator<Item = &str> {
    row.trim_matches('|').split('|').map(str::trim)
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('|') && line.contains('-') && line.bytes().all(|b| b"|-: ".contains(&b))
}

fn bullet(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")) {
        return Some(rest);
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 { line[digits..].strip_prefix(". ") } else { None }
}

/// A text as it may stand in a page, between marks or in quotes.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            letter => out.push(letter),
        }
    }
    out
}

fn inline(text: &str, rules: &Rules) -> String {
    let mut out = String::new();
    let mut rest = text;
    let mut in_word = false;
    while let Some(c) = rest.chars().next() {
        let pair = |mark: &str| {
            let inner = rest.strip_prefix(mark)?;
            let end = inner.find(mark).filter(|&end| end > 0)?;
            Some((&inner[..end], &inner[end + mark.len()..]))
        };
        if let Some((code, after)) = pair("`") {
            out += &format!("<code>{}</code>", escape(code));
            rest = after;
        } else if let Some((strong, after)) = pair("**") {
            out += &format!("<strong>{}</strong>", inline(strong, rules));
            rest = after;
        } else if let Some((soft, after)) = pair("*").filter(|(soft, _)| !soft.starts_with(' ')) {
            out += &format!("<em>{}</em>", inline(soft, rules));
            rest = after;
        } else if let Some((label, target, after)) = link(rest) {
            out += &format!("<a href=\"{}\">{}</a>", escape(target), inline(label, &Rules::new()));
            rest = after;
        } else if let Some(id) = rule_id(rest).filter(|id| !in_word && rules.contains(id)) {
            out += &format!("<a href=\"#{id}\">{id}</a>");
            rest = &rest[id.len()..];
        } else {
            in_word = c.is_alphanumeric() || c == '-';
            out += &escape(&rest[..c.len_utf8()]);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// `[label](target)`, where the target is a page of ours or of the web. What a stranger wrote is looked through once: a
/// label ends at the next bracket, whichever it is, and so does a target.
fn link(text: &str) -> Option<(&str, &str, &str)> {
    let inner = text.strip_prefix('[')?;
    let (label, rest) = inner.split_at(inner.find(['[', ']'])?);
    let rest = rest.strip_prefix("](")?;
    let (target, after) = rest.split_at(rest.find(['[', '(', ')'])?);
    let after = after.strip_prefix(')')?;
    let safe = target.starts_with('/') || target.starts_with("https://") || target.starts_with('#');
    safe.then_some((label, target, after))
}

#[cfg(test)]
mod tests {
    use super::{book, html};
    use std::collections::BTreeSet;

    #[test]
    fn a_row_that_ends_early_is_filled() {
        let table = html("| a | b |\n| --- | --- |\n| 1 |\n| 2 | 3 | 4 |");
        assert!(
            table.contains("<tr><td>1</td><td></td></tr><tr><td>2</td><td>3</td><td>4</td></tr>"),
            "{table}"
        );
        // However wide its head is: a stranger's text is made no larger than that.
        let wide = format!("{}\n| - |\n{}", "|a".repeat(1_000), "| 1 |\n".repeat(1_000));
        assert!(html(&wide).len() < 100 * wide.len());
    }

    #[test]
    fn sheets_become_html_and_nothing_else_passes() {
        assert_eq!(html("one\n---\n\n---\n- --- two"), "<p>one</p><hr><hr><ul><li>--- two</li></ul>");
        assert_eq!(html("# A *b*\n\ntext\nmore"), "<h1>A <em>b</em></h1><p>text more</p>");
        assert_eq!(
            html("- one\n  goes on\n- `two`"),
            "<ul><li>one goes on</li><li><code>two</code></li></ul>"
        );
        assert_eq!(
            html("| a | b |\n|---|---|\n| 1 | **2** |"),
            "<div class=\"scroll\" tabindex=\"0\"><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><strong>2</strong></td></tr></table></div>"
        );
        assert_eq!(
            html("one\n```toml\n# *a*\n\n  <b\n```\n# B"),
            "<p>one</p><div class=\"scroll\" tabindex=\"0\"><pre><code># *a*\n\n  &lt;b</code></pre></div><h1>B</h1>"
        );
        assert_eq!(
            html("```\nnever ends"),
            "<div class=\"scroll\" tabindex=\"0\"><pre><code>never ends</code></pre></div>"
        );
        assert_eq!(html("<script>"), "<p>&lt;script&gt;</p>");
        assert_eq!(html("[x](javascript:alert)"), "<p>[x](javascript:alert)</p>");
        assert_eq!(html("2 * 3 * 4"), "<p>2 * 3 * 4</p>");
        assert_eq!(html("[a [x](/y)"), "<p>[a <a href=\"/y\">x</a></p>");
        assert_eq!(html("[a](/b[c](/d)"), "<p>[a](/b<a href=\"/d\">c</a></p>");
    }

    #[test]
    fn rules_are_found_by_their_ids_and_cited_with_links() {
        assert_eq!(
            book(
                "* **CR-1** One. RF-2, not RF-3\n  or XRF-2.\n* RF-2 two\n\n| RF-2 | again |\n| A-01 | `A-01` |"
            ),
            "<ul><li id=\"CR-1\"><strong><a href=\"#CR-1\">CR-1</a></strong> One. <a href=\"#RF-2\">RF-2</a>, not RF-3 or XRF-2.</li>\
             <li id=\"RF-2\"><a href=\"#RF-2\">RF-2</a> two</li></ul>\
             <div class=\"scroll\" tabindex=\"0\"><table><tr><td><a href=\"#RF-2\">RF-2</a></td><td>again</td></tr>\
             <tr id=\"A-01\"><td><a href=\"#A-01\">A-01</a></td><td><code>A-01</code></td></tr></table></div>"
        );
        assert_eq!(html("* CR-1 One"), "<ul><li>CR-1 One</li></ul>");
    }

    /// The ids in the source of a family: what stands there as a word in quotes.
    fn cited(family: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut open =
            vec![std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(family).join("src")];
        while let Some(path) = open.pop() {
            if path.is_dir() {
                open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
                continue;
            }
            let source = std::fs::read_to_string(path).unwrap();
            let words = source.split('"').filter(|word| crate::rule_id(word) == Some(word));
            found.extend(words.map(str::to_owned));
        }
        found
    }

    #[test]
    fn every_rule_that_is_cited_has_its_place_in_the_rulebook() {
        for (family, file) in [("contract", "rummy-family.md"), ("pattern", "set-family.md")] {
            let path = format!("{}/../../docs/rules/{file}", env!("CARGO_MANIFEST_DIR"));
            let page = book(&std::fs::read_to_string(path).unwrap());
            let cited = cited(family);
            assert!(cited.len() > 30, "{family} cites {} rules", cited.len());
            let lost: Vec<_> = cited.iter().filter(|id| !page.contains(&format!(" id=\"{id}\">"))).collect();
            assert!(lost.is_empty(), "{file} has no place for {lost:?}");
        }
    }

    #[test]
    fn what_never_ends_is_looked_through_once() {
        // Each of these took seconds, its length times itself.
        for part in
            ["[", "[a](", "[a](/", "`", "**", "* ", "*a", "_", "a\n", "- a\n  b\n", "|", "#", "1. ", "```\n"]
        {
            let text = part.repeat(300_000 / part.len());
            assert!(html(&text).len() < 20 * text.len(), "{part}");
        }
    }
}
