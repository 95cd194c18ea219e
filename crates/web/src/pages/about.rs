//! What this is, and where the games come from.

use super::strategy;
use crate::route::Route;
use crate::{dom, games, t};
use Told::{By, Says};
use leptos::prelude::*;
use rulebook::Family;

/// Who thought of games, or told how they are played: people by their names, or the key of a sentence.
enum Told {
    By(&'static str),
    Says(&'static str),
}

/// Who thought of the games of the Set family, as far as the sources say.
const PATTERN: &[(&[&str], Told)] = &[
    (&["set-classic", "quick", "solitaire"], By("Marsha Jean Falco")),
    (&["set-heap"], Says("capsule")),
    (
        &[
            "set-open-deal",
            "chain",
            "memory",
            "superset-w",
            "ultra",
            "ultra9",
            "mega",
            "double",
            "eight",
            "time-trial",
        ],
        Says("encyclopedia"),
    ),
    (&["superset-h"], Says("huang")),
    (
        &["hands", "complex"],
        By("Daniel Efran, Elliott C. Evans, Dale Newfield, Andrew Plotkin (magliery.com/Set)"),
    ),
    (&["setup", "twenty", "daily-puzzle"], Says("publisher")),
    (&["scout"], Says("mink")),
    (
        &[
            "solitaire-relaxed",
            "trial-live",
            "daily-basic",
            "double-quick",
            "double-chain",
            "double-memory",
            "double-super",
            "double-ultra",
            "double-ultra9",
            "double-mega",
            "mega-super",
            "mega-chain",
            "mega-ultra",
            "mega-complex",
            "eight-ultra",
        ],
        Says("ours"),
    ),
];

/// Who told the games of Contract Rummy whose rules are followed whole.
const CONTRACT: &[(&[&str], Told)] = &[
    (&["contract", "contract-nj"], By("Magnus")),
    (&["liverpool"], By("Paul Welty")),
    (&["may-i"], By("Greg Petras")),
    (&["shanghai"], By("Mark Allen Davis")),
    (&["shanghai-powe"], By("Tahelia Powe")),
    (&["shanghai-kolsov"], By("Deb Kolsov")),
    (&["progressive"], By("John Eveleigh")),
];

/// Names that several games have, or of which something is told.
const NAMES: [&str; 12] = [
    "many",
    "shanghai",
    "continental",
    "progressive",
    "sixes",
    "california",
    "toonerville",
    "rook_shanghai",
    "ten_card",
    "rummy_rummy",
    "fourteen",
    "programs",
];

/// What is referred to, and what to read, under the keys of their headings.
const LITERATURE: [(&str, &[&str]); 4] = [
    (
        "read_maths",
        &[
            "Bateman, M., Katz, N. H.: New bounds on cap sets. Journal of the American Mathematical Society 25 (2012), 585–613",
            "Bose, R. C.: Mathematical theory of the symmetrical factorial design. Sankhyā 8 (1947), 107–166",
            "Botler, F., Cristi, A., Hoeksma, R., Schewior, K., Tönnis, A.: SUPERSET: A (Super)Natural Variant of the Card Game SET. FUN 2018",
            "Brown, T. C., Buhler, J. P.: A density version of a geometric Ramsey theorem. Journal of Combinatorial Theory A 32 (1982), 20–34",
            "Croot, E., Lev, V. F., Pach, P. P.: Progression-free sets in Z₄ⁿ are exponentially small. Annals of Mathematics 185 (2017), 331–337",
            "Davis, B. L., Maclagan, D.: The card game SET. The Mathematical Intelligencer 25 (3) (2003), 33–40",
            "Edel, Y.: Extensions of generalized product caps. Designs, Codes and Cryptography 31 (2004), 5–14",
            "Edel, Y., Ferret, S., Landjev, I., Storme, L.: The classification of the largest caps in AG(5,3). Journal of Combinatorial Theory A 99 (2002), 95–110",
            "Ellenberg, J. S., Gijswijt, D.: On large subsets of F_qⁿ with no three-term arithmetic progression. Annals of Mathematics 185 (2017), 339–343",
            "McMahon, L., Gordon, G., Gordon, H., Gordon, R.: The Joy of SET. Princeton University Press, 2016",
            "Meshulam, R.: On subsets of finite abelian groups with no 3-term arithmetic progressions. Journal of Combinatorial Theory A 71 (1995), 168–172",
            "Pellegrino, G.: Sul massimo ordine delle calotte in S₄,₃. Le Matematiche (Catania) 25 (1971), 149–157",
            "Potechin, A.: Maximal caps in AG(6,3). Designs, Codes and Cryptography 46 (2008), 243–259",
            "Romera-Paredes, B., et al.: Mathematical discoveries from program search with large language models. Nature 625 (2024), 468–475",
            "Tyrrell, F.: New lower bounds for cap sets (2022)",
        ],
    ),
    (
        "read_odds",
        &[
            "Norvig, P.: The Odds of Finding a Set in The Card Game SET. pytudes, ipynb/SET.ipynb (github.com/norvig/pytudes)",
            "SET Probabilities Revisited (2011)",
        ],
    ),
    (
        "read_people",
        &[
            "Jacob, M., Hochstein, S.: Set recognition as a window to perceptual and cognitive processes. Perception & Psychophysics 70 (2008), 1165–1184",
            "Nyamsuren, E., Taatgen, N. A.: Set as an Instance of a Real-World Visual-Cognitive Task. Cognitive Science 37 (2013), 146–175",
            "Taatgen, N. A., van Oploo, M., Braaksma, J., Niemantsverdriet, J.: How to construct a believable opponent using cognitive modeling in the game of Set. International Conference on Cognitive Modeling (2003), 201–206",
        ],
    ),
    (
        "read_rummy",
        &[
            "Contract Rummy. pagat.com/rummy/ctrummy.html",
            "Gandhi, T. K., et al.: Online Poker and Rummy – Games of Skill or Chance? (2023)",
            "den Hertog, D., Hulshof, P. B.: Solving Rummikub Problems by Integer Linear Programming. The Computer Journal 49 (2006), 665–669",
            "Parlett, D.: The Penguin Book of Card Games. Penguin, 2008",
            "van Rijn, J. N., Takes, F. W., Vis, J. K.: The Complexity of Rummikub Problems (2015)",
            "State of Andhra Pradesh v. K. Satyanarayana, Supreme Court of India, 22 November 1967, AIR 1968 SC 825",
        ],
    ),
];

#[component]
pub fn About() -> impl IntoView {
    request_animation_frame(dom::to_anchor);
    let names = NAMES.map(|name| view! { <li>{t!(&format!("about.name.{name}"))}</li> });
    let literature = LITERATURE.map(|(heading, works)| {
        view! {
            <h3>{t!(&format!("about.{heading}"))}</h3>
            <ul class="literature">{works.iter().map(|work| view! { <li>{*work}</li> }).collect_view()}</ul>
        }
    });
    let advice = [Family::Pattern, Family::Contract].map(
        |family| view! { <a class="button" href=strategy::path(family)>{strategy::name(family)}</a> " " },
    );
    view! {
        <div class="page narrow prose" data-testid="about">
            <h1>{t!("about.title")}</h1>
            <p>{t!("about.what")}</p>
            <p>{t!("about.free")}</p>
            <h2>{t!("about.fair_title")}</h2>
            <p>{t!("about.fair")}</p>
            <h2>{t!("about.privacy_title")}</h2>
            <p>{t!("about.privacy")}</p>
            <h2 id="set">{t!("about.set")}</h2>
            <p>{t!("about.set_1")}</p>
            <p>{t!("about.set_2")}</p>
            <h2 id="variants">{t!("about.variants")}</h2>
            <p>{t!("about.variants_lead")} " " <a href=Route::Rulebook("pattern".to_owned()).path()>{t!("rules.book")}</a></p>
            {told(PATTERN)}
            <h2 id="rummy">{t!("about.rummy")}</h2>
            <p>{t!("about.rummy_1")}</p>
            <p>{t!("about.rummy_2")}</p>
            {told(CONTRACT)}
            <p>{t!("about.rummy_3")} " " <a href=Route::Rulebook("contract".to_owned()).path()>{t!("rules.book")}</a></p>
            <h2 id="names">{t!("about.names")}</h2>
            <ul data-testid="names">{names.into_iter().collect_view()}</ul>
            <h2 id="people">{t!("about.people")}</h2>
            <p>{t!("about.people_1")}</p>
            <h2 id="luck">{t!("about.luck")}</h2>
            <p>{t!("about.luck_1")}</p>
            <p>{t!("about.luck_2")}</p>
            <p class="row">{advice.into_iter().collect_view()}</p>
            <h2 id="literature">{t!("about.literature")}</h2>
            <div data-testid="literature">{literature.into_iter().collect_view()}</div>
            <p class="quiet" data-testid="trademark">{t!("about.trademark")}</p>
            <p class="quiet">{t!("about.version", version = env!("CARGO_PKG_VERSION"))}</p>
        </div>
    }
}

/// Games, and who thought of them.
fn told(rows: &'static [(&[&str], Told)]) -> impl IntoView {
    let all = games::all();
    let line = |(ids, by): &'static (&[&str], Told)| {
        let links = ids.iter().filter_map(|id| all.iter().find(|game| game.id == *id)).enumerate();
        let links = links.map(|(n, game)| {
            let path = Route::RuleSheet(game.id.clone()).path();
            view! { {(n > 0).then_some(", ")} <a href=path>{game.name.clone()}</a> }
        });
        let by = match by {
            By(names) => (*names).to_owned(),
            Says(key) => t!(&format!("about.by.{key}")),
        };
        view! { <tr><td>{links.collect_view()}</td><td>{by}</td></tr> }
    };
    let lines = rows.iter().map(line).collect_view();
    view! {
        <div class="scroll" tabindex="0">
            <table class="figures" data-testid="origins">
                <thead><tr><th scope="col">{t!("solve.game")}</th><th scope="col">{t!("about.told")}</th></tr></thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::look_up;
    use std::collections::BTreeSet;

    #[test]
    fn of_every_game_of_set_it_is_told_who_thought_of_it() {
        let listed = |rows: &[(&[&'static str], Told)]| {
            let all: Vec<&str> = rows.iter().flat_map(|(ids, _)| ids.iter().copied()).collect();
            let each: BTreeSet<&str> = all.iter().copied().collect();
            assert_eq!(all.len(), each.len(), "{all:?}");
            each
        };
        let family = |id: &&str| rulebook::preset(id).unwrap().info.family == Family::Pattern;
        let games: BTreeSet<&str> = rulebook::presets().into_iter().filter(family).collect();
        assert_eq!(listed(PATTERN), games);
        for id in listed(CONTRACT) {
            let info = rulebook::preset(id).unwrap().info;
            assert!(info.reconstruction.is_empty(), "{id} is not told whole");
        }
    }

    #[test]
    fn what_is_named_is_said() {
        let by = PATTERN.iter().chain(CONTRACT).filter_map(|(_, by)| match by {
            Says(key) => Some(format!("about.by.{key}")),
            By(_) => None,
        });
        let names = NAMES.map(|name| format!("about.name.{name}"));
        let headings = LITERATURE.map(|(heading, _)| format!("about.{heading}"));
        for key in by.chain(names).chain(headings) {
            assert!(look_up(&key).is_some(), "{key} is not said");
        }
    }
}
