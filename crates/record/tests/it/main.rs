//! Records as files: read, judged again, and refused. (One program: each would be compiled with all that reads them once more.)

mod hostile;
mod places;
mod published;
mod records;
