//! `parlour play`: a table in the terminal.

use super::choice;
use anyhow::{Context, Result, bail};
use home::Wanted;
use rulebook::Loaded;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use terminal::far::{Fault, Place, Server, is_address, plain};
use terminal::{Chosen, HomeTable, Invite, Kept, Line, Opening, Person, Room, Trouble};
use wire::api::{GameChoice, NewTable, TableSummary};
use words::{Speaker, spoken};

/// Play in the terminal: against bots on this machine, or with others at the table of a server.
///
/// Without a game it offers the one that was left last, and all the others. A match is kept as it is played, and goes on where it was.
#[derive(clap::Args)]
pub struct Args {
    /// A game (`contract`, `set-classic`; `parlour rules list` has them all), a rule file, the link of a table, a link that takes your
    /// seat along from another device, or the address of a server.
    #[arg(value_name = "GAME|FILE|LINK")]
    what: Option<String>,
    /// Open a table of GAME at this server, for others to come to.
    #[arg(long, value_name = "ADDRESS")]
    at: Option<String>,
    /// Seats of the table, bots among them. Unless said, one for each bot that is named and for you, else four at cards and three at
    /// Set, as far as the game is for so many.
    #[arg(long, value_name = "N")]
    seats: Option<u8>,
    /// Which bot sits in the seats after the first: by name, or as a level from 0 to 100; several for one after another, and then again
    /// from the first. At a server only those named sit down, and the other seats are free.
    #[arg(long, value_name = "BOT", value_delimiter = ',')]
    bot: Vec<String>,
    /// How many percent of their time the bots take; not at a server.
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=300))]
    pace: u32,
    /// An option of the table, as in rule files: NAME=VALUE. May be given several times.
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Your name. Unless said, the name of your account on this machine; at a server, the one you have there.
    #[arg(long)]
    name: Option<String>,
    /// Language. Unless said, that of the terminal.
    #[arg(long, value_name = "LANGUAGE", value_parser = clap::builder::PossibleValuesParser::new(words::spoken_codes()))]
    language: Option<String>,
    /// Keyboard, whose letters pick the cards of a layout. Unless said, that of the language.
    #[arg(long, value_enum)]
    keys: Option<Keys>,
    /// Folder in which matches are kept.
    #[arg(long, env = "PARLOUR_PLAY_DATA", value_name = "FOLDER", default_value_os_t = folder())]
    data: PathBuf,
}

/// Keyboards.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Keys {
    Qwerty,
    Azerty,
    Qwertz,
    Dvorak,
}

impl Keys {
    fn letters(self) -> screen::keys::Letters {
        use screen::keys::Letters;
        match self {
            Keys::Qwerty => Letters::qwerty(),
            Keys::Azerty => Letters::azerty(),
            Keys::Qwertz => Letters::qwertz(),
            Keys::Dvorak => Letters::dvorak(),
        }
    }
}

fn folder() -> PathBuf {
    server::default_data().join("play")
}

/// Plays.
pub fn run(args: &Args) -> Result<ExitCode> {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        bail!(
            "`parlour play` needs a terminal to play in; for what other programs read there are `parlour scenario` and `parlour sim`"
        );
    }
    terminal::give_back_when_told_to_end()?;
    let tongue = spoken(&args.language.clone().unwrap_or_else(locale));
    let letters = args.keys.map_or_else(|| screen::keys::Letters::usual(tongue.code()), Keys::letters);
    let person = Person { tongue, letters };
    let room = table(args, person).map_err(|error| match error.downcast::<Fault>() {
        Ok(fault) => anyhow::anyhow!("{}", fault.told(tongue)),
        Err(other) => other,
    })?;
    Ok(room.map_or(ExitCode::SUCCESS, |room| ExitCode::from(u8::from(room.closed().is_some()))))
}

/// Plays at the table that was asked for; nothing if there was none to play at.
fn table(args: &Args, person: Person) -> Result<Option<Room>> {
    Ok(match (&args.what, &args.at) {
        (Some(what), None) if is_address(what) => {
            if args.seats.is_some() || !args.bot.is_empty() || !args.options.is_empty() {
                bail!(
                    "--seats, --bot and --option are for a table of your own: the one at {what} is there already"
                );
            }
            at_server(args, person, what)?
        }
        (Some(what), Some(_)) if is_address(what) => {
            bail!("--at {what}: a link has its server already; name a game")
        }
        (Some(game), Some(address)) => open_at_server(args, person, game, address)?,
        (None, Some(address)) => {
            bail!("--at {address}: say which game, such as `parlour play contract --at {address}`")
        }
        (what, None) => at_home(args, person, what.as_deref())?,
    })
}

/// The language of the terminal, as systems name it.
fn locale() -> String {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|text| !text.is_empty()));
    let list = std::env::var("LANGUAGE").ok().filter(|text| !text.is_empty());
    list.or(set).unwrap_or_default()
}

/// What somebody is called who has not said it.
fn account() -> String {
    let name = ["USER", "USERNAME", "LOGNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| "Player".to_owned())
}

/// The name that was given, if it can be one.
fn named(args: &Args) -> Result<Option<String>> {
    let name = args.name.as_deref().map(|wish| names::name(wish, wire::api::NAME_MOST));
    name.transpose().map_err(|wrong| anyhow::anyhow!("--name: a name {wrong}"))
}

/// A name of the length that names have.
fn short(name: &str) -> String {
    name.trim().chars().take(wire::api::NAME_MOST).collect()
}

/// Plays against bots on this machine; nothing if the person chose no game.
fn at_home(args: &Args, person: Person, what: Option<&str>) -> Result<Option<Room>> {
    let kept = Kept::open(&args.data).map_err(|trouble| match trouble {
        taken @ Trouble::Taken(_) => anyhow::anyhow!("{taken}"),
        other => anyhow::anyhow!("what was kept cannot be used: {other}"),
    })?;
    let opening = match what {
        Some(what) => Opening::New(Box::new(wanted(args, what)?)),
        None => match terminal::choose(person.tongue, left(&kept, person.tongue).as_deref())? {
            None => return Ok(None),
            Some(Chosen::GoOn) => Opening::Kept,
            Some(Chosen::Game(game)) => Opening::New(Box::new(wanted(args, &game)?)),
        },
    };
    let room = room(person, true, None)?;
    let open = move |tell| Ok::<Line, anyhow::Error>(HomeTable::open(kept, opening, tell));
    terminal::play(room, open).map(Some)
}

/// What is played at the table that was left, if there is one.
fn left(kept: &Kept, tongue: &Speaker) -> Option<String> {
    let wanted = home::wanted_of(kept.table().0)?;
    let game = wanted.table.game.load(&wanted.table.options).ok()?.ok()?;
    Some(screen::tell(tongue, &game.name_to_say()).unwrap_or(game.info.name))
}

/// The table that was asked for.
fn wanted(args: &Args, what: &str) -> Result<Wanted> {
    let (choice, game, options) = choice::of(what, &args.options)?;
    let table = new_table(args, &choice, &game, options, true)?;
    let name = named(args)?.unwrap_or_else(|| short(&account()));
    Ok(Wanted { table, name, day: None, pace: Some(args.pace) })
}

/// A table of a game. Bots fill the seats after the first where `filled`.
fn new_table(
    args: &Args,
    choice: &GameChoice,
    game: &Loaded,
    options: serde_json::Map<String, serde_json::Value>,
    filled: bool,
) -> Result<NewTable> {
    let (least, most) = (game.info.players_min, game.info.players_max);
    // Who names several bots wants them all.
    let named = u8::try_from(args.bot.len()).unwrap_or(u8::MAX).saturating_add(1);
    let offered = if named > 2 { named.clamp(least.max(1), most) } else { game.info.offered_seats() };
    let seats = args.seats.unwrap_or(offered);
    if !(least..=most).contains(&seats) {
        let name = &game.info.name;
        if least == most {
            bail!("--seats {seats}: {name} is for {least}");
        }
        bail!("--seats {seats}: {name} is for {least} to {most}");
    }
    let rules = game.rules(seats).map_err(|faults| anyhow::anyhow!("{faults}"))?;
    let mut bots = Vec::new();
    let others = usize::from(seats) - 1;
    if filled || !args.bot.is_empty() {
        let usual = [super::bots::usual(rules.family()).to_owned()];
        let kinds = if args.bot.is_empty() { &usual[..] } else { &args.bot[..] };
        let count = if filled { others } else { args.bot.len().min(others) };
        bots = kinds.iter().map(|kind| bots::present_name(kind).to_owned()).cycle().take(count).collect();
        for kind in &bots {
            super::bots::bot(kind, &rules).with_context(|| format!("--bot {kind}"))?;
        }
    }
    Ok(NewTable { options, ..NewTable::private(choice.clone(), seats, bots) })
}

/// Goes to a table of a server; where the address names none, tells which there are.
fn at_server(args: &Args, person: Person, address: &str) -> Result<Option<Room>> {
    let (mut server, place) = Server::at(address, &args.data)?;
    let table = match place {
        Place::Lobby => {
            tell_lobby(&mut server, person.tongue)?;
            return Ok(None);
        }
        Place::Table(table) => {
            come(args, &mut server)?;
            table
        }
        Place::Seat(token) => server.take_seat(&token)?,
    };
    let summary = server.table(&table)?;
    join(person, server, summary).map(Some)
}

/// Opens a table at a server, and goes there.
fn open_at_server(args: &Args, person: Person, what: &str, address: &str) -> Result<Option<Room>> {
    let (mut server, _) = Server::at(address, &args.data)?;
    let (choice, game, options) = choice::of(what, &args.options)?;
    let table = new_table(args, &choice, &game, options, false)?;
    come(args, &mut server)?;
    let made = server.open(&table)?;
    let summary = server.table(&made.id)?;
    join(person, server, summary).map(Some)
}

/// Makes oneself known at a server: by the name given, or else, where one has none there yet, by that of the account.
fn come(args: &Args, server: &mut Server) -> Result<()> {
    match named(args)? {
        Some(name) => server.come(&name)?,
        None if server.me()?.name.is_some() => {}
        None => server.come(&short(&account()))?,
    }
    Ok(())
}

fn join(person: Person, server: Server, summary: TableSummary) -> Result<Room> {
    let link = server.invite(&summary.id);
    let code = server::qr::terminal(&link);
    let room = room(person, false, Some(Invite { link: link.clone(), code, replays: server.replay("") }))?;
    let room = terminal::play(room, |tell| server.join(summary, tell).map_err(anyhow::Error::from))?;
    match room.closed() {
        Some(why) if !why.is_empty() => eprintln!("parlour: {}", plain(why)),
        Some(_) => {}
        // Whoever left comes back by it.
        None => outln!("parlour play {link}"),
    }
    Ok(room)
}

/// Tells which tables there are at a server, and how to come to one.
fn tell_lobby(server: &mut Server, tongue: &Speaker) -> Result<()> {
    let lobby = server.lobby()?;
    if lobby.tables.is_empty() {
        outln!("No table is open to everybody there. `parlour play GAME --at ADDRESS` opens one.");
        return Ok(());
    }
    outln!("Tables that everybody may come to; `parlour play LINK` goes there:");
    for table in lobby.tables {
        let title = table.say.as_ref().and_then(|say| screen::tell(tongue, say)).unwrap_or(table.title);
        let taken = table.seats.iter().flatten().count();
        let link = plain(&server.invite(&table.id));
        outln!("  {link}  {}, {taken} of {} seats taken", plain(&title), table.seats.len());
    }
    Ok(())
}

fn room(person: Person, at_home: bool, invite: Option<Invite>) -> Result<Room> {
    let (mut number, mut secret) = ([0; 4], [0; 32]);
    getrandom::fill(&mut number)
        .and_then(|()| getrandom::fill(&mut secret))
        .context("the system gives no random bytes")?;
    Ok(Room::new(person, u32::from_le_bytes(number), secret, at_home, invite))
}
