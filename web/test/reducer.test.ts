/** The reducer: what follows from an input, as a state and effects; and every way in which a premove ends. */
import { describe, expect, test } from "vitest";
import type { ServerMessage } from "#protocol";
import { readFen } from "../src/chess/position";
import { applyInput, boardUsed, withUsedInput, reduce } from "../src/reducer";
import { type Change, notify } from "../src/reducer/effects";
import { navigate } from "../src/reducer/navigation";
import { joinPool } from "../src/reducer/pairing";
import { type App, type Route, firstApp, inputOf, withAnnouncement } from "../src/state/app";
import { type InputMode, NO_INPUT, cancel, cancelAll, clearInput, commit, onTurn, tap } from "../src/state/boardInput";
import { NO_FILTER } from "../src/state/gameFilter";
import { isUnknown } from "../src/state/people";
import { endPremoves, withGivenUp } from "../src/state/premove";
import { AT, GAME, WHITE, challenge, move, snapshot } from "./scene";
import { DEFAULT_SETTINGS } from "../src/state/settings";
import { FIRST_SETUP, challengeOf } from "../src/state/setup";

const app: App = {
  ...firstApp({ ...DEFAULT_SETTINGS, sound: false }, { at: "game", id: GAME }),
  account: WHITE,
};
const hear = (before: App, message: ServerMessage): Change =>
  reduce(before, { on: "message", message, arrival: AT, answers: null, now: 1000 });
const kinds = ({ effects }: Change): string[] =>
  effects.map((effect) =>
    effect.do === "send" || effect.do === "request" ? `${effect.do} ${effect.message.t}` : effect.do,
  );

describe("the reducer", () => {
  test("changes nothing of the state it is given, and answers the same twice", () => {
    const data = () => ({ ...app, text: null });
    const before = structuredClone(data());
    const message = { t: "snapshot" as const, d: snapshot() };
    expect(hear(app, message)).toEqual(hear(app, message));
    expect(data()).toEqual(before);
  });

  test("leaving a page ends its subscription, and the next one begins", () => {
    const shown = hear(app, { t: "snapshot", d: snapshot() }).app;
    expect(kinds(navigate(shown, { at: "home" }))).toEqual([
      "push",
      "request unwatch",
      "connect",
      "request enter_lobby",
    ]);
  });

  test("another filter of a player's games leaves the reader's place on the page; every other address begins at the top", () => {
    const player = { ...app, route: { at: "player", who: "Rook" } as const };
    const filtered = { ...player.route, filter: { ...NO_FILTER, fate: "won" } } as const;
    const isSamePage = (from: App, to: Route) =>
      navigate(from, to).effects.find((effect) => effect.do === "push")?.isSamePage;
    expect([isSamePage(player, filtered), isSamePage({ ...player, route: filtered }, player.route)]).toEqual([
      true,
      true,
    ]);
    expect([isSamePage(player, player.route), isSamePage(player, { at: "home" })]).toEqual([false, false]);
  });

  test("a name is told as taken to the page that asked for it, and to no other", () => {
    const named: ServerMessage = { t: "name", d: { name: "Castle" } };
    expect(hear(app, named).app.notice).toBeNull();
    const answers = { id: "n1", tries: 1, message: { t: "set_name" as const, d: { name: "Castle", id: "n1" } } };
    const told = reduce(app, { on: "message", message: { t: "ok", d: { id: "n1" } }, arrival: AT, answers, now: 1000 });
    expect(told.app.notice?.text).toBe("You are now Castle.");
  });

  test("a challenge to nobody is told in its form and read out, without a notice", () => {
    const message = {
      t: "create_challenge" as const,
      d: { ...challengeOf(FIRST_SETUP), to_name: "Nobody_Here", id: "c1" },
    };
    const answers = { id: "c1", tries: 1, message };
    const rejected: ServerMessage = { t: "rejected", d: { id: "c1", code: "unknown_account", message: "no" } };
    const told = reduce(app, { on: "message", message: rejected, arrival: AT, answers, now: 1000 }).app;
    expect([told.notice, told.announcement.text]).toEqual([null, "There is no such player."]);
    expect(["nobody_here ", "Nobody", ""].map((name) => isUnknown(told.people, name))).toEqual([true, false, false]);
  });

  test("what was read out of one page is not left for the next one", () => {
    const told = withAnnouncement(app, "White is better by 0.4");
    expect(navigate(told, { at: "home" }).app.announcement).toEqual({ text: "", n: told.announcement.n + 1 });
    expect(navigate(told, { at: "game", id: GAME }).app.announcement).toBe(told.announcement);
  });

  test("an invitation that was read and of which the server knows nothing any more keeps its terms, and may have run out", () => {
    const open: App = { ...app, invitations: { [GAME]: challenge(GAME) }, endsAt: { [GAME]: 2000 } };
    const at = (now: number) =>
      reduce(open, { on: "invitation", challenge: GAME, terms: null, code: "unknown_challenge", was: null, now }).app;
    expect(at(1999).gone[GAME]).toEqual({ code: null, terms: challenge(GAME) });
    expect(at(2000).gone[GAME]?.code).toBe("challenge_expired");
  });

  test("whoever reads an invitation that somebody else accepts is told so on the way to the game; whoever did not read it is not", () => {
    const taken = (before: App) =>
      reduce(before, {
        on: "invitation",
        challenge: GAME,
        terms: null,
        code: "challenge_taken",
        was: challenge(GAME),
        now: 0,
      });
    const read = taken({ ...app, invitations: { [GAME]: challenge(GAME) } });
    expect(read.app.notice?.text).toBe("Somebody else has accepted this invitation. You are watching the game.");
    expect([read, taken(app)].map(kinds)).toEqual([["request watch"], ["request watch"]]);
    expect(taken(app).app.notice).toBeNull();
  });

  test("the terms of a challenge are not read once it is a game, even if watch was rejected before", () => {
    const late: ServerMessage = {
      t: "rejected",
      d: { id: "watch", game: GAME, code: "unknown_game", message: "" },
    };
    const begun = hear(app, { t: "snapshot", d: snapshot() }).app;
    expect([kinds(hear(app, late)), kinds(hear(begun, late))]).toEqual([["fetchInvitation"], []]);
  });

  test("a notice about a game goes when an offer comes or the game ends, and not by a move; others stay", () => {
    const playing = hear(app, { t: "snapshot", d: snapshot() }).app;
    const told = notify(playing, "info", "You can offer a draw again from move 12 on.", GAME);
    const offered: ServerMessage = { t: "draw_offered", d: { game: GAME, seq: 2, by: "black" } };
    const ended: ServerMessage = {
      t: "ended",
      d: { game: GAME, seq: 2, white_ms: 1000, black_ms: 1000, score: "1/2-1/2", reason: "agreement" },
    };
    expect(hear(told, move(1)).app.notice).toEqual(told.notice);
    expect([offered, ended].map((message) => hear(told, message).app.notice)).toEqual([null, null]);
    const copied = notify(playing, "info", "Copied");
    expect(hear(copied, ended).app.notice).toEqual(copied.notice);
  });

  test("an own game that ends on another page is said, and stands on the home page until it was seen", () => {
    const playing = hear(app, { t: "snapshot", d: snapshot() }).app;
    const ended: ServerMessage = {
      t: "ended",
      d: { game: GAME, seq: 2, white_ms: 1000, black_ms: 1000, score: "1-0", reason: "resignation" },
    };
    expect(hear(playing, ended).app.endedAway).toEqual({});
    const away = hear(navigate(playing, { at: "home" }).app, ended).app;
    expect([away.endedAway, away.notice]).toEqual([{ [GAME]: true }, null]);
    expect(hear(navigate(playing, { at: "account" }).app, ended).app.notice?.kind).toBe("info");
    expect(away.announcement.text).toMatch(/^Your game against .+ has ended: /u);
    expect(navigate(away, { at: "game", id: GAME }).app.endedAway).toEqual({});
    expect(reduce(away, { on: "told", challenge: GAME }).app.endedAway).toEqual({});
  });

  test("a clock that only runs by its move is measured when the connection proves alive, and then no more", () => {
    const moved = [move(1), move(2)].reduce(
      (now, said) => hear(now, said).app,
      hear(app, { t: "snapshot", d: snapshot() }).app,
    );
    const measured = reduce(moved, { on: "alive" });
    expect(measured.effects).toEqual([
      { do: "request", message: { t: "watch", d: { game: GAME, id: "watch", after: 3 } } },
    ]);
    const clock = { id: "watch", game: GAME, seq: 3, white_ms: 1000, black_ms: 1000, running: "white" } as const;
    const answered = (isMeasured: boolean) =>
      reduce(moved, {
        on: "message",
        message: { t: "clock", d: clock },
        arrival: { ...AT, isMeasured },
        answers: null,
        now: 1000,
      }).app;
    expect(kinds(reduce(answered(false), { on: "alive" }))).toEqual(["request watch"]);
    expect(kinds(reduce(answered(true), { on: "alive" }))).toEqual([]);
    expect(kinds(reduce(navigate(moved, { at: "home" }).app, { on: "alive" }))).toEqual([]);
  });

  test("joining a pool drops older wishes and sends the new one", () => {
    const change = joinPool(app, "3+2", 1000);
    expect([change.app.pairing.wanted, kinds(change)]).toEqual(["3+2", ["discard", "send join_pool"]]);
  });

  test("a premove is sent when its turn comes", () => {
    const shown = hear(app, { t: "snapshot", d: snapshot() }).app;
    const game = shown.games[GAME];
    if (!game) throw new Error("the snapshot made a game");
    const waiting = applyInput(shown, game, { input: { ...NO_INPUT, premoves: ["e2e4"] } }).app;
    const change = hear(waiting, {
      t: "turn",
      d: { game: GAME, on: 1, legal: ["e2e4"], fen: game.fen, white_ms: null, black_ms: null },
    });
    expect([kinds(change), inputOf(change.app, GAME).premoves, inputOf(change.app, GAME).sent]).toEqual([
      ["send move"],
      [],
      { on: 1, uci: "e2e4" },
    ]);
    expect(kinds(hear(change.app, move(1)))).toContain("play");
  });

  test("a premove that is not possible when its turn comes is told and said, after the move", () => {
    const shown = withAnnouncement(hear(app, { t: "snapshot", d: snapshot() }).app, "Black: a6");
    const game = shown.games[GAME];
    if (!game) throw new Error("the snapshot made a game");
    const waiting = applyInput(shown, game, { input: { ...NO_INPUT, premoves: ["e2e5"] } }).app;
    const change = hear(waiting, {
      t: "turn",
      d: { game: GAME, on: 1, legal: ["e2e4"], fen: game.fen, white_ms: null, black_ms: null },
    });
    expect(kinds(change)).toEqual([]);
    expect(inputOf(change.app, GAME)).toEqual({ ...NO_INPUT, dropped: { on: 1, uci: "e2e5" } });
    expect(change.app.announcement.text).toBe("Black: a6. Premove e2–e5 was not possible");
  });
});

describe("that one premove is kept", () => {
  const shown = hear(app, { t: "snapshot", d: snapshot() }).app;
  const game = shown.games[GAME];
  if (!game) throw new Error("the snapshot made a game");
  const used = (before: App, ...premoves: string[]): App =>
    boardUsed(before, game, { input: { ...NO_INPUT, premoves } }).app;

  test("is said in every turn in which one is given up for another", () => {
    const first = used(shown, "e2e4");
    expect([first.onePremoveTold, first.announcement]).toEqual([null, shown.announcement]);
    const replaced = used(first, "d2d4");
    expect(replaced.onePremoveTold).toEqual({ game: GAME, on: game.on, first: "e2e4" });
    expect(replaced.announcement.text).toBe("Only d2–d4 is kept.");
    const later = { ...replaced, onePremoveTold: { game: GAME, on: 0, first: undefined } };
    expect(used(later, "c2c4").onePremoveTold).toEqual({ game: GAME, on: game.on, first: "d2d4" });
    const begun = boardUsed(first, game, { input: { ...NO_INPUT, premoves: ["e2e4"], selected: 11 } }).app;
    expect([begun.onePremoveTold, begun.announcement], "one is picked up").toEqual([null, shown.announcement]);
    expect(used(begun, "d2d4").announcement.text, "by two taps").toBe("Only d2–d4 is kept.");
  });

  test("is said whenever it is to be continued", () => {
    const told: App = { ...used(shown, "e2e4"), onePremoveTold: { game: GAME, on: 0, first: undefined } };
    const kept = boardUsed(told, game, { input: { ...NO_INPUT, premoves: ["e2e4"] }, isKept: true }).app;
    expect(kept.onePremoveTold).toEqual({ game: GAME, on: game.on, first: "e2e4" });
    expect(inputOf(kept, GAME).premoves).toEqual(["e2e4"]);
    expect(kept.announcement.n).toBe(told.announcement.n + 1);
  });

  test("the one that was given up comes back before the other, unless both are of one piece", () => {
    const set = (...premoves: string[]) => ({ ...NO_INPUT, premoves });
    expect(withGivenUp(set("d2d4"), "e2e4").premoves).toEqual(["e2e4", "d2d4"]);
    expect(withGivenUp(set("e2e3"), "e2e4").premoves).toEqual(["e2e3"]);
    expect(withGivenUp(set("e4e5"), "e2e4").premoves).toEqual(["e4e5"]);
    expect(withGivenUp(set("e2e4"), "e2e4").premoves).toEqual(["e2e4"]);
    expect(withGivenUp(set("d2d4")).premoves).toEqual(["d2d4"]);
  });

  test("is not said where there are several", () => {
    const several: App = { ...shown, settings: { ...shown.settings, premoves: "several" } };
    expect(used(used(several, "e2e4")).onePremoveTold).toBeNull();
  });
});

test("that a premove is taken away by its player is said, and in the status line until the next event", () => {
  const shown = hear(app, { t: "snapshot", d: snapshot() }).app;
  const on = shown.games[GAME]?.on;
  const set = withUsedInput(shown, GAME, { ...NO_INPUT, premoves: ["e2e4", "d2d4"] });
  expect(set.announcement).toEqual(shown.announcement);
  const one = withUsedInput(set, GAME, cancel(inputOf(set, GAME)));
  expect(one.announcement).toEqual({ text: "Premove cancelled", n: shown.announcement.n + 1 });
  expect(inputOf(one, GAME)).toEqual({ ...NO_INPUT, premoves: ["e2e4"], cancelledOn: on });
  const none = withUsedInput(one, GAME, endPremoves(inputOf(one, GAME)));
  expect(none.announcement.n).toBe(shown.announcement.n + 2);
  expect(withUsedInput(none, GAME, cancel(inputOf(none, GAME))), "there is none").toBe(none);
});

describe("a premove ends", () => {
  const position = readFen(snapshot().fen);
  const set = { ...NO_INPUT, premoves: ["e2e4"] };
  const ahead: InputMode = { kind: "premove", color: "white" };

  test("when another one replaces it", () => expect(commit(set, ahead, "d2d4").input.premoves).toEqual(["d2d4"]));
  test("by its button", () => expect(endPremoves(set).premoves).toEqual([]));
  test("by Escape", () => expect(cancel(set).premoves).toEqual([]));
  test("of several by a second tap on the piece where it leads", () => {
    const several: InputMode = { ...ahead, several: true };
    expect(tap({ ...set, selected: 28 }, position, several, 28).input.premoves).toEqual([]);
  });
  test("by typing cancel", () => expect(cancelAll(set).premoves).toEqual([]));
  test("when a move is played instead", () =>
    expect(commit(set, { kind: "move", legal: ["d2d4"], color: "white" }, "d2d4")).toMatchObject({
      input: { premoves: [] },
      play: "d2d4",
    }));
  test("when the turn comes and it is legal: it is played", () =>
    expect(onTurn(set, position, ["e2e4"], 1)).toMatchObject({ input: { premoves: [] }, play: "e2e4" }));
  test("when the turn comes and it is not legal: it is dropped", () =>
    expect(onTurn(set, position, ["d2d4"], 1).input.premoves).toEqual([]));
  test("with the game", () => expect(clearInput(set).premoves).toEqual([]));
});
