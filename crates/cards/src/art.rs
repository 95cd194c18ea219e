//! Our own artwork of the pattern cards, as outlines that the web app and the printed sheets share.

/// Outlines of the symbols oval, squiggle and diamond (the values of the fourth digit), about 36 wide and 74 high, centred on
/// the origin, y downwards: SVG path data with the absolute commands M, L, C and Z only, numbers separated by spaces.
pub const SYMBOLS: [&str; 3] = [
    "M -17.5 -19 C -17.5 -28.67 -9.67 -36.5 0 -36.5 C 9.67 -36.5 17.5 -28.67 17.5 -19 L 17.5 19 \
     C 17.5 28.67 9.67 36.5 0 36.5 C -9.67 36.5 -17.5 28.67 -17.5 19 Z",
    "M -8 -36 C 5 -40.5 19.5 -30 17 -12.5 C 15.2 -0.5 11 7 15 18.5 C 18.6 29 15.5 36.5 8 36 \
     C -5 40.5 -19.5 30 -17 12.5 C -15.2 0.5 -11 -7 -15 -18.5 C -18.6 -29 -15.5 -36.5 -8 -36 Z",
    "M 0 -37 L 19 0 L 0 37 L -19 0 Z",
];

/// Where the symbols of a card 150 wide and 100 high have their centres, by the first digit (one, two, three).
pub const CENTRES: [&[f32]; 3] = [&[75.0], &[51.0, 99.0], &[30.0, 75.0, 120.0]];
