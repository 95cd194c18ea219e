//! Who sits at a table where nobody races: seats, scores, deals, coming and going. Memory, setup and the puzzle share it.

use super::presence::{Change, Held, Place};
use crate::rules::{Deals, Rules, Tiebreak};
use cards::Point;
use game::{Draw, Millis, Need, Objections, Outcome, Presence, Refusal, Say, Seat, SeatSet, Status, say};
use serde::{Deserialize, Serialize};

/// Where a match stands, as far as its deals go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "MatchStage")]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Chance is to name the first dealer.
    Choosing,
    /// The deck is being shuffled.
    Shuffling,
    /// A deal is played.
    Playing,
    /// A deal is over and the next has not begun.
    Between,
    /// The match has ended.
    Over,
}

/// Why a deal ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "DealEnded")]
#[serde(rename_all = "snake_case")]
pub enum DealEnd {
    /// It was played to its end: no Set is left (MEM-8), all cards are played (SETUP-10), all Sets are found (DAILY-1).
    Finished,
    /// Too many turns in a row ran out.
    TimedOut,
    /// The player gave up.
    GaveUp,
    /// Too few players are left (LEAVE-6).
    TooFew,
    /// Nobody acted for long.
    Abandoned,
}

/// What everybody knows of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "SeatMember")]
pub struct Member {
    /// Whether somebody holds it.
    pub held: Held,
    /// Score of the match so far.
    pub score: i32,
    /// What this deal has changed of it.
    pub points: i32,
    /// Cards taken in this deal, as score or as penalty, in order.
    pub taken: Vec<Point>,
}

/// Everybody at the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "Company")]
pub struct Roster {
    /// The seats.
    pub players: Vec<Member>,
    /// Where the match stands.
    pub stage: Stage,
    /// Number of the deal, from 1; between deals already the next one's.
    pub deal: u16,
    /// Who deals it.
    pub dealer: Seat,
    /// Who has dealt so far.
    pub dealt: SeatSet,
    /// When a seat acted last.
    pub acted_at: Millis,
    /// Retired players who are there again and come in with the next deal (LEAVE-7).
    pub returning: SeatSet,
    /// Between deals: who is ready.
    pub ready: SeatSet,
    /// Between deals: when the next begins by itself.
    pub next_at: Option<Millis>,
    /// How the last deal ended.
    pub deal_end: Option<DealEnd>,
    /// How the match ended.
    pub outcome: Option<Outcome>,
}

/// Something that happened to the table rather than to the cards. Everybody learns it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "TableHappening")]
#[serde(rename_all = "snake_case")]
pub enum Happening {
    /// Chance named the first dealer.
    FirstDealer(Seat),
    /// A connection was lost (LEAVE-1).
    Away {
        /// When.
        at: Millis,
        /// Whose.
        seat: Seat,
    },
    /// A player is back.
    Back {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
    },
    /// A seat was retired (LEAVE-2).
    Retired {
        /// When.
        at: Millis,
        /// Which.
        seat: Seat,
    },
    /// A retired seat was taken (LEAVE-7).
    Joined {
        /// When.
        at: Millis,
        /// Which.
        seat: Seat,
        /// Whether by the player who had left, who keeps the score.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        again: bool,
    },
    /// A retired player is there again and comes in with the next deal, or is gone again before it (LEAVE-7).
    Returning {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
        /// Whether the player is there.
        here: bool,
    },
    /// A deal is over.
    DealOver {
        /// When.
        at: Millis,
        /// Why.
        why: DealEnd,
    },
    /// The next deal is waited for.
    Next {
        /// Its number.
        deal: u16,
        /// Who deals.
        dealer: Seat,
        /// When it begins by itself.
        until: Millis,
    },
    /// A seat is ready for it.
    Ready {
        /// When.
        at: Millis,
        /// Who.
        seat: Seat,
    },
    /// The next deal begins: the deck is to be shuffled.
    Begun,
    /// The match has ended.
    Ended {
        /// When.
        at: Millis,
        /// How.
        outcome: Outcome,
    },
}

/// What wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Best {
    Highest,
    Lowest,
}

/// Why an alarm rings that any of these games may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cause {
    /// A seat's grace is over (LEAVE-2).
    Grace(Seat),
    /// The next deal begins by itself.
    Next,
    /// Nobody acts any more.
    Abandon,
}

impl Cause {
    /// Tells the alarms of a game apart that has two of its own, 0 and 1.
    pub(crate) fn kind(self) -> u32 {
        match self {
            Cause::Next => 2,
            Cause::Abandon => 3,
            Cause::Grace(seat) => 4 + u32::from(seat.0),
        }
    }
}

impl Stage {
    /// Its name in notation; `playing` is that of a deal that is played.
    pub(crate) fn phase(self, playing: &'static str) -> &'static str {
        match self {
            Stage::Choosing | Stage::Shuffling => "dealing",
            Stage::Between => "between",
            Stage::Playing => playing,
            Stage::Over => "over",
        }
    }
}

impl Roster {
    pub(crate) fn new(seats: u8) -> Roster {
        let member = Member { held: Held::Here, score: 0, points: 0, taken: Vec::new() };
        Roster {
            players: vec![member; usize::from(seats)],
            stage: if seats > 1 { Stage::Choosing } else { Stage::Shuffling },
            deal: 1,
            dealer: Seat(0),
            dealt: SeatSet::NONE,
            acted_at: Millis(0),
            returning: SeatSet::NONE,
            ready: SeatSet::NONE,
            next_at: None,
            deal_end: None,
            outcome: None,
        }
    }

    /// Number of seats.
    #[must_use]
    pub fn seats(&self) -> u8 {
        self.players.len() as u8
    }

    /// What is known of a seat.
    #[must_use]
    pub fn member(&self, seat: Seat) -> Option<&Member> {
        self.players.get(seat.index())
    }

    /// Whether a seat is out of the match, or not there at all.
    #[must_use]
    pub fn retired(&self, seat: Seat) -> bool {
        self.member(seat).is_none_or(|member| member.held == Held::Retired)
    }

    /// The seats that are still in the match.
    #[must_use]
    pub fn remaining(&self) -> SeatSet {
        (0..self.seats()).map(Seat).filter(|&seat| !self.retired(seat)).collect()
    }

    /// The seats whose consent is needed at `at` (LEAVE-1, Q-15).
    #[must_use]
    pub fn needed(&self, at: Millis) -> SeatSet {
        let players = self.players.iter().enumerate();
        players.filter(|(_, member)| member.held.needed(at)).map(|(i, _)| Seat(i as u8)).collect()
    }

    /// When each player who is away stops being needed (LEAVE-1).
    pub(crate) fn long_away(&self) -> impl Iterator<Item = Millis> {
        self.players.iter().filter_map(|member| member.held.unneeded_from())
    }

    /// The next seat in the match after `seat`, clockwise; `seat` itself if there is no other.
    #[must_use]
    pub fn after(&self, seat: Seat) -> Seat {
        let seats = self.seats();
        seat.step(1, seats).around(seats).find(|&s| !self.retired(s)).unwrap_or(seat)
    }

    /// Where the match waits for something that is not the game's own.
    pub(crate) fn status(&self, cards: u16, nth: u16) -> Option<Status> {
        match self.stage {
            Stage::Choosing => Some(Status::Chance(Need::Dealer { seats: self.seats() })),
            Stage::Shuffling => Some(Status::Chance(Need::Shuffle { deal: self.deal, nth, cards })),
            Stage::Playing => None,
            Stage::Between => Some(Status::Seats(self.unready())),
            Stage::Over => self.outcome.clone().map(Status::Over),
        }
    }

    /// Between deals: the seats that are waited for.
    pub(crate) fn unready(&self) -> SeatSet {
        self.here().minus(self.ready)
    }

    /// The seats whose players are connected.
    pub(crate) fn here(&self) -> SeatSet {
        let here = |seat: &Seat| self.players[seat.index()].held == Held::Here;
        (0..self.seats()).map(Seat).filter(here).collect()
    }

    /// The alarms that any of these games may set.
    pub(crate) fn alarms(&self, rules: &Rules) -> impl Iterator<Item = (Millis, Cause)> {
        let running = matches!(self.stage, Stage::Playing | Stage::Between);
        let grace = self.players.iter().enumerate().filter_map(move |(i, member)| {
            let due = member.held.grace_ends(rules).filter(|_| running)?;
            Some((due, Cause::Grace(Seat(i as u8))))
        });
        let next = self.next_at.filter(|_| self.stage == Stage::Between).map(|at| (at, Cause::Next));
        let abandon = (running && rules.abandon_s > 0)
            .then(|| (self.acted_at.after(u32::from(rules.abandon_s) * 1000), Cause::Abandon));
        grace.chain(next).chain(abandon)
    }

    /// A deal begins. The first is when all have come; those that follow by themselves show of nobody that they are there.
    pub(crate) fn dealt_at(&mut self, at: Millis) {
        self.stage = Stage::Playing;
        if self.deal == 1 {
            self.acted_at = at;
        }
    }

    /// The seat that chance names as dealer.
    pub(crate) fn first_dealer(&self, draw: &Draw) -> Option<Happening> {
        match draw {
            Draw::Pick(seat) if *seat < u16::from(self.seats()) => {
                Some(Happening::FirstDealer(Seat(*seat as u8)))
            }
            _ => None,
        }
    }

    /// Judges a coming or going.
    pub(crate) fn presence(
        &self,
        rules: &Rules,
        at: Millis,
        seat: Seat,
        presence: Presence,
    ) -> Result<Happening, Refusal> {
        let Some(member) = self.member(seat) else { return Err(say!("no.seat", n = seat).into()) };
        if self.stage == Stage::Over {
            return Err(Refusal::new(&["CORE-3"], say!("no.over")));
        }
        let returning = self.returning.has(seat);
        let place = Place { held: member.held, returning, dealt: self.stage == Stage::Playing };
        Ok(match place.change(rules, presence)? {
            Change::Away => Happening::Away { at, seat },
            Change::Back => Happening::Back { at, seat },
            Change::Retired => Happening::Retired { at, seat },
            Change::Returning(here) => Happening::Returning { at, seat, here },
            Change::Joined { again } => Happening::Joined { at, seat, again },
        })
    }

    /// Refuses a `ready` that is not waited for.
    pub(crate) fn may_be_ready(&self, no: &mut Objections, seat: Seat) {
        no.when(self.stage != Stage::Between, &["Q-26"], || say!("no_pattern.deal_on"));
        no.when(self.ready.has(seat), &["Q-26"], || say!("no_pattern.said_already"));
    }

    /// What keeps a seat from every act: its player is not at the table, or the match is over. `ending` is the rule that says
    /// how this game ends.
    pub(crate) fn may_act(
        &self,
        rules: &Rules,
        seat: Seat,
        ending: &'static str,
    ) -> Result<Objections, Refusal> {
        let Some(member) = self.member(seat) else {
            return Err(Refusal::new(&["Q-15"], say!("no.seat", n = seat)));
        };
        let mut no = Objections::new();
        no.when(member.held == Held::Retired, &["LEAVE-2", "Q-15"], || say!("no.out"));
        let away = matches!(member.held, Held::Away { .. });
        no.when(away, &["LEAVE-1", "Q-15"], || say!("no_pattern.away"));
        if self.stage == Stage::Over {
            let ended: &[&str] = match self.deal_end {
                _ if self.too_few(rules) => &["LEAVE-6", "Q-06"],
                Some(DealEnd::TimedOut) => &["MEM-6", "Q-19"],
                Some(DealEnd::GaveUp) => &["Q-25", "SOLO-7"],
                Some(DealEnd::Abandoned) => &["Q-20"],
                Some(DealEnd::Finished | DealEnd::TooFew) | None => &[],
            };
            no.object(&[&[ending, "CORE-3"], ended].concat(), say!("no.over"));
        }
        Ok(no)
    }

    /// Refuses, for these rules, what is done while a deal is played; whether it is.
    pub(crate) fn must_play(&self, no: &mut Objections, ids: &[&'static str], say: Say) -> bool {
        if self.stage == Stage::Playing {
            return true;
        }
        let between: &[_] = if self.stage == Stage::Between { &["CORE-3", "Q-26"] } else { &["CORE-3"] };
        no.object(&[ids, between].concat(), say);
        false
    }

    /// Whether so few are left that the match ends (LEAVE-6, Q-06).
    pub(crate) fn too_few(&self, rules: &Rules) -> bool {
        self.remaining().len() < usize::from(rules.players.min.max(1)).min(self.players.len())
    }

    /// What follows a deal that ends: the next one, with those who have come back meanwhile, or the end of the match.
    pub(crate) fn close(&self, rules: &Rules, at: Millis, why: DealEnd, best: Best) -> Vec<Happening> {
        let early = matches!(why, DealEnd::TooFew | DealEnd::Abandoned);
        let dealt = self.dealt.with(self.dealer);
        let reached = |points: i32| self.players.iter().any(|member| member.score >= points);
        let last = early
            || why == DealEnd::GaveUp
            || match rules.deals {
                Deals::Count(deals) => self.deal >= deals,
                Deals::EachDealer => dealt.contains_all(self.remaining()),
                Deals::ToPoints(points) => reached(i32::from(points)),
                Deals::ToPointsEach(points) => reached(i32::from(points) * i32::from(self.seats())),
            };
        let outcome = self.outcome(best, !early && !self.alone() && why != DealEnd::GaveUp);
        let tied = self.goes_on_tied(rules, &outcome) && !early;
        let over = Happening::DealOver { at, why };
        if last && !tied {
            vec![over, Happening::Ended { at, outcome }]
        } else {
            let until = at.after(u32::from(rules.between_s) * 1000);
            let next = Happening::Next { deal: self.deal + 1, dealer: self.after(self.dealer), until };
            let let_in = |seat| Happening::Joined { at, seat, again: true };
            [over, next].into_iter().chain(self.returning.iter().map(let_in)).collect()
        }
    }

    /// Whether one is left of several.
    fn alone(&self) -> bool {
        self.remaining().len() < 2 && self.seats() > 1
    }

    /// Whether there is one more deal because several would win.
    fn goes_on_tied(&self, rules: &Rules, outcome: &Outcome) -> bool {
        outcome.winners.len() > 1 && rules.tiebreak == Tiebreak::ExtraDeal
    }

    /// What follows where the next to deal leaves between two deals: somebody else deals (LEAVE-5) or, if all others have, the
    /// match is over (SET-8).
    pub(crate) fn skip_dealer(&self, rules: &Rules, at: Millis, best: Best) -> Happening {
        let dealt = rules.deals == Deals::EachDealer && self.dealt.contains_all(self.remaining());
        let outcome = self.outcome(best, !self.alone());
        if dealt && !self.goes_on_tied(rules, &outcome) {
            return Happening::Ended { at, outcome };
        }
        let until = self.next_at.unwrap_or(at);
        Happening::Next { deal: self.deal, dealer: self.after(self.dealer), until }
    }

    /// Final places: retired seats below everyone who finished (LEAVE-2), equal scores shared (CORE-25).
    pub(crate) fn outcome(&self, best: Best, ranked: bool) -> Outcome {
        let key = |member: &Member| {
            let score = if best == Best::Highest { -member.score } else { member.score };
            (member.held == Held::Retired, score)
        };
        let place =
            |member: &Member| 1 + self.players.iter().filter(|other| key(other) < key(member)).count();
        let places: Vec<u8> = self.players.iter().map(|member| place(member) as u8).collect();
        let winners = self.remaining().iter().filter(|seat| places[seat.index()] == 1).collect();
        let scores = self.players.iter().map(|member| member.score).collect();
        Outcome { winners, scores, places, ranked, settlement: Vec::new() }
    }

    /// Takes in what happened.
    pub(crate) fn apply(&mut self, happening: &Happening) {
        match *happening {
            Happening::FirstDealer(seat) => {
                self.dealer = seat;
                self.stage = Stage::Shuffling;
            }
            Happening::Away { at, seat } => self.players[seat.index()].held = Held::Away { since: at },
            Happening::Back { at, seat } => {
                self.players[seat.index()].held = Held::Here;
                self.acted_at = at;
            }
            Happening::Retired { seat, .. } => {
                self.players[seat.index()].held = Held::Retired;
                self.ready.remove(seat);
            }
            Happening::Joined { at, seat, again } => {
                let member = &mut self.players[seat.index()];
                member.held = Held::Here;
                if !again {
                    // The cards taken in the last deal lie there until the next begins.
                    (member.score, member.points) = (0, 0);
                    self.dealt.remove(seat);
                }
                self.returning.remove(seat);
                self.acted_at = at;
            }
            Happening::Returning { seat, here, .. } => match here {
                true => self.returning.add(seat),
                false => self.returning.remove(seat),
            },
            Happening::DealOver { why, .. } => {
                self.deal_end = Some(why);
                self.dealt.add(self.dealer);
                self.stage = Stage::Between;
                self.ready = SeatSet::NONE;
            }
            Happening::Next { deal, dealer, until } => {
                self.deal = deal;
                self.dealer = dealer;
                self.next_at = Some(until);
            }
            Happening::Ready { at, seat } => {
                self.ready.add(seat);
                self.acted_at = at;
            }
            Happening::Begun => {
                self.stage = Stage::Shuffling;
                self.next_at = None;
                for member in &mut self.players {
                    member.points = 0;
                    member.taken.clear();
                }
            }
            Happening::Ended { ref outcome, .. } => {
                self.stage = Stage::Over;
                self.next_at = None;
                self.outcome = Some(outcome.clone());
            }
        }
    }

    /// In one line, for people.
    pub(crate) fn write(happening: &Happening) -> String {
        match happening {
            Happening::FirstDealer(seat) => format!("{seat} deals first"),
            Happening::Away { seat, .. } => format!("{seat} lost the connection"),
            Happening::Back { seat, .. } => format!("{seat} is back"),
            Happening::Retired { seat, .. } => format!("{seat} is out of the match"),
            Happening::Joined { seat, .. } => format!("{seat} joins"),
            Happening::Returning { seat, here: true, .. } => {
                format!("{seat} is there again and comes in with the next deal")
            }
            Happening::Returning { seat, here: false, .. } => format!("{seat} is gone again"),
            Happening::DealOver { why, .. } => match why {
                DealEnd::Finished => "the deal is over".into(),
                DealEnd::TimedOut => "the deal is over: too many turns ran out".into(),
                DealEnd::GaveUp => "given up".into(),
                DealEnd::TooFew => "too few players are left".into(),
                DealEnd::Abandoned => "nobody plays any more".into(),
            },
            Happening::Next { deal, dealer, .. } => format!("deal {deal} comes next, {dealer} deals"),
            Happening::Ready { seat, .. } => format!("{seat} is ready"),
            Happening::Begun => "the next deal begins".into(),
            Happening::Ended { outcome, .. } => {
                let winners: Vec<String> = outcome.winners.iter().map(|seat| seat.to_string()).collect();
                format!("the match is over, won by {}", winners.join(" and "))
            }
        }
    }
}
