//! Rule files: TOML to validated rules, the built-in presets, the rule page
