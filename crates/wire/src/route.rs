//! The pages of the browser app: the path of each, and which of the app's programs shows it. The server sends a path's page
//! with that program, so app and server read paths by the same code.

/// Which program of the browser app has a page. Each is loaded where it is needed, so that who only looks in, or plays one
/// family, loads no more than that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// What leads to a table: the lobby, a new table, the games of the day, one's own games and settings.
    Lobby,
    /// What is read and learnt: rules, house rules, the tutorial, odds.
    Library,
    /// What shows a match: one program for each family. Which one a path needs, the server knows.
    Match,
}

/// A page of the app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// Tables to join, a table to open.
    Lobby,
    /// Options for a new table of this game.
    New(String),
    /// A table, by its id; the invite link leads here.
    Table(String),
    /// The table of this device for a family (`contract`), which needs no server.
    Home(String),
    /// Takes one's seat on this device, by a link made on another.
    Device(String),
    /// Games this guest has played.
    Games,
    /// A finished game, move by move.
    Replay(String),
    /// The games and their rules.
    Rules,
    /// The rule sheet of a game.
    RuleSheet(String),
    /// The rulebook of a family, with every rule by its id, to which refusals lead.
    Rulebook(String),
    /// House rules: new ones if the code is empty, else those of a code.
    House(String),
    /// The games of today.
    Today,
    /// The games of another day, by its date.
    Day(String),
    /// Set, learnt step by step.
    Learn,
    /// A board to practise finding Sets on.
    Practice,
    /// How to play a family's games well, by its name.
    Strategy(String),
    /// Preferences.
    Settings,
    /// What this is.
    About,
    /// All artwork side by side.
    Gallery,
    /// A match inside the browser, to look at a game's screen with, for so many players.
    Demo(String, Option<u8>),
    /// The odds that some cards hold a Set.
    Odds,
    /// The mathematics of the cards, and the explorer of caps.
    Maths,
    /// What a layout or a hand of this game holds; of the first game if none is named.
    Solve(String),
    /// No page of ours.
    Nowhere,
}

impl Route {
    /// The page at a path.
    #[must_use]
    pub fn from_path(path: &str) -> Route {
        let parts: Vec<&str> = path.split('/').filter(|p| !p.is_empty()).collect();
        match parts.as_slice() {
            [] => Route::Lobby,
            ["new", game] => Route::New((*game).to_owned()),
            ["table", id] => Route::Table((*id).to_owned()),
            ["home", family] => Route::Home((*family).to_owned()),
            ["device", token] => Route::Device((*token).to_owned()),
            ["games"] => Route::Games,
            ["games", id] => Route::Replay((*id).to_owned()),
            ["rules"] => Route::Rules,
            ["rules", game] => Route::RuleSheet((*game).to_owned()),
            ["rulebook", family] => Route::Rulebook((*family).to_owned()),
            ["house"] => Route::House(String::new()),
            ["house", code] => Route::House((*code).to_owned()),
            ["today"] => Route::Today,
            ["today", date] => Route::Day((*date).to_owned()),
            ["learn"] => Route::Learn,
            ["practice"] => Route::Practice,
            ["strategy", family @ ("contract" | "pattern")] => Route::Strategy((*family).to_owned()),
            ["settings"] => Route::Settings,
            ["about"] => Route::About,
            ["gallery"] => Route::Gallery,
            ["gallery", game] => Route::Demo((*game).to_owned(), None),
            ["gallery", game, seats] if seats.parse::<u8>().is_ok() => {
                Route::Demo((*game).to_owned(), seats.parse().ok())
            }
            ["odds"] => Route::Odds,
            ["maths"] => Route::Maths,
            ["solve"] => Route::Solve(String::new()),
            ["solve", game] => Route::Solve((*game).to_owned()),
            _ => Route::Nowhere,
        }
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> String {
        match self {
            Route::Lobby | Route::Nowhere => "/".into(),
            Route::New(game) => format!("/new/{game}"),
            Route::Table(id) => format!("/table/{id}"),
            Route::Home(family) => format!("/home/{family}"),
            Route::Device(token) => format!("/device/{token}"),
            Route::Games => "/games".into(),
            Route::Replay(id) => format!("/games/{id}"),
            Route::Rules => "/rules".into(),
            Route::RuleSheet(game) => format!("/rules/{game}"),
            Route::Rulebook(family) => format!("/rulebook/{family}"),
            Route::House(code) if code.is_empty() => "/house".into(),
            Route::House(code) => format!("/house/{code}"),
            Route::Today => "/today".into(),
            Route::Day(date) => format!("/today/{date}"),
            Route::Learn => "/learn".into(),
            Route::Practice => "/practice".into(),
            Route::Strategy(family) => format!("/strategy/{family}"),
            Route::Settings => "/settings".into(),
            Route::About => "/about".into(),
            Route::Gallery => "/gallery".into(),
            Route::Demo(game, None) => format!("/gallery/{game}"),
            Route::Demo(game, Some(seats)) => format!("/gallery/{game}/{seats}"),
            Route::Odds => "/odds".into(),
            Route::Maths => "/maths".into(),
            Route::Solve(game) if game.is_empty() => "/solve".into(),
            Route::Solve(game) => format!("/solve/{game}"),
        }
    }
}

/// A part of a program that comes beside its first one, with pages that go together: its name as the program divides it off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Of the lobby's program: all pages but the lobby, by which most people come.
    Page,
    /// Of the library's: what is read, the rules and about the parlour.
    Read,
    /// Where house rules are written.
    Write,
    /// Where Set is learnt and practised, and how to play well.
    Learn,
    /// Odds, mathematics, solver.
    Reckon,
    /// Of that of a family: replays, demonstrations and what comes at the end of a match.
    Later,
    /// The same: the screens of matches that are not in its first part.
    Screen,
}

impl Part {
    /// All of them.
    pub const ALL: [Part; 7] =
        [Part::Page, Part::Read, Part::Write, Part::Learn, Part::Reckon, Part::Later, Part::Screen];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Part::Page => "page",
            Part::Read => "read",
            Part::Write => "write",
            Part::Learn => "learn",
            Part::Reckon => "reckon",
            Part::Later => "later",
            Part::Screen => "screen",
        }
    }
}

/// The file of the page of a program, which names what is loaded first; and this part, where it is shown at once.
#[must_use]
pub fn page(program: &str, part: Option<Part>) -> String {
    match part {
        Some(part) => format!("{program}-{}.html", part.name()),
        None => format!("{program}.html"),
    }
}

impl Route {
    /// The part of its program that has it; none where that is the first one, and where it depends on the match.
    #[must_use]
    pub fn part(&self) -> Option<Part> {
        match self {
            Route::Rules | Route::RuleSheet(_) | Route::Rulebook(_) | Route::About | Route::Gallery => {
                Some(Part::Read)
            }
            Route::House(_) => Some(Part::Write),
            Route::Learn | Route::Practice | Route::Strategy(_) => Some(Part::Learn),
            Route::Odds | Route::Maths | Route::Solve(_) => Some(Part::Reckon),
            Route::New(_)
            | Route::Device(_)
            | Route::Games
            | Route::Today
            | Route::Day(_)
            | Route::Settings => Some(Part::Page),
            Route::Replay(_) | Route::Demo(..) => Some(Part::Later),
            Route::Lobby | Route::Nowhere | Route::Table(_) | Route::Home(_) => None,
        }
    }

    /// The program that shows it.
    #[must_use]
    pub fn program(&self) -> Program {
        match self {
            Route::Table(_) | Route::Home(_) | Route::Replay(_) | Route::Demo(..) => Program::Match,
            Route::Rules
            | Route::RuleSheet(_)
            | Route::Rulebook(_)
            | Route::House(_)
            | Route::Learn
            | Route::Practice
            | Route::Strategy(_)
            | Route::About
            | Route::Gallery
            | Route::Odds
            | Route::Maths
            | Route::Solve(_) => Program::Library,
            Route::Lobby
            | Route::Device(_)
            | Route::New(_)
            | Route::Games
            | Route::Today
            | Route::Day(_)
            | Route::Settings
            | Route::Nowhere => Program::Lobby,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_round_trip() {
        for path in [
            "/",
            "/table/abc",
            "/home/contract",
            "/device/x",
            "/new/quick",
            "/games",
            "/games/7",
            "/rules",
            "/rules/contract",
            "/rulebook/contract",
            "/house",
            "/house/PARLOUR1-0123AB",
            "/today",
            "/today/2026-01-31",
            "/learn",
            "/practice",
            "/strategy/pattern",
            "/settings",
            "/about",
            "/gallery/contract",
            "/gallery/contract/8",
            "/odds",
            "/maths",
            "/solve",
            "/solve/may-i",
        ] {
            assert_eq!(Route::from_path(path).path(), path);
        }
        assert_eq!(Route::from_path("/table/abc/extra"), Route::Nowhere);
        assert_eq!(Route::from_path("/strategy/chess"), Route::Nowhere);
    }

    #[test]
    fn who_looks_in_loads_no_table_and_who_plays_no_library() {
        let programs = |paths: &[&str], program: Program| {
            for path in paths {
                assert_eq!(Route::from_path(path).program(), program, "{path}");
            }
        };
        programs(
            &["/", "/new/quick", "/today", "/games", "/settings", "/nowhere", "/table/"],
            Program::Lobby,
        );
        programs(
            &["/rules", "/rules/quick", "/rulebook/contract", "/house/x", "/learn", "/gallery", "/maths"],
            Program::Library,
        );
        programs(
            &["/table/x", "/home/pattern", "/games/x", "/gallery/quick", "/gallery/quick/3"],
            Program::Match,
        );
    }
}
