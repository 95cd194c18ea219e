//! The terminal itself: keys and presses of the mouse in, the room drawn on it, until the person leaves.

use crate::line::{Heard, Line};
use crate::room::Room;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, Event,
    KeyEventKind, MouseButton, MouseEventKind,
};
use ratatui::crossterm::execute;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// The longest that is waited for something to happen, in milliseconds.
const IDLE: f64 = 60_000.0;

/// How much may have happened and not been looked at: who tells more waits.
const WAITING: usize = 256;
/// How much of it is looked at before it is drawn.
const AT_ONCE: usize = 100;

/// Something that happened.
#[derive(Debug)]
pub enum Happened {
    /// The person did something, or the terminal changed.
    Input(Event),
    /// Something was heard of the table.
    Heard(Heard),
    /// The terminal is gone.
    Gone,
}

/// Plays at a table until the person leaves. `open` opens the way to the table, and is given what hears of it.
///
/// # Errors
/// If the terminal cannot be drawn on, or what `open` says.
pub fn play<E: From<io::Error>>(
    mut room: Room,
    open: impl FnOnce(Box<dyn FnMut(Heard) + Send>) -> Result<Line, E>,
) -> Result<Room, E> {
    let (tell, happened) = sync_channel(WAITING);
    let heard = tell.clone();
    let line = open(Box::new(move |what| _ = heard.send(Happened::Heard(what))))?;
    let mut terminal = ratatui::try_init()?;
    let _mouse = Mouse::caught();
    listen(tell);
    let ended = run(&mut terminal, &mut room, line, &happened);
    drop(_mouse);
    ratatui::try_restore()?;
    ended?;
    Ok(room)
}

/// Gives the terminal back when the program is told to end (SIGTERM), and ends it as such a signal does. All that was done at the table
/// is kept by then. Where there is no such signal, nothing is done.
///
/// # Errors
/// If nothing can listen for it.
pub fn give_back_when_told_to_end() -> io::Result<()> {
    #[cfg(unix)]
    {
        /// What a shell says of a program that SIGTERM ended.
        const ENDED: i32 = 128 + 15;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        std::thread::Builder::new().spawn(move || {
            runtime.block_on(async {
                use tokio::signal::unix::{SignalKind, signal};
                let Ok(mut told) = signal(SignalKind::terminate()) else { return };
                told.recv().await;
                drop(Mouse);
                let _ = ratatui::try_restore();
                std::process::exit(ENDED);
            });
        })?;
    }
    Ok(())
}

/// The mouse, and what is pasted, while they are this program's.
struct Mouse;

impl Mouse {
    fn caught() -> Mouse {
        // A terminal without one has keys.
        let _ = execute!(io::stdout(), EnableMouseCapture, EnableBracketedPaste);
        Mouse
    }
}

impl Drop for Mouse {
    fn drop(&mut self) {
        let _ = execute!(io::stdout(), DisableBracketedPaste, DisableMouseCapture);
    }
}

/// Reads what the person does, in a thread that ends with the program.
fn listen(tell: SyncSender<Happened>) {
    std::thread::spawn(move || {
        while let Ok(event) = event::read() {
            if tell.send(Happened::Input(event)).is_err() {
                return;
            }
        }
        let _ = tell.send(Happened::Gone);
    });
}

fn run(
    terminal: &mut ratatui::DefaultTerminal,
    room: &mut Room,
    line: Line,
    happened: &Receiver<Happened>,
) -> io::Result<()> {
    let since = Instant::now();
    let now = || since.elapsed().as_secs_f64() * 1000.0;
    let mut line = Some(line);
    while !room.is_left() {
        let wakes = room.tick(now());
        // A table that is closed for good is not asked for anything any more, nor gone to again.
        line = line.filter(|_| room.closed().is_none());
        room.orders().for_each(|order| line.iter().for_each(|line| line.send(order.clone())));
        terminal.draw(|frame| room.draw(frame, now()))?;
        let wait = wakes.map_or(IDLE, |at| (at - now()).clamp(0.0, IDLE));
        match happened.recv_timeout(Duration::from_secs_f64(wait / 1000.0)) {
            Ok(Happened::Gone) => return Ok(()),
            Ok(what) => take_in(room, what, now()),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        // What came at once is drawn at once.
        for what in happened.try_iter().take(AT_ONCE) {
            if matches!(what, Happened::Gone) {
                return Ok(());
            }
            take_in(room, what, now());
        }
    }
    Ok(())
}

fn take_in(room: &mut Room, what: Happened, now: f64) {
    match what {
        Happened::Heard(heard) => room.hear(heard, now),
        Happened::Input(Event::Key(key)) if key.kind != KeyEventKind::Release => room.press(key, now),
        Happened::Input(Event::Mouse(mouse)) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
            room.click(mouse.column, mouse.row, now);
        }
        Happened::Input(Event::Paste(text)) => room.paste(&text),
        Happened::Input(_) | Happened::Gone => {}
    }
}
