//! The match record, fair deals, replay and the scenario runner
