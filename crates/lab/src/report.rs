//! Reports: tables and plots on one self-contained page.

use crate::stats::Interval;
use plotters::prelude::*;
use rulebook::markdown::escape;
use std::fmt::Write;

/// A page with headed sections.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Heading of the page.
    pub title: String,
    /// The command that makes it again.
    pub command: String,
    /// What it shows, in order.
    pub sections: Vec<Section>,
    /// Of what the figures are: the program, the game, its players, who played.
    pub facts: Vec<(String, String)>,
    /// The rules that were played, as they are read.
    pub rules: String,
}

/// A heading with what stands below it.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The heading.
    pub heading: String,
    /// A sentence or two on what the figures mean.
    pub text: String,
    /// Figures.
    pub table: Option<Table>,
    /// A picture of them.
    pub plot: Option<Plot>,
}

/// Rows of cells; the first row is the head, the first column names the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Names of the columns.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns and no rows.
    #[must_use]
    pub fn new(head: &[&str]) -> Table {
        Table { head: head.iter().map(ToString::to_string).collect(), rows: Vec::new() }
    }

    /// For a terminal: the first column to the left, the others to the right.
    #[must_use]
    pub fn text(&self) -> String {
        let columns = self.head.len();
        let all = || std::iter::once(&self.head).chain(&self.rows);
        let width = |c: usize| all().filter_map(|r| r.get(c)).map(|t| t.chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for row in all() {
            let mut line = String::new();
            for (c, cell) in row.iter().enumerate() {
                let width = widths[c];
                let _ =
                    if c == 0 { write!(line, "{cell:<width$}") } else { write!(line, "  {cell:>width$}") };
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// As comma-separated values (RFC 4180).
    #[must_use]
    pub fn csv(&self) -> String {
        let cell = |text: &String| {
            if text.contains([',', '"', '\n']) {
                format!("\"{}\"", text.replace('"', "\"\""))
            } else {
                text.clone()
            }
        };
        let line = |row: &Vec<String>| row.iter().map(cell).collect::<Vec<_>>().join(",") + "\r\n";
        std::iter::once(&self.head).chain(&self.rows).map(line).collect()
    }

    fn html(&self) -> String {
        let row = |cells: &[String], tag: &str| {
            let cells: String = cells.iter().map(|c| format!("<{tag}>{}</{tag}>", escape(c))).collect();
            format!("<tr>{cells}</tr>")
        };
        let body: String = self.rows.iter().map(|r| row(r, "td")).collect();
        format!(
            "<div class=\"wide\" tabindex=\"0\"><table><thead>{}</thead><tbody>{body}</tbody></table></div>",
            row(&self.head, "th")
        )
    }
}

/// A plot with one value for each label.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// What the labels are.
    pub across: String,
    /// What the values are.
    pub up: String,
    /// The bars, from left to right.
    pub bars: Vec<Bar>,
}

/// One bar of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// What stands below it.
    pub label: String,
    /// How high it is.
    pub value: f64,
    /// Where the value is an estimate, its 95 % interval.
    pub interval: Option<Interval>,
}

impl Plot {
    /// As an SVG picture of 760 by 320.
    ///
    /// # Errors
    /// If the plot cannot be drawn (values that are no numbers).
    pub fn svg(&self) -> Result<String, String> {
        if self.bars.iter().any(|b| !b.value.is_finite()) {
            return Err(format!("{}: a value is no number", self.up));
        }
        let mut svg = String::new();
        self.draw(&mut svg).map_err(|e| e.to_string())?;
        Ok(svg)
    }

    fn draw(&self, svg: &mut String) -> Result<(), Box<dyn std::error::Error + '_>> {
        let top =
            self.bars.iter().map(|b| b.interval.map_or(b.value, |i| i.high.max(b.value))).fold(0.0, f64::max);
        let bottom =
            self.bars.iter().map(|b| b.interval.map_or(b.value, |i| i.low.min(b.value))).fold(0.0, f64::min);
        let (top, bottom) = if top == bottom { (1.0, 0.0) } else { (top * 1.05, bottom * 1.05) };
        let count = self.bars.len() as i32;
        let area = SVGBackend::with_string(svg, (760, 320)).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin(8)
            .x_label_area_size(44)
            .y_label_area_size(64)
            .build_cartesian_2d((0..count).into_segmented(), bottom..top)?;
        let label = |at: &SegmentValue<i32>| match at {
            SegmentValue::CenterOf(i) => {
                self.bars.get(*i as usize).map_or(String::new(), |b| b.label.clone())
            }
            _ => String::new(),
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(self.bars.len().min(30))
            .x_label_formatter(&label)
            .x_desc(self.across.as_str())
            .y_desc(self.up.as_str())
            .draw()?;
        let blue = RGBColor(0, 114, 178);
        chart.draw_series(self.bars.iter().enumerate().map(|(i, bar)| {
            let (left, right) = (SegmentValue::Exact(i as i32), SegmentValue::Exact(i as i32 + 1));
            let mut bar = Rectangle::new([(left, 0.0), (right, bar.value)], blue.mix(0.75).filled());
            bar.set_margin(0, 0, 3, 3);
            bar
        }))?;
        chart.draw_series(self.bars.iter().enumerate().filter_map(|(i, bar)| {
            let Interval { low, high } = bar.interval?;
            Some(ErrorBar::new_vertical(
                SegmentValue::CenterOf(i as i32),
                low,
                bar.value,
                high,
                BLACK.filled(),
                8,
            ))
        }))?;
        area.present()?;
        Ok(())
    }
}

impl Report {
    /// As one page that needs nothing else: no script, no font, no picture from elsewhere.
    ///
    /// # Errors
    /// If a plot cannot be drawn.
    pub fn html(&self) -> Result<String, String> {
        let mut page = format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
             content=\"width=device-width,initial-scale=1\"><title>{0}</title><style>{STYLE}</style></head><body><h1>{0}</h1>",
            escape(&self.title)
        );
        page.push_str("<dl>");
        for (what, value) in &self.facts {
            let _ = write!(page, "<dt>{}</dt><dd>{}</dd>", escape(what), escape(value));
        }
        page.push_str("</dl>");
        for section in &self.sections {
            let _ = write!(page, "<section><h2>{}</h2>", escape(&section.heading));
            if !section.text.is_empty() {
                let _ = write!(page, "<p>{}</p>", escape(&section.text));
            }
            if let Some(plot) = &section.plot {
                let svg = plot.svg()?;
                let label = escape(&format!("{} by {}", plot.up, plot.across));
                let _ = write!(
                    page,
                    "<figure class=\"wide\" tabindex=\"0\" role=\"img\" aria-label=\"{label}\">{svg}</figure>"
                );
            }
            if let Some(table) = &section.table {
                page.push_str(&table.html());
            }
            page.push_str("</section>");
        }
        if !self.rules.is_empty() {
            let _ = write!(
                page,
                "<details><summary>The rules</summary><pre>{}</pre></details>",
                escape(&self.rules)
            );
        }
        let _ = write!(page, "<footer><code>{}</code></footer></body></html>", escape(&self.command));
        Ok(page)
    }
}

/// Light and dark as the reader's device is; what is wider than a phone is moved sideways in its own frame.
const STYLE: &str = ":root{color-scheme:light dark;--ink:#1a1a1a;--paper:#fff;--line:#ddd;--soft:#555}\
@media(prefers-color-scheme:dark){:root{--ink:#e8e6e3;--paper:#16181c;--line:#3a3d42;--soft:#a9adb3}\
svg{filter:invert(.9) hue-rotate(180deg)}}\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:var(--ink);\
background:var(--paper);overflow-wrap:anywhere}h1{font-size:1.6rem;line-height:1.25}h2{font-size:1.25rem}\
.wide{overflow-x:auto;margin:1rem 0}table{border-collapse:collapse}th,td{padding:.25rem .75rem;text-align:right;\
border-bottom:1px solid var(--line);white-space:nowrap;font-variant-numeric:tabular-nums}\
th:first-child,td:first-child{text-align:left;position:sticky;left:0;background:var(--paper)}\
svg{display:block;min-width:34rem;max-width:100%;height:auto}dl{display:grid;grid-template-columns:auto 1fr;gap:.1rem 1rem}\
dt{color:var(--soft)}dd{margin:0}pre{white-space:pre-wrap;font-size:.85rem}summary{cursor:pointer;padding:.5rem 0}\
footer{margin-top:3rem;color:var(--soft)}";

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Report {
        let mut table = Table::new(&["left", "share"]);
        table.rows = vec![vec!["6, or so".into(), "46.8 %".into()], vec!["9".into(), "44.5 %".into()]];
        let bars = vec![
            Bar { label: "6".into(), value: 0.468, interval: Some(Interval { low: 0.46, high: 0.476 }) },
            Bar { label: "9".into(), value: 0.445, interval: None },
        ];
        Report {
            title: "Leftovers <of> set-classic".into(),
            command: "parlour sim set-classic --deals 10".into(),
            facts: vec![("Bots".into(), "easy/3 & co.".into())],
            rules: "# Set <classic>".into(),
            sections: vec![Section {
                heading: "Left".into(),
                text: "Cards at the end.".into(),
                table: Some(table),
                plot: Some(Plot { across: "cards left".into(), up: "share".into(), bars }),
            }],
        }
    }

    #[test]
    fn a_page_needs_nothing_else() {
        let page = sample().html().unwrap();
        assert!(
            page.contains("<dt>Bots</dt><dd>easy/3 &amp; co.</dd>") && page.contains("# Set &lt;classic&gt;")
        );
        assert!(page.contains("Leftovers &lt;of&gt;") && page.contains("<svg") && page.contains("46.8 %"));
        for outside in ["http://", "https://", "src=", "@import", "<script"] {
            assert!(!page.replace("http://www.w3.org/2000/svg", "").contains(outside), "{outside}");
        }
    }

    #[test]
    fn tables_as_text_and_csv() {
        let report = sample();
        let table = report.sections[0].table.as_ref().unwrap();
        assert_eq!(table.text(), "left       share\n6, or so  46.8 %\n9         44.5 %\n");
        assert_eq!(table.csv(), "left,share\r\n\"6, or so\",46.8 %\r\n9,44.5 %\r\n");
    }

    #[test]
    fn what_is_no_number_is_not_drawn() {
        let bar = |value| vec![Bar { label: "x".into(), value, interval: None }];
        let plot = Plot { across: "a".into(), up: "b".into(), bars: bar(f64::NAN) };
        assert!(plot.svg().is_err());
        assert!(Plot { bars: bar(0.0), ..plot }.svg().is_ok());
    }
}
