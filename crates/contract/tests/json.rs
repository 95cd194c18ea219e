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
