//! What leads to a table.

fn main() {
    web::lobby();
}
