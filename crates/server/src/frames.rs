//! Follows the frames in the bytes of a WebSocket (RFC 6455, 5.2) without taking them apart: the library answers pings and
//! puts fragments together by itself and tells nobody how many there were.

/// Most bytes of a frame's head.
const HEAD: usize = 14;

/// Where in the stream of frames a socket is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frames {
    head: [u8; HEAD],
    /// Bytes of the head that have come.
    have: u8,
    /// Bytes of the frame's content that are to come.
    left: u64,
}

impl Frames {
    /// Takes bytes in, and counts the frames beginning in them that are no whole text: pings, fragments, goodbyes.
    pub fn scraps(&mut self, mut bytes: &[u8]) -> usize {
        let mut scraps = 0;
        while let Some((first, rest)) = bytes.split_first() {
            if self.left > 0 {
                let content = bytes.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
                self.left -= content as u64;
                bytes = &bytes[content..];
                continue;
            }
            self.head[usize::from(self.have)] = *first;
            self.have += 1;
            bytes = rest;
            if let Some(length) = self.content() {
                // The last fragment of a text that has no other ones.
                scraps += usize::from(self.head[0] & 0x8f != 0x81);
                (self.have, self.left) = (0, length);
            }
        }
        scraps
    }

    /// Length of the content, once the whole head is there.
    fn content(&self) -> Option<u64> {
        let have = usize::from(self.have);
        if have < 2 {
            return None;
        }
        let masked = if self.head[1] & 0x80 == 0 { 0 } else { 4 };
        let wide = match self.head[1] & 0x7f {
            126 => 2,
            127 => 8,
            short => return (have == 2 + masked).then_some(u64::from(short)),
        };
        let length = self.head[2..2 + wide].iter().fold(0, |length, byte| length << 8 | u64::from(*byte));
        (have == 2 + wide + masked).then_some(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio_tungstenite::tungstenite::protocol::frame::FrameHeader;
    use tokio_tungstenite::tungstenite::protocol::frame::coding::{Control, Data, OpCode};

    /// Frames as the library writes them, and how many of them are scraps.
    fn written() -> (Vec<u8>, usize) {
        let (mut bytes, mut scraps) = (vec![], 0);
        for (n, length) in [0, 1, 6, 125, 126, 127, 1000, 65_535, 65_536, 70_000].into_iter().enumerate() {
            for (code, last) in [
                (OpCode::Data(Data::Text), true),
                (OpCode::Data(Data::Text), false),
                (OpCode::Data(Data::Continue), true),
                (OpCode::Data(Data::Continue), false),
                (OpCode::Data(Data::Binary), true),
                (OpCode::Control(Control::Ping), true),
                (OpCode::Control(Control::Pong), true),
                (OpCode::Control(Control::Close), true),
            ] {
                let mask = (n % 2 == 0).then_some([0x81, 0, 0x7f, 0xff]);
                let header = FrameHeader { opcode: code, is_final: last, mask, ..FrameHeader::default() };
                header.format(length as u64, &mut bytes).expect("memory takes bytes");
                bytes.resize(bytes.len() + length, 0x81);
                scraps += usize::from((code, last) != (OpCode::Data(Data::Text), true));
            }
        }
        (bytes, scraps)
    }

    #[test]
    fn frames_are_counted_however_they_come() {
        let (bytes, scraps) = written();
        for piece in [1, 2, 3, 7, 1024, bytes.len()] {
            let mut frames = Frames::default();
            let counted: usize = bytes.chunks(piece).map(|bytes| frames.scraps(bytes)).sum();
            assert_eq!((counted, frames.left, frames.have), (scraps, 0, 0), "{piece} at a time");
        }
    }

    #[test]
    fn empty_fragments_are_each_counted() {
        let mut frames = Frames::default();
        assert_eq!(frames.scraps(&[0x00, 0x80, 1, 2, 3, 4].repeat(1000)), 1000);
    }
}
