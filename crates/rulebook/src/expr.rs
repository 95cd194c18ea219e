//! Numbers that depend on the table: expressions over the number of players `n` and of packs `d` (contract rulebook, 4.1).
//!
//! They come from strangers: their length, depth and number of steps are bounded, so that reading, reckoning and dropping
//! one takes little stack and little time.

use game::{Say, say};

/// Letters of an expression at most.
const MOST_LETTERS: usize = 100;
/// Brackets, divisions and signs within one another at most.
const MOST_DEPTH: usize = 16;

/// A number, or how to reckon it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expr {
    Number(i64),
    Players,
    Packs,
    Add(Box<[Expr; 2]>),
    Sub(Box<[Expr; 2]>),
    Mul(Box<[Expr; 2]>),
    Ceil(Box<[Expr; 2]>),
    Floor(Box<[Expr; 2]>),
    /// `[{ upto = 5, is = 2 }, ..]`: the first step that reaches the number of players.
    Steps(Vec<(i64, Expr)>),
}

impl Expr {
    /// Reads an expression.
    ///
    /// # Errors
    /// What is wrong.
    pub fn parse(text: &str) -> Result<Expr, Say> {
        let letters = text.chars().count();
        if letters > MOST_LETTERS {
            return Err(say!("fault.long_expression", n = letters, most = MOST_LETTERS));
        }
        let mut parser = Parser { text, rest: text, depth: 0 };
        let expr = parser.sum()?;
        parser.blank();
        if parser.rest.is_empty() { Ok(expr) } else { Err(parser.wrong()) }
    }

    /// What it comes to; none where a list of steps says nothing about so many players, or a division by 0 arises.
    pub fn value(&self, n: i64, d: i64) -> Option<i64> {
        let both = |pair: &[Expr; 2]| Some((pair[0].value(n, d)?, pair[1].value(n, d)?));
        match self {
            Expr::Number(number) => Some(*number),
            Expr::Players => Some(n),
            Expr::Packs => Some(d),
            Expr::Add(pair) => both(pair).and_then(|(a, b)| a.checked_add(b)),
            Expr::Sub(pair) => both(pair).and_then(|(a, b)| a.checked_sub(b)),
            Expr::Mul(pair) => both(pair).and_then(|(a, b)| a.checked_mul(b)),
            Expr::Floor(pair) => both(pair).filter(|&(_, b)| b > 0).map(|(a, b)| a.div_euclid(b)),
            Expr::Ceil(pair) => both(pair)
                .filter(|&(_, b)| b > 0)
                .and_then(|(a, b)| a.checked_neg()?.div_euclid(b).checked_neg()),
            Expr::Steps(steps) => {
                steps.iter().find(|(upto, _)| n <= *upto).and_then(|(_, is)| is.value(n, d))
            }
        }
    }

    /// Whether the number of packs is in it.
    pub fn has_packs(&self) -> bool {
        match self {
            Expr::Number(_) | Expr::Players => false,
            Expr::Packs => true,
            Expr::Add(p) | Expr::Sub(p) | Expr::Mul(p) | Expr::Ceil(p) | Expr::Floor(p) => {
                p.iter().any(Expr::has_packs)
            }
            Expr::Steps(steps) => steps.iter().any(|(_, is)| is.has_packs()),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
    depth: usize,
}

impl Parser<'_> {
    fn wrong(&self) -> Say {
        say!("fault.no_expression", text = self.text.to_owned())
    }

    fn blank(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, token: &str) -> bool {
        self.blank();
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn sum(&mut self) -> Result<Expr, Say> {
        let mut left = self.product()?;
        loop {
            left = if self.take("+") {
                Expr::Add(Box::new([left, self.product()?]))
            } else if self.take("-") {
                Expr::Sub(Box::new([left, self.product()?]))
            } else {
                return Ok(left);
            };
        }
    }

    fn product(&mut self) -> Result<Expr, Say> {
        let mut left = self.factor()?;
        while self.take("*") {
            left = Expr::Mul(Box::new([left, self.factor()?]));
        }
        Ok(left)
    }

    fn factor(&mut self) -> Result<Expr, Say> {
        if self.depth == MOST_DEPTH {
            return Err(say!("fault.deep_expression", text = self.text.to_owned(), n = MOST_DEPTH));
        }
        self.depth += 1;
        let factor = self.shallow_factor();
        self.depth -= 1;
        factor
    }

    fn shallow_factor(&mut self) -> Result<Expr, Say> {
        type Division = fn(Box<[Expr; 2]>) -> Expr;
        for (word, make) in [("ceil", Expr::Ceil as Division), ("floor", Expr::Floor as Division)] {
            if self.take(word) {
                if !self.take("(") {
                    return Err(self.wrong());
                }
                let above = self.sum()?;
                if !self.take("/") {
                    return Err(self.wrong());
                }
                let below = self.sum()?;
                return if self.take(")") { Ok(make(Box::new([above, below]))) } else { Err(self.wrong()) };
            }
        }
        if self.take("(") {
            let inner = self.sum()?;
            return if self.take(")") { Ok(inner) } else { Err(self.wrong()) };
        }
        if self.take("n") {
            return Ok(Expr::Players);
        }
        if self.take("d") {
            return Ok(Expr::Packs);
        }
        if self.take("-") {
            return Ok(Expr::Sub(Box::new([Expr::Number(0), self.factor()?])));
        }
        let digits = self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number = self.rest[..digits].parse().map_err(|_| self.wrong())?;
        self.rest = &self.rest[digits..];
        Ok(Expr::Number(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_reckoned() {
        let check = |text: &str, n, d, value| {
            assert_eq!(Expr::parse(text).map(|e| e.value(n, d)), Ok(value), "{text} with n = {n}, d = {d}");
        };
        check("2", 5, 2, Some(2));
        check("n-1", 5, 2, Some(4));
        check("2*d", 5, 3, Some(6));
        check("ceil(n/2)", 5, 0, Some(3));
        check("ceil(n/2)", 6, 0, Some(3));
        check("floor(n/2)", 5, 0, Some(2));
        check(" n + 2 * d - 1 ", 4, 3, Some(9));
        check("7 - n - 1", 4, 0, Some(2));
        check("(n+1)*2", 3, 0, Some(8));
        check("-1", 3, 0, Some(-1));
        check("ceil(n/0)", 3, 0, None);
        check("ceil((0-9223372036854775807-1)/1)", 3, 0, None);
        check("9223372036854775807*2", 3, 0, None);
    }

    #[test]
    fn length_and_depth_are_bounded() {
        let check = |text: String, word: &str| match Expr::parse(&text) {
            Ok(_) => assert_eq!(word, "", "{text}"),
            Err(why) => {
                let why = why.to_string();
                assert!(!word.is_empty() && why.contains(word) && why.len() < 300, "{why}");
            }
        };
        let nested = |n: usize| format!("{}1{}", "(".repeat(n), ")".repeat(n));
        check(nested(MOST_DEPTH - 1), "");
        check(nested(MOST_DEPTH), "deep");
        check("-".repeat(MOST_DEPTH - 1) + "1", "");
        check("-".repeat(MOST_DEPTH) + "1", "deep");
        check("ceil(".repeat(MOST_DEPTH), "deep");
        check("1+".repeat(49) + "1", "");
        check("1*".repeat(50) + "1", "101 letters");
        // What once used up the stack.
        for text in ["(", "-", "ceil(", "n*", "1-(", "0"] {
            check(text.repeat(20_000), "letters");
        }
    }

    #[test]
    fn what_cannot_be_reckoned_is_named() {
        for text in ["", "n/2", "ceil(n)", "ceil(n/2", "x", "n n", "1.5", "floor n/2", "99999999999999999999"]
        {
            assert!(Expr::parse(text).unwrap_err().to_string().contains(&format!("`{text}`")), "{text}");
        }
    }
}
