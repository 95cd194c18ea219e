//! What is read and learnt.

use wasm_split_helpers::SplitLoaderError;
use web::{PageLoader, Part};

/// A part with some of the pages, which is loaded when somebody goes to one of them.
macro_rules! part {
    ($name:ident) => {
        mod $name {
            use leptos::prelude::AnyView;
            use wasm_split_helpers::{SplitLoaderError, wasm_split};

            #[wasm_split($name, fallible, preload(fetch))]
            pub fn open(route: web::Route) -> Result<AnyView, SplitLoaderError> {
                Ok(web::$name(route))
            }
        }
    };
}

part!(read);
part!(write);
part!(learn);
part!(reckon);

/// All of them.
async fn rest() -> Result<(), SplitLoaderError> {
    read::fetch().await?;
    write::fetch().await?;
    learn::fetch().await?;
    reckon::fetch().await
}

fn main() {
    web::library(PageLoader {
        load: |route| match route.part() {
            Some(Part::Write) => Box::pin(write::open(route)),
            Some(Part::Learn) => Box::pin(learn::open(route)),
            Some(Part::Reckon) => Box::pin(reckon::open(route)),
            // Of a page that other programs have it is said that there is nothing here.
            _ => Box::pin(read::open(route)),
        },
        ahead: |route| match route.part() {
            Some(Part::Write) => Box::pin(write::fetch()),
            Some(Part::Learn) => Box::pin(learn::fetch()),
            Some(Part::Reckon) => Box::pin(reckon::fetch()),
            _ => Box::pin(read::fetch()),
        },
        fetch: || Box::pin(rest()),
    });
}
