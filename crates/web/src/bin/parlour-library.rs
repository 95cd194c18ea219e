//! What is read and learnt.

fn main() {
    web::library();
}
