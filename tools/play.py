#!/usr/bin/env python3
"""Plays a match at a Parlour server, with nothing but Python's standard library.

    python3 tools/play.py http://127.0.0.1:7420 set-classic
    python3 tools/play.py http://127.0.0.1:7420 contract --seats 3

It opens a table, fills it with bots, plays one match to its end and prints the result as JSON. It shares no code with the
project and knows what docs/protocol.md says, so it is also a test of that page. It breaks its connection off once, in the
middle, and goes on where it was. It plays Set by looking at all triples, and Contract Rummy as a beginner would.
"""

import argparse
import base64
import hashlib
import http.client
import itertools
import json
import os
import socket
import struct
import sys
import time
import urllib.parse

PROTOCOL = 1


class Http:
    """Requests with the guest's cookie."""

    def __init__(self, base):
        url = urllib.parse.urlsplit(base)
        self.host, self.port = url.hostname, url.port or 80
        self.cookie = None

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=20)
        headers = {"Cookie": self.cookie} if self.cookie else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        if cookie := answer.getheader("Set-Cookie"):
            self.cookie = cookie.split(";")[0]
        if answer.status >= 400:
            raise SystemExit(f"{method} {path}: {answer.status}: {json.loads(text)['error']}")
        return json.loads(text) if text else None


class Socket:
    """A WebSocket (RFC 6455), as far as text messages and the closing of one go."""

    def __init__(self, server, path):
        self.stream = socket.create_connection((server.host, server.port), timeout=20)
        key = base64.b64encode(os.urandom(16)).decode()
        head = [
            f"GET {path} HTTP/1.1",
            f"Host: {server.host}:{server.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            f"Cookie: {server.cookie}",
        ]
        self.stream.sendall(("\r\n".join(head) + "\r\n\r\n").encode())
        self.read = b""
        while b"\r\n\r\n" not in self.read:
            self.read += self.some()
        head, self.read = self.read.split(b"\r\n\r\n", 1)
        status, *lines = head.decode().split("\r\n")
        fields = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        magic = (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()
        assert " 101 " in status, status
        assert fields["sec-websocket-accept"] == base64.b64encode(hashlib.sha1(magic).digest()).decode()

    def some(self):
        data = self.stream.recv(65536)
        if not data:
            raise ConnectionError("the server has closed the connection")
        return data

    def send(self, text, kind=1):
        data, mask = text.encode(), os.urandom(4)
        length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        masked = bytes(byte ^ mask[n % 4] for n, byte in enumerate(data))
        self.stream.sendall(bytes([0x80 | kind]) + length + mask + masked)

    def next(self, seconds):
        """The next message, or none within so many seconds."""
        end = time.monotonic() + seconds
        while True:
            if message := self.whole():
                kind, data = message
                if kind == 1:
                    return data.decode()
                if kind == 8:
                    code = struct.unpack(">H", data[:2])[0] if len(data) >= 2 else None
                    raise ConnectionError(f"closed with code {code}: {data[2:].decode()}")
                if kind == 9:
                    self.send(data.decode(), 10)
                continue
            left = end - time.monotonic()
            if left <= 0:
                return None
            self.stream.settimeout(left)
            try:
                self.read += self.some()
            except TimeoutError:
                return None
            finally:
                self.stream.settimeout(20)

    def whole(self):
        """A frame, if all of it has come. The server sends each message in one."""
        if len(self.read) < 2:
            return None
        length, start = self.read[1] & 127, 2
        if length > 125:
            size, form = (2, ">H") if length == 126 else (8, ">Q")
            if len(self.read) < 2 + size:
                return None
            length, start = struct.unpack(form, self.read[2 : 2 + size])[0], 2 + size
        if len(self.read) < start + length:
            return None
        kind, data = self.read[0] & 15, self.read[start : start + length]
        self.read = self.read[start + length :]
        return kind, data

    def close(self):
        self.stream.close()


class Table:
    """A place at a table: frames in, frames out, and what has been followed of the match."""

    def __init__(self, server, table, pace):
        self.pace = pace
        self.server, self.path = server, f"/ws/table/{table}"
        self.client = int.from_bytes(os.urandom(4), "big")
        self.secret = os.urandom(32)
        self.game, self.n, self.seat, self.at = 0, 0, None, (0, time.monotonic())
        self.state, self.player, self.outcome = None, None, None
        self.command, self.answers = 0, {}
        self.waiting = {}
        self.refused, self.resumed = [], False
        self.open()

    def open(self):
        self.socket = Socket(self.server, self.path)
        hello = {"protocol": PROTOCOL, "client": self.client}
        if self.player:
            viewer = 255 if self.seat is None else self.seat
            hello["last"] = {"game": self.game, "n": self.n, "viewer": viewer}
        self.say({"hello": hello})

    def say(self, frame):
        self.socket.send(json.dumps(frame))

    def now(self):
        """Match time, in milliseconds."""
        at, since = self.at
        return at + (time.monotonic() - since) * 1000

    def pump(self, seconds=0.05):
        """Takes in what comes within so many seconds; whether anything came."""
        text = self.socket.next(seconds)
        if text is None:
            return False
        frame = json.loads(text)
        kind, body = next(iter(frame.items()))
        if kind == "ping":
            self.say({"pong": {"nonce": body["nonce"]}})
        elif kind == "welcome":
            self.seat = body["you"]["seat"] if isinstance(body["you"], dict) else None
            if (self.game, self.n) == (body["game"], body["n"]) and self.player:
                self.resumed = True
            for number, command in sorted(self.waiting.items()):
                self.say({"command": {"id": number, "seen": self.n, "command": command}})
        elif kind == "table":
            self.state = body
            paused = body.get("paused")
            waits = paused["round"]["waits_for"] if isinstance(paused, dict) and "round" in paused else 0
            if self.seat is not None and waits >> self.seat & 1:
                # A program has no need to read how the round ended.
                self.say({"act": "go_on"})
        elif kind == "view":
            self.game, self.n, self.at = body["game"], body["n"], (body["at"], time.monotonic())
            family, view = next(iter(body["view"].items()))
            self.player = (SetPlayer if family == "pattern" else RummyPlayer)(view, self.seat)
        elif kind == "notices":
            if body["n"] != self.n + 1:
                self.say("resync")
                return True
            self.n += len(body["list"])
            self.at = (body["at"], time.monotonic())
            for notice in body["list"]:
                outcome = self.player.learn(next(iter(notice.values())))
                self.outcome = self.outcome or outcome
        elif kind == "verdict":
            self.waiting.pop(body["id"], None)
            self.answers[body["id"]] = body["answer"]
        elif kind == "seed":
            self.seed(body)
        elif kind == "declined":
            raise SystemExit(f"declined: {body['text']}")
        elif kind == "error":
            raise SystemExit(f"error: {body['text']}")
        return True

    def seed(self, call):
        """A part in a fair deal: a seed for each deal, made of a secret of our own."""
        kind, body = next(iter(call.items()))
        if self.seat is None or kind == "revealed":
            return
        game, deal = body["game"], body["deal"]
        seed = hashlib.sha256(self.secret + struct.pack(">II", game, deal)).digest()
        bound = hashlib.sha256(seed).hexdigest()
        if kind == "committed":
            self.say({"seed": {"commit": {"game": game, "deal": deal, "hash": bound}}})
        elif body["bound"][self.seat] != bound:
            # What is left out of a deal is not opened: whoever reads the record sees it.
            print(f"deal {deal}: left out", file=sys.stderr)
        else:
            self.say({"seed": {"open": {"game": game, "deal": deal, "seed": seed.hex()}}})

    def until(self, what, holds, seconds=30):
        end = time.monotonic() + seconds
        while not holds():
            self.pump()
            assert time.monotonic() < end, f"not in time: {what}"

    def do(self, family, command):
        """Gives a command and waits for its answer."""
        time.sleep(self.pace)
        self.command += 1
        number = self.command
        self.waiting[number] = {family: command}
        self.say({"command": {"id": number, "seen": self.n, "command": {family: command}}})
        self.until(f"an answer to {command}", lambda: number in self.answers)
        answer = self.answers[number]
        if answer != "done":
            self.refused.append([command, answer])
        return answer

    def break_off(self):
        self.socket.close()
        self.open()
        self.until("welcome back", lambda: self.resumed)


def is_set(cards):
    """Whether each of four features is the same on three cards or different on all: the digits of their numbers in base 3."""
    return all(sum(card // 3**feature % 3 for card in cards) % 3 == 0 for feature in range(4))


class SetPlayer:
    """Set, one pattern of three cards on an open layout: `race` in the views and notices."""

    family = "pattern"

    def __init__(self, view, seat):
        view = view["race"]
        state = view["state"]
        self.seat, self.phase = seat, state["phase"]
        self.board = [list(zone) for zone in state["board"]]
        self.open_at = state["open_at"]
        self.calling = state["call"] is not None and state["call"]["callers"] >> seat & 1 == 1
        self.called = state["call"] is not None
        self.flagged = state["flags"] >> seat & 1 == 1
        self.between = state["next_at"] is not None
        self.ready = state["ready"] >> seat & 1 == 1
        self.free_at = 0

    def learn(self, notice):
        kind, body = next(iter(notice["race"].items())) if isinstance(notice["race"], dict) else (notice["race"], {})
        if kind in ("dealt", "regrouped"):
            self.board, self.open_at, self.between = [list(zone) for zone in body["board"]], body["open_at"], False
            self.called, self.calling, self.flagged = False, False, False
        elif kind == "laid":
            for card in body["cards"]:
                zone = self.board[card["zone"]]
                zone.extend([None] * (card["slot"] + 1 - len(zone)))
                zone[card["slot"]] = card["card"]
            self.open_at, self.flagged = body["open_at"], False
        elif kind == "called":
            self.called, self.calling = True, self.calling or body["seat"] == self.seat
        elif kind == "judged":
            verdict = body["verdict"]
            self.called, self.calling = False, False
            self.board = [[None if card in verdict.get("taken", []) else card for card in zone] for zone in self.board]
            if verdict.get("taken"):
                self.flagged = False
            if verdict["seat"] == self.seat and isinstance(verdict["lock"], dict):
                self.free_at = verdict["lock"]["until"]
        elif kind == "call_closed":
            self.called, self.calling = False, False
        elif kind == "flag" and body["seat"] == self.seat:
            self.flagged = body["up"]
        elif kind == "flags_dropped":
            self.flagged = False
        elif kind == "next":
            self.between, self.ready, self.called, self.calling = True, False, False, False
        elif kind == "ready" and body["seat"] == self.seat:
            self.ready = True
        elif kind == "ended":
            return body["outcome"]
        return None

    def choose(self, now):
        if self.between:
            return None if self.ready else "ready"
        cards = [card for zone in self.board for card in zone if card is not None]
        found = next((triple for triple in itertools.combinations(cards, 3) if is_set(triple)), None)
        if self.calling and found:
            return {"claim": {"groups": [found]}}
        if self.called or not cards or now < max(self.open_at, self.free_at) + 5:
            return None
        if found:
            return "call"
        return None if self.flagged else "no_set"


class RummyPlayer:
    """Contract Rummy. A card is its suit times 16 and its rank from 1; 0 is a joker."""

    family = "contract"

    def __init__(self, view, seat):
        flow, board = view["flow"], view["board"]
        self.seat, self.rounds = seat, view["book"]["rounds"]
        self.round, self.phase, self.turn, self.top = flow["round"], flow["phase"], flow["turn"], flow["top"]
        self.asked = flow["asked"] if flow["phase"] == "offer" else 0
        self.down, self.fresh = flow["down"] >> seat & 1 == 1, flow["fresh"]
        self.hand = list(view["hand"])
        self.back = view["back"]
        self.melds = [meld["meld"] for meld in board["melds"]]
        self.tried = set()

    def learn(self, notice):
        kind, body = next(iter(notice.items())) if isinstance(notice, dict) else (notice, {})
        if kind == "dealt":
            self.hand, self.top = list(body["hand"]), body["top"]
        elif kind == "drew":
            self.phase = "play"
        elif kind == "round_over":
            self.phase = "deal"
        elif kind == "open":
            kind, body = next(iter(body.items())) if isinstance(body, dict) else (body, {})
            return self.learn_open(kind, body)
        return None

    def learn_open(self, kind, body):
        mine = self.turn == self.seat
        if kind == "round":
            self.round, self.melds, self.hand, self.down, self.phase = body["round"], [], [], False, "deal"
        elif kind == "turn":
            self.turn, self.phase, self.back, self.fresh = body["seat"], "start", None, False
            self.tried = set()
        elif kind == "back":
            self.phase = "forced" if body["forced"] else "start"
        elif kind == "offer":
            self.phase, self.asked = "offer", body["asked"]
        elif kind == "answered" and body["seat"] == self.seat:
            self.asked &= ~(1 << self.seat)
        elif kind == "took":
            self.asked, self.top = 0, body["top"]
            if body["seat"] == self.seat:
                self.hand.append(body["card"])
        elif kind == "penalty":
            self.hand.append(body["card"])
        elif kind == "drew":
            self.phase = "play"
            if body["discard"]:
                self.top = body["top"]
            if mine:
                self.hand.append(body["card"])
                self.back = body["card"] if body["discard"] and self.hand.count(body["card"]) == 1 else None
        elif kind == "melded":
            self.melds += body["melds"]
            if mine:
                self.down = self.fresh = True
                for card in (card["card"] for meld in body["melds"] for card in meld["cards"]):
                    self.hand.remove(card)
        elif kind == "laid_off":
            self.melds[body["on"] - 1] = body["meld"]
            if mine:
                for card in body["cards"]:
                    self.hand.remove(card)
        elif kind == "reclaimed":
            self.melds[body["from"] - 1] = body["meld"]
        elif kind == "discarded":
            self.top = body["card"]
            if mine:
                self.hand.remove(body["card"])
        elif kind == "over":
            return body
        return None

    def slots(self):
        return [slot.split("|")[0] for slot in self.rounds[self.round]["contracts"][0]]

    def meld(self, slots, hand):
        """Cards of the hand for each slot, jokers in groups only; none if that cannot be."""
        if not slots:
            return []
        kind, size = slots[0][0], int("".join(itertools.takewhile(str.isdigit, slots[0][1:])))
        for cards in self.groups(size, hand) if kind in "GP" else self.runs(size, hand):
            rest = list(hand)
            for card in cards:
                rest.remove(card)
            others = self.meld(slots[1:], rest)
            if others is not None:
                said = [{"card": card} for card in cards]
                return [{"kind": {"G": "group", "P": "pair", "R": "run"}[kind], "cards": said}] + others
        return None

    @staticmethod
    def groups(size, hand):
        jokers = [card for card in hand if card == 0]
        for rank in range(1, 14):
            cards = [card for card in hand if card and card % 16 == rank]
            if cards and len(cards) + len(jokers) >= size:
                yield (cards + jokers)[:size]

    @staticmethod
    def runs(size, hand):
        for suit in range(4):
            for low in range(1, 15 - size):
                cards = [suit * 16 + low + n for n in range(size)]
                if all(card in hand for card in cards):
                    yield cards

    def fits(self, card):
        """The number of a meld that a card can be laid off on, where that is plain."""
        for number, meld in enumerate(self.melds, 1):
            if meld["kind"] == "group" and card and card % 16 == meld["low"]:
                return number
            if meld["kind"] == "run" and card and meld["cards"]:
                low, high = meld["cards"][0]["as"], meld["cards"][-1]["as"]
                if card in (low - 1, high + 1) and card // 16 == low // 16 and 1 < card % 16 < 14:
                    return number
        return None

    def choose(self, _now):
        if self.phase == "offer":
            return "pass" if self.asked >> self.seat & 1 else None
        if self.turn != self.seat or not self.hand:
            return None
        if self.phase == "forced":
            return "draw_discard"
        if self.phase == "start":
            same = sum(1 for card in self.hand if self.top and card and card % 16 == self.top % 16)
            return "draw_discard" if (same >= 2 or self.top == 0) and not self.down else "draw_stock"
        if self.phase != "play":
            return None
        if not self.down and "meld" not in self.tried:
            self.tried.add("meld")
            if melds := self.meld(self.slots(), self.hand):
                return {"meld": {"melds": melds}}
        if self.down and not self.fresh and len(self.hand) > 1:
            for card in self.hand:
                number = self.fits(card)
                if number and (card, number) not in self.tried:
                    self.tried.add((card, number))
                    return {"lay_off": {"cards": [{"card": card}], "on": number}}
        # Lonely cards go first, then dear ones; jokers and a card just taken from the pile stay.
        keep = [card for card in self.hand if ("discard", card) not in self.tried]
        keep = [card for card in keep if card != self.back] or keep
        if not keep:
            return None
        lonely = lambda card: sum(1 for other in self.hand if other and other % 16 == card % 16)
        card = min(keep, key=lambda card: (card == 0, lonely(card), -(card % 16)))
        self.tried.add(("discard", card))
        return {"discard": {"card": card}}


def weakest(listed, game):
    """The weakest bot that people are offered for this game."""
    family = next(info["family"] for info in listed["games"] if info["id"] == game)
    offered = [bot for bot in listed["bots"] if bot["family"] == family and bot["level"] > 0]
    return min(offered, key=lambda bot: bot["level"])["kind"]


def play(base, game, seats, kind, pace, seconds):
    server = Http(base)
    server.ask("PUT", "/api/me", {"name": "Python"})
    kind = kind or weakest(server.ask("GET", "/api/games"), game)
    new = {"game": {"preset": game}, "seats": seats, "bots": [kind] * (seats - 1)}
    table = Table(server, server.ask("POST", "/api/tables", new)["id"], pace)
    table.until("the table", lambda: table.state is not None)
    table.say({"act": {"ready": {"ready": True}}})
    table.say({"act": "start"})
    table.until("the match", lambda: table.player is not None)
    end, broken = time.monotonic() + seconds, False
    while table.outcome is None:
        assert time.monotonic() < end, f"not over after {seconds} s: {table.refused[-3:]}"
        while table.pump(0.02):
            pass
        if table.command == 10 and not broken:
            broken = True
            table.break_off()
        if table.outcome is None and (command := table.player.choose(table.now())):
            table.do(table.player.family, command)
    result = {"outcome": table.outcome, "seat": table.seat, "commands": table.command}
    print(json.dumps(result | {"refused": table.refused, "resumed": table.resumed, "cookie": server.cookie}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("server", help="such as http://127.0.0.1:7420")
    parser.add_argument("game", help="a built-in game with one pattern on an open layout, or of the Contract Rummy family")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--bots", help="which kind sits in the other seats (default: the weakest)")
    parser.add_argument("--pace", type=float, default=0.06, help="seconds between two commands")
    parser.add_argument("--seconds", type=float, default=600, help="give up after so many")
    args = parser.parse_args()
    play(args.server, args.game, args.seats, args.bots, args.pace, args.seconds)


if __name__ == "__main__":
    sys.exit(main())
