//! What shows a match of Contract Rummy and its variants.

web::table_program!(Contract, contract);
