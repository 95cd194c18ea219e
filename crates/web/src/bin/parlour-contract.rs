//! What shows a match of Contract Rummy and its variants.

fn main() {
    web::contract();
}
