//! All artwork side by side, to be looked at.

use crate::route::Route;
use crate::{t, ui};
use cards::{Deck, Face, Pack, Point};
use leptos::prelude::*;

#[component]
pub fn Gallery() -> impl IntoView {
    let rook = Pack {
        suits: ["red", "green", "black", "yellow"].map(String::from).to_vec(),
        ranks: (1..=14).map(|r| r.to_string()).collect(),
    };
    let pattern = |deck: Deck, point: Point| {
        view! { <figure class="swatch" title=ui::pattern_name(deck, point)>{ui::pattern_card(deck, point)}<figcaption class="offscreen">{ui::pattern_name(deck, point)}</figcaption></figure> }
    };
    let playing = |pack: &Pack, face: Face| {
        view! { <figure class="swatch" title=ui::playing_name(pack, face)>{ui::playing_card(pack, face)}<figcaption class="offscreen">{ui::playing_name(pack, face)}</figcaption></figure> }
    };
    let standard = Pack::standard();
    view! {
        <div class="page wide" data-testid="gallery">
            <h1>{t!("gallery.title")}</h1>
            <h2>{t!("gallery.screens")}</h2>
            <p class="row">
                {crate::games::all()
                    .into_iter()
                    .map(|game| view! { <a href=Route::Demo(game.id, None).path()>{game.name}</a> })
                    .collect_view()}
            </p>
            <h2>{t!("gallery.pattern")}</h2>
            <div class="swatches pattern">
                {(0..81u8).map(|i| pattern(Deck::D81, Point(i))).collect_view()}
            </div>
            <h2>{t!("gallery.grounds")}</h2>
            <div class="swatches pattern">
                {(0..243u8).step_by(10).map(|i| pattern(Deck::D243, Point(i))).collect_view()}
            </div>
            <h2>{t!("gallery.playing")}</h2>
            <div class="swatches playing">
                {standard.faces().chain([Face::JOKER]).map(|f| playing(&standard, f)).collect_view()}
                <figure class="swatch">{ui::playing_back()}</figure>
            </div>
            <h2>{t!("gallery.rook")}</h2>
            <div class="swatches playing">
                {rook.faces().map(|f| playing(&rook, f)).collect_view()}
            </div>
        </div>
    }
}
