#!/usr/bin/env python3
"""Checks the fair deals of a match record (docs/fair-deal.md), without any part of the program.

    verify_fair_deal.py RECORD.jsonl     check every commitment and every draw of a record
    verify_fair_deal.py --vectors        read questions from standard input and print what chance answers (for tests)

Exit status: 0 all is well, 1 something is wrong, 2 the file cannot be read, 3 nothing is wrong but not all could be checked.
Whether the cards were played by the rules is not checked here: that is what `parlour verify` does.

Python 3 and its standard library are enough. SHA-256 and HMAC come from there; HKDF (RFC 5869), ChaCha20 (RFC 8439) and
the draws are written out below, so that they can be read.
"""

import hashlib
import hmac
import json
import struct
import sys

SALT = b"parlour fair-deal-1"
STAND_IN = hashlib.sha256(b"parlour stand-in").digest()


def prefixed(data):
    """The length in four bytes, big end first, and then the data."""
    return struct.pack(">I", len(data)) + data


def hkdf_extract(salt, secret):
    return hmac.new(salt, secret, hashlib.sha256).digest()


def hkdf_expand_32(key, info):
    """32 bytes: the first block of HKDF-Expand."""
    return hmac.new(key, info + b"\x01", hashlib.sha256).digest()


def rotate(word, bits):
    return (word << bits | word >> 32 - bits) & 0xFFFFFFFF


def quarter_round(s, a, b, c, d):
    s[a] = (s[a] + s[b]) & 0xFFFFFFFF
    s[d] = rotate(s[d] ^ s[a], 16)
    s[c] = (s[c] + s[d]) & 0xFFFFFFFF
    s[b] = rotate(s[b] ^ s[c], 12)
    s[a] = (s[a] + s[b]) & 0xFFFFFFFF
    s[d] = rotate(s[d] ^ s[a], 8)
    s[c] = (s[c] + s[d]) & 0xFFFFFFFF
    s[b] = rotate(s[b] ^ s[c], 7)


def chacha20_words(key):
    """The key stream in words of 32 bits: nonce 0, block counter from 0."""
    counter = 0
    while True:
        start = list(struct.unpack("<16I", b"expand 32-byte k" + key + struct.pack("<4I", counter, 0, 0, 0)))
        s = list(start)
        for _ in range(10):
            quarter_round(s, 0, 4, 8, 12)
            quarter_round(s, 1, 5, 9, 13)
            quarter_round(s, 2, 6, 10, 14)
            quarter_round(s, 3, 7, 11, 15)
            quarter_round(s, 0, 5, 10, 15)
            quarter_round(s, 1, 6, 11, 12)
            quarter_round(s, 2, 7, 8, 13)
            quarter_round(s, 3, 4, 9, 14)
        for word, first in zip(s, start):
            yield (word + first) & 0xFFFFFFFF
        counter += 1


def below(words, bound):
    """Uniform in 0 .. bound - 1: words from the last, incomplete round are thrown away."""
    complete = 2**32 - 2**32 % bound
    while True:
        word = next(words)
        if word < complete:
            return word % bound


class Deal:
    """All chance of one deal."""

    def __init__(self, match, deal, server, clients):
        seeds = prefixed(server) + b"".join(prefixed(seed or STAND_IN) for seed in clients)
        self.key = hkdf_extract(SALT, seeds)
        self.context = prefixed(match.encode()) + struct.pack(">I", deal)

    def words(self, label):
        return chacha20_words(hkdf_expand_32(self.key, self.context + prefixed(label.encode())))

    def answer(self, need):
        """What chance answers; `need` and the answer are as they stand in a record."""
        (kind, about), = need.items()
        if kind == "dealer":
            return {"pick": below(self.words("dealer"), about["seats"])}
        if kind == "pick":
            return {"pick": below(self.words("pick/%d" % about["nth"]), about["of"])}
        if kind == "cut":
            words = self.words("cut")
            if about["noise"] is not None:
                first = below(words, about["noise"] + 1)
                return {"noise": first - below(words, about["noise"] + 1)}
            return {"noise": below(words, 2 * about["spread"] + 1) - about["spread"]}
        if kind == "shuffle":
            words = self.words("shuffle/%d" % about["nth"])
            order = list(range(about["cards"]))
            for last in range(len(order) - 1, 0, -1):
                other = below(words, last + 1)
                order[last], order[other] = order[other], order[last]
            return {"order": order}
        raise ValueError("an unknown question: %s" % kind)


def deal_of(need):
    """The deal that a question belongs to; who deals first belongs to the first."""
    (kind, about), = need.items()
    return 1 if kind == "dealer" else about["deal"]


def hash_of_header(header):
    """What the name of a match ends with: the hash of its header without that name and without those of the people."""
    bound = {key: value for key, value in header.items() if key != "match"}
    bound["seats"] = [{key: value for key, value in seat.items() if key != "name"} for seat in header["seats"]]
    text = json.dumps(bound, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


class Seeds:
    """What a record says of the seeds of one deal."""

    def __init__(self, hash_):
        self.hash, self.closed, self.drawn, self.revealed = hash_, None, False, False
        self.clients, self.unbound, self.opened, self.missing = {}, set(), {}, set()


class Record:
    """A record as far as its seeds go. `wrong` and `open` say what is wrong, and what could not be checked."""

    def __init__(self, lines):
        self.header = json.loads(lines[0])
        self.entries = [json.loads(line) for line in lines[1:]]
        self.seats = self.header["seats"]
        self.sits = [(seat["name"], seat["kind"]) for seat in self.seats]
        self.deals, self.wrong, self.open, self.absent, self.checked = {}, [], [], {}, 0
        hashes = {}
        self.servers = {}
        for entry in self.entries:
            for kind, about in notes(entry):
                if kind == "commit":
                    hashes.setdefault(about["deal"], about["hash"])
                elif kind in ("secret", "reveal") and hashes.get(about["deal"]) == sha256(about["seed"]):
                    self.servers[about["deal"]] = about["seed"]

    def say(self, number, text):
        self.wrong.append((number, text))

    def check(self):
        name, _, hash_ = self.header["match"].rpartition("-")
        if self.header["schema"] >= 2 or (name and len(hash_) == 64):
            if hash_ != hash_of_header(self.header):
                self.say(1, "the header is not the one that the name of the match binds")
        else:
            self.open.append("nothing binds the header to the deals, as in all records of version 1")
        fair = self.header["shuffle"] == "fair-deal-1"
        if not fair:
            self.open.append("the cards come from no seeds")
        unchecked = 0
        for number, entry in enumerate(self.entries, 2):
            if entry["ply"] != number - 1:
                self.say(number, "entry %s stands where entry %d should" % (entry["ply"], number - 1))
            asked = []
            for kind, about in notes(entry):
                if kind == "asked":
                    asked.append(about["need"])
                elif kind == "sits":
                    self.sits[about["seat"]] = about["who"]["name"], about["who"]["kind"]
                else:
                    self.note(number, kind, about)
            if "draw" not in (entry.get("input") or {}):
                continue
            if len(asked) != 1:
                self.say(number, "the record does not say what was drawn for")
            elif fair:
                unchecked += not self.draw(number, asked[0], entry["input"]["draw"])
        if unchecked:
            self.open.append("%d draws have no seeds to check them by" % unchecked)
        unshown = [str(deal) for deal, seeds in sorted(self.deals.items()) if seeds.drawn and not seeds.revealed]
        if unshown:
            self.open.append("the server's seed of deals %s was not shown" % ", ".join(unshown))

    def note(self, number, kind, about):
        if kind not in ("commit", "secret", "client_commit", "unbound", "open", "missing", "reveal"):
            return
        deal, seat = about["deal"], about.get("seat")
        if kind == "commit":
            if deal in self.deals:
                self.say(number, "the server bound itself for deal %d twice" % deal)
            self.deals[deal] = Seeds(about["hash"])
            return
        seeds = self.deals.get(deal)
        if seeds is None:
            self.say(number, "there is a seed for deal %d, for which the server was not bound" % deal)
        elif kind in ("secret", "reveal"):
            if sha256(about["seed"]) != seeds.hash:
                self.say(number, "the server shows another seed for deal %d than it was bound to" % deal)
            seeds.revealed |= kind == "reveal"
        elif kind in ("client_commit", "unbound"):
            # All in one entry, before anything is drawn.
            seeds.closed = seeds.closed or number
            if seeds.drawn or seeds.closed != number or seat in seeds.clients or seat in seeds.unbound:
                self.say(number, "it was settled before whether seat %d is bound for deal %d" % (seat, deal))
            elif kind == "unbound":
                seeds.unbound.add(seat)
            else:
                seeds.clients[seat] = about["hash"]
        elif seeds.drawn or seat in seeds.opened or seat in seeds.missing:
            self.say(number, "it was settled before what seat %d opens for deal %d" % (seat, deal))
        elif kind == "missing":
            if seat not in seeds.clients:
                self.say(number, "seat %d was bound to no seed for deal %d that could be missing" % (seat, deal))
            seeds.missing.add(seat)
        else:
            if seeds.clients.get(seat) != sha256(about["seed"]):
                self.say(number, "seat %d opened another seed for deal %d than it was bound to" % (seat, deal))
            seeds.opened[seat] = about["seed"]

    def draw(self, number, need, drawn):
        """Whether the draw could be checked."""
        deal = deal_of(need)
        seeds = self.deals.get(deal)
        if seeds is None:
            self.say(number, "deal %d was drawn before the server was bound to a seed" % deal)
            return True
        if seeds.revealed:
            self.say(number, "deal %d was drawn from after its seed was shown" % deal)
        if not seeds.drawn:
            seeds.drawn = True
            for seat, (name, kind) in enumerate(self.sits):
                if seat in seeds.missing:
                    why = "did not open its seed"
                elif seat in seeds.unbound:
                    why = "was connected but bound to no seed"
                elif seat not in seeds.clients and kind == "person":
                    why = "was away and had no seed"
                else:
                    if seat in seeds.clients and seat not in seeds.opened:
                        self.say(number, "it is not said what became of the seed of seat %d for deal %d" % (seat, deal))
                    continue
                self.absent.setdefault((seat, why, name), []).append(deal)
        if deal not in self.servers:
            return False
        clients = [bytes.fromhex(seeds.opened.get(seat, "")) for seat in range(len(self.seats))]
        if Deal(self.header["match"], deal, bytes.fromhex(self.servers[deal]), clients).answer(need) != drawn:
            self.say(number, "this is not what the seeds of deal %d give" % deal)
        else:
            self.checked += 1
        return True


def notes(entry):
    """The notes of an entry that say something of something."""
    return [item for note in entry.get("notes", []) if isinstance(note, dict) for item in note.items()]


def sha256(seed):
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def vectors():
    for line in sys.stdin:
        ask = json.loads(line)
        clients = [seed and bytes.fromhex(seed) for seed in ask["clients"]]
        deal = Deal(ask["match"], deal_of(ask["need"]), bytes.fromhex(ask["server"]), clients)
        print(json.dumps(deal.answer(ask["need"])))


def main():
    if sys.argv[1:] == ["--vectors"]:
        vectors()
        return 0
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 2
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            lines = [line for line in file.read().splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as why:
        print("%s cannot be read: %s" % (sys.argv[1], why))
        return 2
    try:
        record = Record(lines)
        record.check()
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as why:
        print("%s: this is no match record: %r" % (sys.argv[1], why))
        return 1
    for number, text in record.wrong:
        print("%s:%d: %s" % (sys.argv[1], number, text))
    for (seat, why, name), deals in sorted(record.absent.items()):
        print("seat %d (%s) %s in deal%s %s" % (seat, name, why, "s" if len(deals) > 1 else "", ", ".join(map(str, deals))))
    for text in record.open:
        print("not checked: " + text)
    print("%d draws of %d deals follow from the seeds" % (record.checked, sum(s.drawn for s in record.deals.values())))
    print("wrong" if record.wrong else "not all could be checked" if record.open else "all is well")
    return 1 if record.wrong else 3 if record.open else 0


if __name__ == "__main__":
    sys.exit(main())
