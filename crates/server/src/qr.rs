//! QR codes, so that a phone joins without typing.

use qrcode::render::{svg, unicode};
use qrcode::{EcLevel, QrCode};

/// As an SVG picture, black on white with its quiet zone; none if the text is too long for a code.
#[must_use]
pub fn svg(text: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    Some(code.render::<svg::Color<'_>>().min_dimensions(240, 240).build())
}

/// For a terminal with light letters on a dark ground, two rows of the code in one line.
#[must_use]
pub fn terminal(text: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    let image = code.render::<unicode::Dense1x2>();
    Some({ image }.dark_color(unicode::Dense1x2::Light).light_color(unicode::Dense1x2::Dark).build())
}
