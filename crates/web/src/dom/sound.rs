//! What is heard and felt.

use super::{navigator_says, window};
use wasm_bindgen::JsValue;

/// Whether this person has pressed something since the page was opened: until then browsers allow neither sound nor vibration.
/// Where the browser does not say, nothing stands against it.
fn has_been_active() -> bool {
    navigator_says("userActivation", "hasBeenActive") != Some(false)
}

/// What is heard comes out here.
fn audio(play: impl FnOnce(&web_sys::AudioContext)) {
    thread_local! {
        static AUDIO: std::cell::OnceCell<Option<web_sys::AudioContext>> = const { std::cell::OnceCell::new() };
    }
    if !has_been_active() {
        return;
    }
    AUDIO.with(|cell| {
        let Some(audio) = cell.get_or_init(|| web_sys::AudioContext::new().ok()) else { return };
        let _ = audio.resume();
        play(audio);
    });
}

/// Lets the motor of a phone run for so many milliseconds, where there is one.
pub fn vibrate(millis: u32) {
    let Some(navigator) = window().map(|window| window.navigator()) else { return };
    if has_been_active() && js_sys::Reflect::has(&navigator, &"vibrate".into()).unwrap_or(false) {
        let _ = navigator.vibrate_with_duration(millis);
    }
}

/// Cards that slide over the cloth, so many one after another: a breath of noise that fades.
pub fn rustle(cards: u32) {
    if cards == 0 {
        return;
    }
    audio(|audio| {
        let rate = audio.sample_rate();
        let length = (rate * 0.07) as usize;
        let mut noise = vec![0.0_f32; length];
        let mut before = 0.0;
        for (n, sample) in noise.iter_mut().enumerate() {
            let fades = 1.0 - n as f32 / length as f32;
            // Each sample leans on the one before: paper is duller than white noise.
            before = 0.6 * before + 0.4 * (js_sys::Math::random() as f32 * 2.0 - 1.0);
            *sample = before * fades * fades * 0.35;
        }
        let play = || -> Result<(), JsValue> {
            let buffer = audio.create_buffer(1, length as u32, rate)?;
            buffer.copy_to_channel(&noise, 0)?;
            for n in 0..cards {
                let source = audio.create_buffer_source()?;
                source.set_buffer(Some(&buffer));
                source.connect_with_audio_node(&audio.destination())?;
                source.start_with_when(audio.current_time() + f64::from(n) * 0.09)?;
            }
            Ok(())
        };
        let _ = play();
    });
}

/// Plays tones one after another: frequency in hertz and length in milliseconds of each.
pub fn tones(tones: &[(f32, u32)]) {
    if tones.is_empty() {
        return;
    }
    audio(|audio| {
        let mut at = audio.current_time();
        for &(frequency, millis) in tones {
            let end = at + f64::from(millis) / 1000.0;
            let play = || -> Result<(), JsValue> {
                let (tone, gain) = (audio.create_oscillator()?, audio.create_gain()?);
                tone.set_type(web_sys::OscillatorType::Triangle);
                tone.frequency().set_value(frequency);
                gain.gain().set_value_at_time(0.0001, at)?;
                gain.gain().exponential_ramp_to_value_at_time(0.12, at + 0.015)?;
                gain.gain().exponential_ramp_to_value_at_time(0.0001, end)?;
                tone.connect_with_audio_node(&gain)?.connect_with_audio_node(&audio.destination())?;
                tone.start_with_when(at)?;
                tone.stop_with_when(end + 0.02)
            };
            let _ = play();
            at = end;
        }
    });
}
