//! What shows a match of Set and its variants.

fn main() {
    web::pattern();
}
