//! What shows a match.

fn main() {
    web::table();
}
