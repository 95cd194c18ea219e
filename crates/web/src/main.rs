//! The pages of the app.

fn main() {
    web::parlour();
}
