//! What shows a match of Set and its variants.

web::table_program!(Pattern, pattern);
