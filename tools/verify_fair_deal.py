#!/usr/bin/env python3
"""Checks the fair deals of a match record (docs/fair-deal.md), without any part of the program.

    verify_fair_deal.py RECORD.jsonl     check every commitment and every draw of a record
    verify_fair_deal.py --vectors        read questions from standard input and print what chance answers (for tests)

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


def check(lines):
    """Checks a record; yields what is wrong, and returns how many draws were checked."""
    header = json.loads(lines[0])
    seats = len(header["seats"])
    commits, reveals, client_commits, opened, missing = {}, {}, {}, {}, set()
    draws = []
    for number, line in enumerate(lines[1:], 2):
        entry = json.loads(line)
        asked = None
        for note in entry.get("notes", []):
            if isinstance(note, str):
                continue
            (kind, about), = note.items()
            if kind == "commit":
                if about["deal"] in commits:
                    yield number, "deal %d is committed to twice" % about["deal"]
                if any(deal == about["deal"] for deal, _ in client_commits):
                    yield number, "the server committed to deal %d after a client had" % about["deal"]
                commits[about["deal"]] = bytes.fromhex(about["hash"])
            elif kind == "client_commit":
                client_commits[about["deal"], about["seat"]] = bytes.fromhex(about["hash"])
            elif kind == "open":
                place = about["deal"], about["seat"]
                seed = bytes.fromhex(about["seed"])
                if client_commits.get(place) != hashlib.sha256(seed).digest():
                    yield number, "seat %d opened a seed for deal %d that it had not committed to" % (place[1], place[0])
                opened[place] = seed
            elif kind == "missing":
                missing.add((about["deal"], about["seat"]))
            elif kind == "reveal":
                reveals[about["deal"]] = bytes.fromhex(about["seed"])
            elif kind == "asked":
                asked = about["need"]
        if "draw" in (entry.get("input") or {}):
            if asked is None:
                yield number, "the record does not say what was drawn for"
            else:
                draws.append((number, asked, entry["input"]["draw"]))
    for deal, seed in sorted(reveals.items()):
        if deal not in commits:
            yield 0, "the seed of deal %d is shown, but was never committed to" % deal
        elif commits[deal] != hashlib.sha256(seed).digest():
            yield 0, "the seed of deal %d is not the one committed to" % deal
    checked = 0
    for number, need, drawn in draws:
        deal = deal_of(need)
        if deal not in reveals:
            continue
        clients = [opened.get((deal, seat)) for seat in range(seats)]
        if Deal(header["match"], deal, reveals[deal], clients).answer(need) != drawn:
            yield number, "this is not what the seeds of deal %d give" % deal
        checked += 1
    print("%d of %d draws checked, %d deals, %d seeds missing" % (checked, len(draws), len(commits), len(missing)))


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
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = [line for line in file.read().splitlines() if line.strip()]
    wrong = 0
    for number, text in check(lines):
        wrong += 1
        print("%s:%s %s" % (sys.argv[1], "%d:" % number if number else "", text))
    print("wrong" if wrong else "all is well")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
