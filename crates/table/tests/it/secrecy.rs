//! A viewer's bytes do not depend on cards it has not learnt.
