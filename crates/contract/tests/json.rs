//! How what is public of a match is written: clients know it.

use contract::state::{Flow, Phase};
use game::{Seat, SeatSet};
use serde_json::json;

/// A phase, and the three fields that say it.
#[track_caller]
fn check(phase: Phase, written: serde_json::Value) {
    let flow = Flow { phase, ..Flow::new(4) };
    let json = serde_json::to_value(flow).expect("plain data");
    let fields = json!([json["phase"], json["asked"], json["claimer"]]);
    assert_eq!(fields, written);
    assert_eq!(serde_json::from_value::<Flow>(json).expect("it is read as it is written"), flow);
}

#[test]
fn the_data_of_a_phase_stand_beside_its_name() {
    let asked = SeatSet::one(Seat(1)).with(Seat(3));
    check(Phase::Start, json!(["start", 0, null]));
    check(Phase::Offer { asked }, json!(["offer", 0b1010, null]));
    check(Phase::Shanghai { asked: SeatSet::NONE }, json!(["shanghai", 0, null]));
    check(Phase::Pick { claimer: Seat(2) }, json!(["pick", 0, 2]));
}

#[test]
fn a_pick_without_a_claimer_is_not_read() {
    let flow = Flow { phase: Phase::Pick { claimer: Seat(2) }, ..Flow::new(4) };
    let mut json = serde_json::to_value(flow).expect("plain data");
    json["claimer"] = json!(null);
    assert!(serde_json::from_value::<Flow>(json).is_err());
}

/// Changes one number of a view as it is sent, and says what becomes of it.
#[track_caller]
fn check_view(at: &str, number: u64, expected: Option<&str>) {
    let rules = std::sync::Arc::new(contract::Rules::contract(3));
    let game = <contract::Match as game::Game>::open(rules, 3).expect("three may play");
    let view = game::Game::view(&game, game::Viewer::Seat(game::Seat(1)));
    let mut json = serde_json::to_value(&view).expect("plain data");
    *json.pointer_mut(at).unwrap_or_else(|| panic!("there is no {at}")) = number.into();
    let read = serde_json::from_value::<contract::View>(json).map_err(|why| why.to_string());
    assert_eq!(read.err().as_deref(), expected, "{at} is {number}");
}

#[test]
fn a_view_that_names_what_is_not_there_is_refused() {
    check_view("/seat", 2, None);
    check_view("/seat", 3, Some("a seat is named that the table has not"));
    check_view("/flow/turn", 200, Some("a seat is named that the table has not"));
    check_view("/flow/seats", 0, Some("a table has 1 to 12 seats"));
    check_view("/flow/seats", 13, Some("a table has 1 to 12 seats"));
    check_view("/flow/round", 6, None);
    check_view("/flow/round", 7, Some("a round is named that the rules have not"));
    check_view("/flow/contract", 7, Some("a round is named that the rules have not"));
}
