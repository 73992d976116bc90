/** Challenges after their end: what is kept for their owner, and the same challenge once more. */
import { describe, expect, test } from "vitest";
import { againOf, guessedEnd, loadKept, saveKept, withEnd, withKept, withoutKept } from "../src/state/invitations";
import { BLACK, GAME, WHITE, challenge } from "./scene";

const mine = { by: { account: WHITE, name: "Guest-W" } };

describe("again", () => {
  test("has the same terms and the owner's colour", () => {
    const terms = challenge(GAME, { ...mine, color: "black", fen: "8/8/8/8/8/8/8/K1k5 w - - 0 1", rated: true });
    const { time_control, variant, options, fen } = terms;
    expect(againOf(terms, WHITE)).toEqual({ time_control, variant, options, fen, rated: true, color: "black" });
  });

  test("leaves whoever was invited the colour they would have had, and a link a link", () => {
    expect(againOf(challenge(GAME, { color: "black" }), WHITE).color).toBe("white");
    const random = againOf(challenge(GAME), WHITE);
    expect(["color" in random, "to" in random]).toEqual([false, false]);
  });

  test("goes to the same player, or back to the one who challenged", () => {
    expect(againOf(challenge(GAME, { ...mine, to: BLACK }), WHITE).to).toBe(BLACK);
    expect(againOf(challenge(GAME, { to: WHITE }), WHITE).to).toBe(BLACK);
  });
});

describe("the end of a challenge", () => {
  test("is known better with each answer, and never worse", () => {
    const terms = challenge(GAME);
    const first = withEnd({}, GAME, { terms });
    expect(first[GAME]).toEqual({ code: null, terms });
    const second = withEnd(first, GAME, { code: "challenge_expired", terms: null });
    expect(second[GAME]).toEqual({ code: "challenge_expired", terms });
    expect(withEnd(second, GAME, { code: null })[GAME]?.code).toBe("challenge_expired");
  });

  test("is guessed only when its time is over", () => {
    expect([guessedEnd(1000, 999), guessedEnd(1000, 1000), guessedEnd(undefined, 1000)]).toEqual([
      null,
      "challenge_expired",
      null,
    ]);
  });
});

describe("what is kept for the owner", () => {
  test("is own challenges alone, without seeks and rematches, the newest eight", () => {
    const keep = (change: object) => Object.keys(withKept({}, challenge(GAME, change), WHITE, 1));
    expect([keep(mine), keep({}), keep({ ...mine, seek: true }), keep({ ...mine, rematch_of: "X" })]).toEqual([
      [GAME],
      [],
      [],
      [],
    ]);
    const ids = Array.from({ length: 10 }, (_, n) => `CHALLENGE00${n}`);
    const all = ids.reduce((kept, id) => withKept(kept, challenge(id, mine), WHITE, null), {});
    expect(Object.keys(all)).toEqual(ids.slice(2));
    expect(Object.keys(withoutKept(all, "CHALLENGE009")).length).toBe(7);
  });

  test("is there on the next visit; what cannot be read is not", () => {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    };
    const kept = withKept({}, challenge(GAME, mine), WHITE, 7);
    saveKept(storage, kept);
    expect(loadKept(storage)).toEqual(kept);
    for (const text of ["{", "null", "7", `{"${GAME}":null}`, `{"${GAME}":{"challenge":{"challenge":"${GAME}"}}}`]) {
      stored.set("zeitnot.challenges", text);
      expect(loadKept(storage)).toEqual({});
    }
  });
});
