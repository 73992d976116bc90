/** What goes on around a game: chat in its rooms, a rematch, and the proof of its result. */
import { describe, expect, test } from "vitest";
import type { Challenge, ChatRoom, OutcomeView, ServerMessage } from "#protocol";
import { aboutGame, endsWith, put } from "zeitnot-client";
import { START_FEN, readFen, writeFen } from "../src/chess/position";
import { type App, firstApp, receive } from "../src/state/app";
import { KEPT_MS, LINES_MAX, chatOf, lastLine, markRead, onTheWay, roomsOf } from "../src/state/chat";
import { parseCommand } from "../src/state/typedCommands";
import { announceOther } from "../src/state/announcements";
import { isDecidedByProof, proofMoves, proofPositions } from "../src/state/proof";
import { KEPT_MAX, isKeptSame, isRematch, loadRematches, poolOf, saveRematches } from "../src/state/rematch";
import { NO_INPUT, proveTo, stepTo } from "../src/state/boardInput";
import { catalogue as de } from "../src/text/de";
import { catalogue as en } from "../src/text/en";
import { seriesOf } from "../src/state/series";
import { showPoints, speakUci } from "../src/text/words";
import { AT, BLACK, GAME, WHITE, snapshot } from "./scene";
import { DEFAULT_SETTINGS } from "../src/state/settings";

const NEXT = "9zYxWvUtSrQp";
const later = (ms: number) => ({ at: AT.at + KEPT_MS + ms, travelled: 0 });
const welcome: ServerMessage = { t: "welcome", d: { account: WHITE, boot: "b", epoch: "e", limits: {} as never } };
const started = (): App =>
  receive(
    receive(firstApp(DEFAULT_SETTINGS, { at: "game", id: GAME }), welcome, AT, null),
    { t: "snapshot", d: snapshot() },
    AT,
    null,
  );
const said = (
  n: number,
  text: string,
  by = BLACK,
  room: ChatRoom = "players",
  at = 1,
): Extract<ServerMessage, { t: "said" }> => ({
  t: "said",
  d: { game: GAME, room, n, by: { account: by, name: "Somebody" }, text, at },
});
const room = (app: App, which: ChatRoom = "players") => chatOf(app, GAME)[which];

describe("chat", () => {
  test("lines come in order, each once, also after a reconnect that says them again", () => {
    let app = [said(1, "hello"), said(2, "hi", WHITE), said(1, "hello")].reduce<App>(
      (before, line) => receive(before, line, AT, null),
      started(),
    );
    app = receive(receive(app, welcome, later(0), null), said(2, "hi", WHITE), later(1), null);
    app = receive(app, said(3, "well"), later(2), null);
    expect(room(app).lines.map((line) => line.text)).toEqual(["hello", "hi", "well"]);
    // A room that began anew counts from 1 again: that is another line.
    app = receive(app, said(1, "again", BLACK, "players", 99), later(3), null);
    expect(room(app).lines.map((line) => line.text)).toEqual(["hello", "hi", "well", "again"]);
  });

  test("what others say is unread until somebody looks; one's own is not", () => {
    const app = [said(1, "hello"), said(2, "hi", WHITE)].reduce<App>(
      (before, line) => receive(before, line, AT, null),
      started(),
    );
    expect([room(app).unread, room(app, "spectators").unread]).toEqual([1, 0]);
    expect(markRead(chatOf(app, GAME), "players").players.unread).toBe(0);
    const chat = markRead(chatOf(app, GAME), "players");
    expect(markRead(chat, "players")).toBe(chat);
  });

  test("only so many lines are kept", () => {
    let app = started();
    for (let n = 1; n <= LINES_MAX + 5; n += 1) app = receive(app, said(n, `line ${n}`), AT, null);
    expect([room(app).lines.length, room(app).lines[0]?.n]).toEqual([LINES_MAX, 6]);
  });

  test("what was said before one came is neither read out nor heard; what comes after is", () => {
    const before = started();
    const kept = receive(before, said(1, "earlier"), AT, null);
    expect([room(kept).isNews, announceOther(en, said(1, "earlier"), before, kept).sound]).toEqual([false, null]);
    const news = receive(kept, said(2, "now"), later(0), null);
    expect([room(news).isNews, announceOther(en, said(2, "now"), kept, news).sound]).toEqual([true, "chat"]);
    expect(announceOther(en, said(2, "now"), news, receive(news, said(2, "now"), later(1), null)).sound).toBeNull();
    const hidden = { ...kept, settings: { ...kept.settings, hideChat: true } };
    expect(announceOther(en, said(2, "now"), hidden, receive(hidden, said(2, "now"), later(0), null)).sound).toBeNull();
  });

  test("the last line is that of any room, but of nobody whom one has muted", () => {
    const app = [said(1, "hello", WHITE), said(2, "hi"), said(1, "fine", "third", "spectators", 2)].reduce<App>(
      (before, line) => receive(before, line, AT, null),
      started(),
    );
    const last = (...of: Parameters<typeof lastLine>) => lastLine(...of)?.line.text;
    expect(last(chatOf(app, GAME), ["players", "spectators"], [])).toBe("fine");
    expect(last(chatOf(app, GAME), ["players"], [])).toBe("hi");
    expect(last(chatOf(app, GAME), ["players", "spectators"], ["third", BLACK])).toBe("hello");
    expect(lastLine(chatOf(started(), GAME), ["players"], [])).toBeNull();
  });

  test("players have a room to themselves, and join the spectators when the game is over", () => {
    expect([
      roomsOf({ phase: "playing" }, true),
      roomsOf({ phase: "deciding" }, true),
      roomsOf({ phase: "ended" }, true),
    ]).toEqual([["players"], ["players"], ["players", "spectators"]]);
    expect([roomsOf({ phase: "playing" }, false), roomsOf({ phase: "ended" }, false)]).toEqual([
      ["spectators"],
      ["spectators"],
    ]);
  });

  test("what is on its way is shown as such, is no act in the game, and outlives its end", () => {
    const { outbox, pending } = put([], { t: "say", d: { game: GAME, room: "players", text: "hello" } }, "c1");
    expect([onTheWay(outbox, GAME, "players"), onTheWay(outbox, GAME, "spectators")]).toEqual([
      [{ id: "c1", text: "hello" }],
      [],
    ]);
    expect(aboutGame(outbox, GAME)).toEqual([]);
    expect(endsWith(pending, GAME)).toBe(false);
    expect(endsWith(put([], { t: "resign", d: { game: GAME } }, "c2").pending, GAME)).toBe(true);
  });

  test("a rejected post comes back", () => {
    const { pending } = put([], { t: "say", d: { game: GAME, room: "players", text: "hello" } }, "c1");
    const post = receive(
      started(),
      { t: "rejected", d: { id: "c1", game: GAME, code: "chat_too_fast", message: "" } },
      AT,
      pending,
    );
    expect([room(post).rejected, room(post).lines, room(post).isClosed]).toEqual([{ text: "hello", n: 1 }, [], false]);
    const closed = receive(
      started(),
      { t: "rejected", d: { id: "c1", game: GAME, code: "not_your_room", message: "" } },
      AT,
      pending,
    );
    expect([room(closed).isClosed, room(closed, "spectators").isClosed]).toEqual([true, false]);
  });

  test("is typed after a word", () => {
    const read = (text: string, catalogue = en) =>
      parseCommand(text, catalogue, { kind: "look" }, readFen(snapshot().fen));
    expect([read("say  Good luck! "), read("say"), read("sagen Hallo", de)]).toEqual([
      { kind: "say", text: "Good luck!" },
      { kind: "say", text: "" },
      { kind: "say", text: "Hallo" },
    ]);
  });
});

const offerOf = (by: string): Extract<ServerMessage, { t: "challenge" }> => ({
  t: "challenge",
  d: {
    challenge: NEXT,
    by: { account: by, name: "Somebody" },
    to: by === WHITE ? BLACK : WHITE,
    color: "black",
    variant: "standard",
    time_control: snapshot().time_control,
    options: snapshot().options,
    rematch_of: GAME,
  } satisfies Challenge,
});

describe("a rematch", () => {
  const offer = offerOf;
  const gone = (d: object = {}): ServerMessage => ({ t: "challenge_gone", d: { challenge: NEXT, ...d } });
  const state = (app: App) => app.rematches[GAME]?.state;

  test("is offered by one of the two, and said", () => {
    const before = started();
    const theirs = receive(before, offer(BLACK), AT, null);
    expect([theirs.rematches[GAME]?.by, announceOther(en, offer(BLACK), before, theirs)]).toEqual([
      "them",
      { say: "Somebody offers a rematch.", sound: "offer" },
    ]);
    expect(announceOther(en, offer(BLACK), theirs, receive(theirs, offer(BLACK), AT, null)).say).toBeNull();
    const mine = receive(before, offer(WHITE), AT, null);
    expect([mine.rematches[GAME]?.by, announceOther(en, offer(WHITE), before, mine).say]).toEqual([
      "me",
      "Rematch offered",
    ]);
  });

  test("that is declined says why, that is withdrawn is no more", () => {
    const mine = receive(started(), offer(WHITE), AT, null);
    const declined = receive(mine, gone({ declined: "later" }), AT, null);
    expect([state(declined), declined.rematches[GAME]?.reason, isRematch(declined.rematches, GAME, NEXT)]).toEqual([
      "declined",
      "later",
      false,
    ]);
    expect(announceOther(en, gone({ declined: "later" }), mine, declined).say).toContain("Maybe later.");
    // Whoever gives no reason is not quoted.
    const plain = receive(mine, gone({ declined: "no" }), AT, null);
    expect(announceOther(en, gone({ declined: "no" }), mine, plain).say).toBe("The rematch was declined.");
    const withdrawn = receive(mine, gone(), AT, null);
    expect([state(withdrawn), announceOther(en, gone(), mine, withdrawn).say]).toEqual([
      undefined,
      "The offer of a rematch no longer stands.",
    ]);
  });

  test("that one has declined oneself is said to be declined, without one's own reason", () => {
    const theirs = receive(started(), offer(BLACK), AT, null);
    const declined = receive(theirs, gone({ declined: "later" }), AT, null);
    expect(announceOther(en, gone({ declined: "later" }), theirs, declined).say).toBe("The rematch was declined.");
    const begun = receive(theirs, gone({ game: NEXT }), AT, null);
    expect(announceOther(en, gone({ game: NEXT }), theirs, begun).say).toBeNull();
  });

  test("that is accepted leads to its game, also if that happened while the connection was lost", () => {
    const mine = receive(started(), offer(WHITE), AT, null);
    expect(isRematch(receive(mine, gone({ game: NEXT }), AT, null).rematches, GAME, NEXT)).toBe(true);
    const back = receive(mine, welcome, later(0), null);
    expect([state(back), isRematch(back.rematches, GAME, NEXT), isRematch(back.rematches, GAME, GAME)]).toEqual([
      "unsure",
      true,
      false,
    ]);
    expect(state(receive(back, offer(WHITE), later(1), null))).toBe("open");
    const begun = receive(back, { t: "snapshot", d: snapshot({ game: NEXT }) }, later(1), null);
    expect([state(begun), isRematch(begun.rematches, GAME, NEXT)]).toEqual(["begun", false]);
  });

  test("has the score of the games before it, during the game, after it and on the next visit, for both sides", () => {
    const players = (white: string) => {
      const [one, two] = [
        { account: WHITE, name: "One" },
        { account: BLACK, name: "Two" },
      ];
      return white === WHITE ? { white: one, black: two } : { white: two, black: one };
    };
    const begun = (id: string, white: string): ServerMessage => ({
      t: "snapshot",
      d: snapshot({ game: id, players: players(white) }),
    });
    const ended = (id: string, white: string, score: OutcomeView["score"]): ServerMessage => {
      const state = { phase: "ended", outcome: { score, reason: "agreement" } } as const;
      return { t: "snapshot", d: snapshot({ game: id, players: players(white), state }) };
    };
    const score = ({ rematches, games }: App, seat: "white" | "black") => {
      const game = games[NEXT];
      return game && seriesOf(rematches, game, seat);
    };
    const fold = (app: App, ...messages: readonly ServerMessage[]): App =>
      messages.reduce((at, message) => receive(at, message, AT, null), app);
    const during = fold(started(), ended(GAME, WHITE, "0-1"), offer(WHITE), gone({ game: NEXT }), begun(NEXT, BLACK));
    // The account of the page, White of the first game, has lost that.
    expect(score(during, "black")).toEqual({ games: 1, own: 0, theirs: 1 });
    const after = fold(during, ended(NEXT, BLACK, "1/2-1/2"));
    expect(score(after, "black")).toEqual({ games: 2, own: 0.5, theirs: 1.5 });
    // Aborted games are none: neither this one, after which nothing is said, nor the one before it.
    expect(score(fold(during, ended(NEXT, BLACK, "*")), "black")).toBeNull();
    const none = fold(started(), ended(GAME, WHITE, "*"), offer(WHITE), gone({ game: NEXT }), begun(NEXT, BLACK));
    expect(score(none, "black")).toBeNull();
    expect(score(fold(none, ended(NEXT, BLACK, "0-1")), "black")).toEqual({ games: 1, own: 1, theirs: 0 });
    const first = after.games[GAME];
    expect(first && seriesOf(after.rematches, first, "white")).toBeNull();
    const stored = new Map<string, string>();
    saveRematches({ setItem: (key, value) => void stored.set(key, value) }, during.rematches);
    const rematches = loadRematches({ getItem: (key) => stored.get(key) ?? null });
    expect(score(fold({ ...started(), rematches }, begun(NEXT, BLACK)), "black")).toEqual({
      games: 1,
      own: 0,
      theirs: 1,
    });
    // The game before it is not known: nothing is said until it is.
    const unknown = loadRematches({ getItem: () => JSON.stringify({ [GAME]: { next: NEXT } }) });
    const without = fold({ ...started(), games: {}, rematches: unknown }, begun(NEXT, BLACK));
    expect(score(without, "black")).toBeNull();
    expect(score(fold(without, ended(GAME, WHITE, "0-1")), "black")).toEqual({ games: 1, own: 0, theirs: 1 });
    expect([0, 0.5, 1, 1.5].map(showPoints)).toEqual(["0", "½", "1", "1½"]);
  });

  test("that has begun is known on the next visit; what cannot be read is not", () => {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    };
    const open = receive(started(), offer(WHITE), AT, null);
    saveRematches(storage, open.rematches);
    expect(loadRematches(storage)).toEqual({});
    saveRematches(storage, receive(open, { t: "snapshot", d: snapshot({ game: NEXT }) }, AT, null).rematches);
    expect(loadRematches(storage)).toEqual({
      [GAME]: { challenge: NEXT, by: "me", state: "begun", reason: null, score: null },
    });
    const many = Object.fromEntries(Array.from({ length: KEPT_MAX + 9 }, (_, n) => [`g${n}`, { next: `next${n}` }]));
    stored.set("zeitnot.rematches", JSON.stringify(many));
    expect(Object.keys(loadRematches(storage))).toEqual(Object.keys(many).slice(9));
    for (const text of ["{", "null", "7", `{"${GAME}":null}`, `{"${GAME}":{"next":1}}`, `{"${GAME}":"${NEXT}"}`]) {
      stored.set("zeitnot.rematches", text);
      expect(loadRematches(storage)).toEqual({});
    }
  });
});

describe("what is kept of rematches", () => {
  test("is written when one has begun, and not with an offer or a new connection", () => {
    const offered = receive(started(), offerOf(BLACK), AT, null);
    const again = receive(offered, welcome, later(0), null);
    const begun = receive(again, { t: "snapshot", d: snapshot({ game: NEXT }) }, later(1), null);
    const same = (one: App, two: App): boolean => isKeptSame(one.rematches, two.rematches);
    expect([same(started(), offered), same(offered, again), same(again, begun)]).toEqual([true, true, false]);
    expect(same(begun, receive(begun, welcome, later(2), null))).toBe(true);
  });
});

describe("another opponent", () => {
  const game = (change: object = {}) =>
    poolOf({
      control: { kind: "clock", periods: [{ base_ms: 180_000, increment_ms: 2000 }] },
      variant: "standard",
      startFen: START_FEN,
      ...change,
    });
  test("waits in the pool of the same game", () => {
    expect([game(), game({ control: { kind: "clock", periods: [{ base_ms: 60_000 }] } })]).toEqual(["3+2", "1+0"]);
  });

  test.each([
    { control: { kind: "unlimited" } },
    { control: { kind: "clock", periods: [{ base_ms: 180_000, delay_ms: 2000 }] } },
    { control: { kind: "clock", periods: [{ base_ms: 240_000 }] } },
    { control: { kind: "clock", periods: [{ base_ms: 180_000, increment_ms: 2000, moves: 40 }, { base_ms: 60_000 }] } },
    { variant: "chess960" },
    { startFen: "8/8/8/8/8/8/8/8 w - - 0 1" },
    {
      control: {
        kind: "clock",
        periods: [{ base_ms: 180_000, increment_ms: 2000 }],
        black_periods: [{ base_ms: 1000 }],
      },
    },
  ])("has no pool for %j", (change) => {
    expect(game(change)).toBeNull();
  });
});

describe("a proof", () => {
  const line = ["g2g4", "d8h4"];
  const end = readFen("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2");

  test("with a line is played from the last position on", () => {
    expect(proofMoves({ score: "0-1", reason: "resignation", proof: { helpmate: line } })).toEqual(line);
    expect(proofPositions(end, line).map((position) => writeFen(position).split(" ")[0])).toEqual([
      "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR",
      "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR",
      "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR",
    ]);
  });

  test("without one is not", () => {
    for (const proof of ["material", { exhaustive: { positions: 3 } }, { helpmate: [] }] as const)
      expect(proofMoves({ score: "1/2-1/2", reason: "dead_position", proof: proof as never })).toEqual([]);
    expect([proofMoves(null), proofMoves({ score: "1-0", reason: "checkmate" })]).toEqual([[], []]);
  });

  test("decided the result unless it is a line to checkmate", () => {
    const proofs = ["material", { exhaustive: { positions: 3 } }, { helpmate: line }, { helpmate: [] }, undefined];
    expect(
      proofs.map((proof) => isDecidedByProof({ score: "1/2-1/2", reason: "flag_fall", proof } as OutcomeView)),
    ).toEqual([true, true, false, false, false]);
  });

  test("stays within its moves, and steps of the game leave it", () => {
    expect([-1, 0, 2, 3].map((move) => proveTo({ ...NO_INPUT, cursor: 4 }, move, 2))).toEqual(
      [0, 0, 2, 2].map((proof) => ({ ...NO_INPUT, proof })),
    );
    expect(proveTo({ ...NO_INPUT, proof: 1 }, null, 2)).toEqual(NO_INPUT);
    expect(stepTo({ ...NO_INPUT, proof: 1 }, 2, 10)).toEqual({ ...NO_INPUT, cursor: 2 });
  });

  test("is read out by its squares", () => {
    expect([
      speakUci(en, "d8h4", end),
      speakUci(de, "d8h4", end),
      speakUci(en, "a7a8n", readFen("8/P6k/8/8/8/8/8/K7 w - - 0 1")),
    ]).toEqual(["queen d8 to h4", "Dame d8 nach h4", "pawn a7 to a8, promotes to knight"]);
  });
});
