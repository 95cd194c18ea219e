//! What a program loads when it is first shown: a part of it that most who come do without, or not at once. Each program
//! whose page has such parts keeps them in a file of their own (`xtask` divides it after linking).

use crate::dom;
use crate::pages::first::{Dealt, Look};
use crate::pages::{demo, ended, menu, replay};
use crate::route::Route;
use crate::scene::Scene;
use crate::screens::Family;
use crate::{t, ui};
use leptos::prelude::*;
use std::pin::Pin;
use std::time::Duration;
use wasm_split_helpers::SplitLoaderError;

/// What comes later.
pub enum Later<F: Family> {
    /// A match that is over, entry by entry.
    Replay(String),
    /// A match inside the browser, of this game and with so many seats.
    Demo(String, Option<u8>),
    /// The end of a match at a table: what was shown last, the day that it was played for, and whether it is a table of this device.
    Ended {
        /// The table's id.
        id: StoredValue<String>,
        /// What is shown.
        scene: Scene<F>,
        /// The day.
        day: Signal<Option<String>>,
        /// Whether it was played at home.
        home: bool,
    },
    /// The menu of a table, once it is opened.
    Menu {
        /// The table's id.
        id: StoredValue<String>,
        /// The day that is played for.
        day: Signal<Option<String>>,
        /// Closes it.
        close: Callback<()>,
    },
}

/// Shows it. Each program calls this in a function of its own, behind which all of it is divided off.
pub fn show<F: Family>(later: Later<F>) -> AnyView {
    untrack(|| match later {
        Later::Replay(id) => replay::replay::<F>(id),
        Later::Demo(game, seats) => demo::demo::<F>(game, seats),
        Later::Ended { id, scene, day, home } => ended::ended(id, scene, day, home),
        Later::Menu { id, day, close } => menu::menu(id, day, close),
    })
}

/// What is being loaded.
pub type Loading<T> = Pin<Box<dyn Future<Output = Result<T, SplitLoaderError>>>>;

/// How the program that runs loads what comes later.
pub struct Loader<F: Family> {
    /// Loads it, and gives this of it.
    pub load: fn(Later<F>) -> Loading<AnyView>,
    /// Loads the screens of the family that are not there at once, and opens one.
    pub screen: fn(F::Opening) -> Loading<AnyView>,
    /// Only loads all of that.
    pub fetch: fn() -> Loading<()>,
}

impl<F: Family> Clone for Loader<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Family> Copy for Loader<F> {}

/// How long a table has been open when the rest of its program is loaded, so that nothing is missing later though the server may know
/// only a newer version by then.
const REST_AFTER: Duration = Duration::from_secs(10);
/// The same for a program of pages. On a slow line it takes about as long until all is there that a table needs, which comes first.
const PAGES_AFTER: Duration = Duration::from_secs(25);

/// How a program of pages loads those that are not there at once.
#[derive(Clone, Copy)]
pub struct PageLoader {
    /// Loads one, and gives it.
    pub load: fn(Route) -> Loading<AnyView>,
    /// Only loads what one needs.
    pub ahead: fn(&Route) -> Loading<()>,
    /// Only loads all of them.
    pub fetch: fn() -> Loading<()>,
}

/// How the lobby's program loads what it looks at a table with, before that table's program is here.
#[derive(Clone, Copy)]
pub struct LookLoader {
    /// Loads it, and looks at this table.
    pub look: fn(String, RwSignal<Option<Dealt>>) -> Loading<Option<Look>>,
    /// Only loads it.
    pub fetch: fn() -> Loading<()>,
}

/// Loads what comes later of a match while nothing else is to be done.
pub fn fetch_soon<F: Family>() {
    fetch_after(REST_AFTER, expect_context::<Loader<F>>().fetch);
}

/// Loads the other pages while nothing else is to be done, but where every byte is counted.
pub fn fetch_pages_soon() {
    if dom::saves_data() {
        return;
    }
    fetch_after(PAGES_AFTER, expect_context::<PageLoader>().fetch);
}

fn fetch_after(time: Duration, fetch: fn() -> Loading<()>) {
    let timer = set_timeout_with_handle(
        move || leptos::task::spawn_local(async move { drop(fetch().await) }), // it is tried again when it is needed
        time,
    );
    on_cleanup(move || {
        if let Ok(timer) = timer {
            timer.clear();
        }
    });
}

/// The place of what comes later: empty until it is there. Where it cannot be loaded, that is said, with a button to try again.
pub fn later<F: Family>(part: impl Fn() -> Later<F> + Send + Sync + 'static) -> AnyView {
    let Loader { load, .. } = expect_context::<Loader<F>>();
    place(Box::new(move || load(part())), false)
}

/// The place of a screen that is not there at once, in the same way.
pub fn screen<F: Family>(opening: impl Fn() -> F::Opening + Send + Sync + 'static) -> AnyView {
    let Loader { screen, .. } = expect_context::<Loader<F>>();
    place(Box::new(move || screen(opening())), false)
}

/// The place of a page that is not there at once, in the same way. It says so meanwhile, and fills the window until the page does, so
/// that what stands below it is not pushed about.
pub fn page(route: Route) -> AnyView {
    let PageLoader { load, .. } = expect_context::<PageLoader>();
    view! { <div class="page-place">{place(Box::new(move || load(route.clone())), true)}</div> }.into_any()
}

/// The same, once for all parts.
fn place(load: Box<dyn Fn() -> Loading<AnyView> + Send + Sync>, page: bool) -> AnyView {
    let tries = RwSignal::new(0u32);
    view! {
        {move || {
            let tried = tries.get();
            let found = RwSignal::new_local(None);
            let loading = load();
            leptos::task::spawn_local_scoped_with_cancellation(async move {
                let _ = found.try_set(Some(loading.await));
            });
            // A server with a newer version has not got this part any more: then the page is to come anew.
            let again = move || if page && tried > 0 { dom::reload() } else { tries.set(tried + 1) };
            move || {
                found.track();
                match found.try_update_untracked(Option::take).flatten() {
                    None => page.then(|| framed(page, ui::loading())).into_any(),
                    Some(Ok(view)) => view,
                    Some(Err(_)) => framed(page, failed(again)),
                }
            }
        }}
    }
    .into_any()
}

fn failed(again: impl Fn() + 'static) -> AnyView {
    view! {
        <p class="refusal" role="alert">
            {t!("net.part")} " "
            <button class="small" data-testid="later-again" on:click=move |_| again()>{t!("net.again")}</button>
        </p>
    }
    .into_any()
}

/// What stands in the place of a whole page lies where pages do.
fn framed(page: bool, view: AnyView) -> AnyView {
    if page { view! { <div class="page narrow">{view}</div> }.into_any() } else { view }
}

/// A program that shows matches of a family, with what it loads later. What divides it off wants functions that are not
/// generic, in the program itself.
#[macro_export]
macro_rules! table_program {
    ($family:ident, $open:ident) => {
        use leptos::prelude::AnyView;
        use wasm_split_helpers::{SplitLoaderError, wasm_split};
        use $crate::{Family, Later, Loader, $family};

        /// The part of the program that is loaded when it is needed.
        #[wasm_split(later, fallible, preload(fetch))]
        fn load(part: Later<$family>) -> Result<AnyView, SplitLoaderError> {
            Ok($crate::show(part))
        }

        /// The screens that are not there at once.
        #[wasm_split(screen, fallible, preload(fetch_screen))]
        fn open(opening: <$family as Family>::Opening) -> Result<AnyView, SplitLoaderError> {
            Ok($family::open(opening))
        }

        /// All of both.
        async fn rest() -> Result<(), SplitLoaderError> {
            fetch_screen().await?;
            fetch().await
        }

        fn main() {
            $crate::$open(Loader {
                load: |part| Box::pin(load(part)),
                screen: |opening| Box::pin(open(opening)),
                fetch: || Box::pin(rest()),
            });
        }
    };
}
