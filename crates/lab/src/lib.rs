//! Simulation, tournaments, odds, caps and reports
