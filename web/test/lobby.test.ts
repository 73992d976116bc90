/** The lobby: what it shows, what this page waits for, and what becomes of that when the connection is lost. */
import { describe, expect, test } from "vitest";
import type { CreateChallenge, LiveGame, LiveGames, Lobby } from "#protocol";
import { fromSnapshot } from "zeitnot-client";
import { firstApp, receive } from "../src/state/app";
import { parseHomeCommand } from "../src/state/homeCommands";
import { controlOfPool, liveClock, lobbyOf, othersHere, speedOf, toWatch, withNews } from "../src/state/lobby";
import { isName } from "../src/state/people";
import { rowOf, seatOfWhose } from "../src/state/played";
import { NO_FILTER } from "../src/state/gameFilter";
import { pageOf, pathOf, routeOf } from "../src/state/route";
import {
  MAX_ABSENCE_MS,
  NO_PAIRING,
  type Pairing,
  type Unanswered,
  othersIn,
  placeOf,
  waitsElsewhere,
  withExpected,
  withLeave,
  isExpected,
  onDisconnect,
  withOwnChallenge,
  onReconnect,
  withServerPool,
  withoutExpected,
  withoutOwnChallenge,
  withPool,
} from "../src/state/pairing";
import { catalogue as de } from "../src/text/de";
import { catalogue as en } from "../src/text/en";
import { aboutRules, formatOf, playedFormat, termsOf } from "../src/text/terms";
import { AT, BLACK, GAME, WHITE, challenge, liveGame, snapshot } from "./scene";
import { DEFAULT_SETTINGS } from "../src/state/settings";

const app = () => ({
  ...firstApp(DEFAULT_SETTINGS, { at: "home" }),
  account: WHITE,
});

const lobby = (change: Partial<Lobby> = {}): Lobby => ({
  seeks: [challenge("SEEK00000001")],
  pools: [
    { pool: "3+2", waiting: 1 },
    { pool: "1+0", waiting: 0 },
  ],
  here: 0,
  live: { total: 0, games: [] },
  ...change,
});

describe("the lobby", () => {
  test("follows its news: seeks come and go, pools and games change", () => {
    const board = withNews(
      lobbyOf(lobby(), 100),
      {
        seeks: [challenge("SEEK00000002"), challenge("SEEK00000003")],
        gone: ["SEEK00000001", "SEEK00000003", "UNKNOWN00001"],
        pools: [{ pool: "3+2", waiting: 0 }],
      },
      200,
    );
    expect(board.seeks.map((seek) => seek.challenge)).toEqual(["SEEK00000002"]);
    expect(board.pools).toEqual({ "3+2": 0, "1+0": 0 });
    const news = withNews(board, { here: 3, live: { total: 1, games: [liveGame(GAME)] } }, 300);
    expect([news.live.total, news.here, news.liveAt]).toEqual([1, 3, 300]);
    const same = withNews(news, {}, 400);
    expect([same.live, same.here, same.liveAt]).toEqual([news.live, 3, 300]);
  });

  test("others are all who are here but oneself, once the server counts oneself", () => {
    const others = (here: number, isCounted: boolean) => othersHere(lobbyOf(lobby({ here }), 0), isCounted);
    expect([others(0, false), others(2, false), others(2, true), others(1, true), others(0, true)]).toEqual([
      0, 2, 1, 0, 0,
    ]);
  });

  test("a live game's clock runs down from when it was written, and the other one stands", () => {
    const game = { ...liveGame(GAME), white_ms: 5_000, black_ms: 9_000, running: "white" as const };
    const at = (now: number) => (["white", "black"] as const).map((side) => liveClock(game, side, 1_000, now));
    expect([at(1_000), at(3_500), at(900), at(99_000)]).toEqual([
      [5_000, 9_000],
      [2_500, 9_000],
      [5_000, 9_000],
      [0, 9_000],
    ]);
    expect(liveClock(liveGame(GAME), "white", 1_000, 2_000)).toBeNull();
  });

  test("a seek that is told twice stands once, and the list is bounded", () => {
    const board = withNews(lobbyOf(lobby(), 100), { seeks: [challenge("SEEK00000001")] }, 200);
    expect(board.seeks).toHaveLength(1);
    const many = Array.from({ length: 300 }, (_, n) => challenge(`SEEK${String(n).padStart(8, "0")}`));
    const full = withNews(board, { seeks: many }, 300);
    expect([full.seeks.length, full.seeks.at(-1)?.challenge]).toEqual([200, "SEEK00000299"]);
  });

  test("news before the lobby itself change nothing, and a new lobby replaces all", () => {
    expect(receive(app(), { t: "lobby_news", d: { gone: ["x"] } }, AT, null).lobby).toBeNull();
    const page = receive(
      receive(app(), { t: "lobby", d: lobby() }, AT, null),
      { t: "lobby", d: lobby({ seeks: [] }) },
      AT,
      null,
    );
    expect(page.lobby?.seeks).toEqual([]);
  });

  test("the featured game is large, the others small", () => {
    const games = ["A", "B", "C"].map((id) => ({ ...liveGame(id), ply_count: 2 }));
    const shown = (live: LiveGames) => toWatch({ account: null, games: {}, lobby: lobbyOf(lobby({ live }), 0) });
    const others = [games[0], games[2]];
    expect(shown({ total: 30, featured: "B", games })).toEqual({ featured: games[1], others, total: 30 });
    expect(shown({ total: 3, games }).featured).toBe(games[0]);
    expect(shown({ total: 0, games: [] })).toEqual({ featured: null, others: [], total: 0 });
  });

  test("a game is large after a move of each side, and rather one without a program", () => {
    const [begun, small] = [
      { ...liveGame("A"), ply_count: 2 },
      { ...liveGame("B"), ply_count: 1 },
    ];
    const players = { ...begun.players, black: { ...begun.players.black, bot: true } };
    const program = { ...begun, players, white_ms: 1000, black_ms: 1000 };
    const shown = (...games: LiveGame[]) =>
      toWatch({ account: null, games: {}, lobby: lobbyOf(lobby({ live: { total: 2, featured: "B", games } }), 0) });
    expect(shown(small, begun)).toEqual({ featured: begun, others: [small], total: 2 });
    expect(shown(program, { ...begun, game: "C" }).featured?.game).toBe("C");
    expect(shown(small, program)).toEqual({ featured: program, others: [small], total: 2 });
    // Without a clock nobody may ever go on with it.
    const exercise = { ...begun, players };
    expect(shown(small, exercise)).toEqual({ featured: null, others: [small], total: 1 });
    expect(shown({ ...exercise, ply_count: 1 }).others).toEqual([]);
    expect(shown(small)).toEqual({ featured: null, others: [small], total: 2 });
  });

  test("a game against a program without a clock is shown once there was a move in it", () => {
    const { players } = liveGame("A");
    const game = { ...liveGame("A"), ply_count: 2, players: { ...players, black: { ...players.black, bot: true } } };
    const left = { ...game, game: "B" };
    const before = lobbyOf(lobby({ live: { total: 2, games: [game, left] } }), 0);
    const next = { ...game, ply_count: 3 };
    const after = withNews(before, { live: { total: 2, games: [next, left] } }, 100);
    const shown = (board: typeof before) => toWatch({ account: null, games: {}, lobby: board });
    expect(shown(before)).toEqual({ featured: null, others: [], total: 0 });
    expect(shown(after)).toEqual({ featured: null, others: [next], total: 1 });
    // It stays in the list while it lasts.
    expect(shown(withNews(after, { live: { total: 2, games: [next, left] } }, 200)).total).toBe(1);
    expect(withNews(after, { live: { total: 1, games: [left] } }, 300).moved).toEqual([]);
    // So it does when the whole lobby comes again, which may itself tell of a move.
    const again = (board: typeof before) =>
      lobbyOf(lobby({ live: { total: 2, games: [next, left] } }), 400, board).moved;
    expect([again(after), again(before)]).toEqual([["A"], ["A"]]);
    // Of those that the lobby does not show nothing is known: alone they are not counted.
    expect(shown(lobbyOf(lobby({ live: { total: 300, games: [game, left] } }), 0)).total).toBe(0);
  });

  test("the large game stays while it lasts, and then the next one is still among the others", () => {
    const games = ["A", "B"].map((id) => ({ ...liveGame(id), ply_count: 2 }));
    const page = { account: null, games: {}, lobby: lobbyOf(lobby({ live: { total: 2, featured: "A", games } }), 0) };
    expect(toWatch(page, "B")).toEqual({ featured: games[1], others: [games[0]], total: 2 });
    expect(toWatch(page, "C")).toEqual({ featured: games[0], others: games, total: 2 });
  });

  test("one's own game is none to watch, and not counted among them", () => {
    const players = { white: { account: "x", name: "X" }, black: { account: "y", name: "Y" } };
    const [own, other] = [
      { ...liveGame("A"), ply_count: 2 },
      { ...liveGame("B"), ply_count: 2, players },
    ];
    const games = { A: fromSnapshot(snapshot({ game: "A" }), AT) };
    const live: LiveGames = { total: 2, featured: "A", games: [own, other] };
    const board = lobbyOf(lobby({ live }), 0);
    expect(toWatch({ lobby: board, account: WHITE, games })).toEqual({ featured: other, others: [], total: 1 });
    expect(toWatch({ lobby: board, account: null, games: {} })).toEqual({ featured: own, others: [other], total: 2 });
  });

  test.each([
    ["1+0", "bullet"],
    ["2+1", "bullet"],
    ["3+0", "blitz"],
    ["5+3", "blitz"],
    ["10+0", "rapid"],
    ["15+10", "rapid"],
    ["30+0", "classical"],
  ] as const)("%s is %s", (pool, speed) => {
    expect(speedOf(controlOfPool(pool))).toBe(speed);
  });
});

const ANSWERED: Unanswered = { joining: false, leaving: false };
const JOINING: Unanswered = { joining: true, leaving: false };
const terms: CreateChallenge = { time_control: { kind: "unlimited" }, seek: true };
const waits = (change: Partial<Pairing> = {}): Pairing => ({
  ...withPool(NO_PAIRING, "3+2", [], 1000),
  pool: "3+2",
  ...change,
});

describe("a place in a pool", () => {
  test("is the server's word: joined, left, and over with the game", () => {
    const asked = withPool(NO_PAIRING, "3+2", [], 1000);
    expect([asked.wanted, asked.pool]).toEqual(["3+2", null]);
    const there = withServerPool(asked, { pool: "3+2" }, ANSWERED, 1100);
    expect([there.wanted, there.pool, there.since]).toEqual(["3+2", "3+2", 1000]);
    expect(withServerPool(there, { pool: null }, ANSWERED, 1200)).toMatchObject({ wanted: null, pool: null });
    expect(withServerPool(there, { pool: null, game: GAME }, JOINING, 1200)).toMatchObject({
      wanted: null,
      pool: null,
    });
  });

  test("an old word does not undo a new wish", () => {
    const moved = withPool(waits(), "5+3", [], 2000);
    expect(withServerPool(moved, { pool: "3+2" }, JOINING, 2100).wanted).toBe("5+3");
    expect(withServerPool(moved, { pool: null }, JOINING, 2100).wanted).toBe("5+3");
  });

  test("is left at once, whatever the server says until it has answered; another page's place is told after that", () => {
    const left = withLeave(waits());
    expect([placeOf(waits()), placeOf(left)]).toEqual(["3+2", null]);
    const late = withServerPool(left, { pool: "3+2" }, { joining: false, leaving: true }, 2000);
    expect(placeOf(late)).toBeNull();
    expect(placeOf(withServerPool(late, { pool: "1+0" }, ANSWERED, 3000))).toBe("1+0");
    expect(placeOf(withPool(late, "5+3", [], 3000))).toBe("5+3");
  });

  test("another page's wish is followed, and not asked for again by this one", () => {
    expect(withServerPool(waits(), { pool: "1+0" }, ANSWERED, 5000)).toMatchObject({
      wanted: null,
      pool: "1+0",
      since: 5000,
    });
  });

  test("goes with the connection and is asked for again", () => {
    const gone = onDisconnect(waits(), 10_000);
    expect([gone.pool, gone.wanted, onDisconnect(gone, 20_000).lostAt]).toEqual([null, "3+2", 10_000]);
    // Lost again, before the first loss was made good, but after the server had named the pool.
    const again = onDisconnect({ ...gone, pool: "3+2" }, 11_000);
    expect([again.pool, again.lostAt]).toEqual([null, 10_000]);
    expect(onReconnect(again, [], [], false, 12_000).send).toEqual([{ t: "join_pool", d: { pool: "3+2" } }]);
    const back = onReconnect(gone, [], [], false, 12_000);
    expect(back.send).toEqual([{ t: "join_pool", d: { pool: "3+2" } }]);
    expect(back.pairing.lostAt).toBeNull();
    expect(onReconnect(gone, [], [], true, 12_000).send).toEqual([]);
    expect(onReconnect({ ...gone, pool: "3+2" }, [], [], false, 12_000).send).toEqual([]);
  });

  test("is not asked for again when the game has begun meanwhile", () => {
    const gone = onDisconnect(waits({ gamesBefore: ["OLDGAME00001"] }), 10_000);
    expect(onReconnect(gone, ["OLDGAME00001", GAME], [], false, 12_000)).toMatchObject({
      found: GAME,
      send: [],
      pairing: { wanted: null },
    });
    expect(onReconnect(gone, ["OLDGAME00001"], [], false, 12_000)).toMatchObject({ found: null });
  });

  test("is not asked for again by who was away for long", () => {
    expect(onReconnect(onDisconnect(waits(), 0), [], [], false, MAX_ABSENCE_MS + 1)).toMatchObject({
      send: [],
      dropped: true,
      pairing: { wanted: null },
    });
    expect(onReconnect(onDisconnect(NO_PAIRING, 0), [], [], false, MAX_ABSENCE_MS + 1).dropped).toBe(false);
  });
});

describe("a challenge of this page", () => {
  test("leads into its game, one of another page does not", () => {
    const made = withOwnChallenge(NO_PAIRING, GAME, terms, 0);
    expect([
      isExpected(made, GAME),
      isExpected(made, "OTHER0000001"),
      isExpected(withoutOwnChallenge(made, GAME), GAME),
    ]).toEqual([true, false, false]);
    expect(isExpected(withExpected(NO_PAIRING, [GAME]), GAME)).toBe(true);
    expect(isExpected(withoutExpected(withExpected(made, [GAME]), GAME), GAME)).toBe(false);
  });

  test("a seek is made again after a lost connection, a challenge by link is not", () => {
    const gone = onDisconnect(
      withOwnChallenge(
        withOwnChallenge(NO_PAIRING, "SEEK00000001", terms, 0),
        "LINK00000001",
        { time_control: { kind: "unlimited" } },
        0,
      ),
      0,
    );
    const back = onReconnect(gone, [], ["LINK00000001"], false, 5000);
    expect(back.send).toEqual([{ t: "create_challenge", d: terms }]);
    expect(Object.keys(back.pairing.ownChallenges)).toEqual(["LINK00000001"]);
    expect(onReconnect(gone, [], [], false, 5000).send).toHaveLength(1);
    // Its game may be slow to show itself.
    expect(isExpected(back.pairing, "SEEK00000001")).toBe(true);
  });

  test("one that became a game meanwhile leads there", () => {
    const gone = onDisconnect(withOwnChallenge(NO_PAIRING, GAME, terms, 0), 0);
    expect(onReconnect(gone, ["RUNNING00001", GAME], [], false, 5000)).toMatchObject({ found: GAME, send: [] });
    expect(onReconnect(gone, ["RUNNING00001"], [], false, 5000).found).toBeNull();
  });
});

describe("people", () => {
  test("one's name comes with welcome and changes by its message", () => {
    let page = receive(
      app(),
      { t: "welcome", d: { account: WHITE, name: "Guest-W", boot: "b", epoch: "e", limits: {} as never } },
      AT,
      null,
    );
    expect(page.people.name).toBe("Guest-W");
    const pending = { id: "n1", tries: 1, message: { t: "set_name" as const, d: { name: "Luft", id: "n1" } } };
    page = receive(page, { t: "rejected", d: { id: "n1", code: "name_taken", message: "taken" } }, AT, pending);
    expect(page.people.rejected?.code).toBe("name_taken");
    page = receive(page, { t: "name", d: { name: "Luft" } }, AT, null);
    expect([page.people.name, page.people.rejected]).toEqual(["Luft", null]);
  });

  test("a declined challenge is gone with its reason", () => {
    const gone = { t: "challenge_gone" as const, d: { challenge: GAME, declined: "too_fast" as const } };
    const made = receive(
      app(),
      { t: "challenge", d: challenge(GAME, { by: { account: WHITE, name: "W" }, to: BLACK }) },
      AT,
      null,
    );
    expect(receive(made, gone, AT, null).gone[GAME]).toMatchObject({
      code: "challenge_declined",
      reason: "too_fast",
      terms: { to: BLACK },
    });
  });

  test.each([
    ["Rook_And_Roll", true],
    ["Al", true],
    ["A", false],
    ["1st", false],
    ["Käse", false],
    ["a b", false],
    ["a".repeat(21), false],
  ])("%s may be a name: %s", (name, may) => {
    expect(isName(name)).toBe(may);
  });

  test("a finished game is told from one's own side", () => {
    const { players } = snapshot();
    const game = {
      game: GAME,
      players,
      variant: "standard" as const,
      time_control: { kind: "unlimited" as const },
      score: "1-0" as const,
      reason: "checkmate" as const,
      ply_count: 7,
      fen: snapshot().fen,
      began: 1,
      ended: 2,
    };
    expect(rowOf(game, WHITE)).toMatchObject({ color: "white", fate: "won", moves: 4, opponent: { account: BLACK } });
    expect(rowOf(game, BLACK)).toMatchObject({ color: "black", fate: "lost", step: null });
    const sat = (name: string, account: string | null = null) => seatOfWhose(game, { account, name });
    expect([sat("guest - b"), sat("Guest-W"), sat("Guest"), sat("Guest-W", BLACK)]).toEqual([
      "black",
      "white",
      null,
      "black",
    ]);
    const ratings = { white: { before: 1_500, after: 1_508 }, black: { before: 1_623, after: 1_618 } };
    const rows = [WHITE, BLACK].map((account) => rowOf({ ...game, rated: true, ratings }, account));
    expect(rows.map(({ step }) => step)).toEqual([ratings.white, ratings.black]);
    expect(rows.map(({ opponent }) => opponent.rating)).toEqual([1_623, 1_500]);
    expect((["1/2-1/2", "*", "0-0", "1/2-0"] as const).map((score) => rowOf({ ...game, score }, WHITE).fate)).toEqual([
      "drawn",
      "noResult",
      "lost",
      "drawn",
    ]);
  });
});

describe("addresses", () => {
  test.each([
    ["/", { at: "home" }],
    [`/${GAME}`, { at: "game", id: GAME }],
    ["/@/Rook_And_Roll", { at: "player", who: "Rook_And_Roll" }],
    [`/@/${WHITE}`, { at: "player", who: WHITE }],
    ["/@/", { at: "lost" }],
    ["/nowhere", { at: "lost" }],
  ] as const)("%s", (path, route) => {
    expect(routeOf(path)).toEqual(route);
    if (route.at !== "lost") expect(pathOf(route)).toBe(path);
  });

  test("a player's finished games have an address, with the filter that is set", () => {
    const games = { at: "player", who: "Rook", games: true } as const;
    expect([routeOf("/@/Rook", "?games"), pathOf(games)]).toEqual([games, "/@/Rook?games"]);
    const against = { ...games, filter: { ...NO_FILTER, opponent: "Knight", fate: "won" } } as const;
    const address = "games&against=Knight&result=won";
    expect([routeOf("/@/Rook", `?${address}`), pathOf(against)]).toEqual([against, `/@/Rook?${address}`]);
    // Of everybody's games a player is one of the conditions; on a player's page the path says whose they are.
    const named = { at: "games", filter: { ...NO_FILTER, player: "Dekker,M" } } as const;
    expect([routeOf("/games", "?player=Dekker%2CM"), pathOf(named)]).toEqual([named, "/games?player=Dekker%2CM"]);
    expect([routeOf("/games"), pathOf({ at: "games" })]).toEqual([{ at: "games" }, "/games"]);
    expect(routeOf("/@/Rook", "?player=Dekker")).toEqual({ at: "player", who: "Rook" });
    // Which games are shown makes no other page.
    const other = { at: "player", who: "Knight" } as const;
    expect([pageOf(against), pageOf(other)]).toEqual([pageOf(games), "/@/Knight"]);
  });

  test.each(["white", "black"])("a game that is named with the side %s", (side) => {
    expect(routeOf(`/${GAME}/${side}`)).toEqual({ at: "game", id: GAME });
  });
});

describe("words", () => {
  test("terms name the colour that is left for the reader", () => {
    const seek = challenge(GAME, {
      color: "white",
      variant: "chess960",
      options: { profile: "fide_board", ilc: "off", no_draw_offer_before_move: 30 },
    });
    expect(termsOf(en, seek, "owner")).toBe(
      "Casual · Chess960 · Blitz · 5+3 · you play White · FIDE, over the board · no draw offers before move 30",
    );
    expect(termsOf(de, seek, "joiner")).toBe(
      "Nicht gewertet · Chess960 · Blitz · 5+3 · du spielst Schwarz · FIDE, am Brett · kein Remisangebot vor Zug 30",
    );
  });

  test("a game without a result was neither rated nor casual, and gives no points", () => {
    const format = challenge(GAME, { rated: true });
    expect([playedFormat(en, format, "noResult"), playedFormat(en, format, "lost")]).toEqual([
      "Blitz · 5+3",
      "Rated · Blitz · 5+3",
    ]);
    const met = ([n, others]: [number, number]) => en.people.met(n, others);
    expect(
      (
        [
          [4, 0],
          [4, 2],
          [1, 1],
        ] as [number, number][]
      ).map(met),
    ).toEqual(["4 games", "4 games, 2 without a result", "1 game without a result"]);
  });

  test("a game is rated or casual, whatever its rules are, and the usual rules are not named", () => {
    const usual = challenge(GAME, { rated: true });
    expect(formatOf(en, usual)).toBe("Rated · Blitz · 5+3");
    expect(termsOf(en, usual, "joiner")).toBe("Rated · Blitz · 5+3 · you get a random colour");
    expect(termsOf(en, usual, "owner")).toBe("Rated · Blitz · 5+3 · random colour");
    expect(termsOf(en, usual, "late")).toBe("Rated · Blitz · 5+3 · random colour");
    expect(termsOf(en, { ...usual, color: "white" }, "late")).toBe("Rated · Blitz · 5+3 · you play Black");
    const taking = challenge(GAME, {
      time_control: { kind: "unlimited" },
      options: { profile: "casual", ilc: "off", no_draw_offer_before_move: 0 },
    });
    expect(termsOf(en, taking, "joiner")).toBe("Casual · Unlimited · you get a random colour · Takebacks allowed");
    // What is said of a clock, only where there is one; the computer is given no time.
    expect(aboutRules(en, "casual", false)).toBe("A move can be taken back if the opponent agrees.");
    expect(aboutRules(en, "casual", true)).toMatch(/agrees\. Each player may give the other more time\.$/u);
    expect(aboutRules(en, "casual", true, true)).toBe(aboutRules(en, "casual", false));
    expect(aboutRules(en, "us_chess", true, true)).toMatch(/claimed\. The clock runs from the start\.$/u);
    expect(aboutRules(en, "us_chess", false)).not.toMatch(/clock/u);
    for (const text of [en, de]) expect(text.profiles.casual.name).not.toBe(text.archive.isCasual);
  });

  test.each([
    ["3+2", { kind: "pool", pool: "3+2" }],
    ["15 + 10", { kind: "pool", pool: "15+10" }],
    ["cancel", { kind: "word", word: "cancel" }],
    ["JOIN 2", { kind: "join", number: 2 }],
    ["challenge Luft", { kind: "challenge", name: "Luft" }],
    ["name Luft", { kind: "name", name: "Luft" }],
    ["player Luft", { kind: "player", name: "Luft" }],
    [GAME, { kind: "open", id: GAME }],
    [`https://zeitnot.example/${GAME}`, { kind: "open", id: GAME }],
    ["join", { kind: "unknown" }],
    ["3+9", { kind: "unknown" }],
    ["", { kind: "unknown" }],
  ])("%s is understood on the home page", (text, meant) => {
    expect(parseHomeCommand(text, en)).toEqual(meant);
  });

  test("in German, with English understood too", () => {
    expect(parseHomeCommand("herausfordern Luft", de)).toEqual({ kind: "challenge", name: "Luft" });
    expect(parseHomeCommand("cancel", de)).toEqual({ kind: "word", word: "cancel" });
  });
});

test("the fullest other pool is named to whoever is alone in their own", () => {
  const inPool = { ...NO_PAIRING, pool: "5+3" as const };
  expect(waitsElsewhere(inPool, { "5+3": 1, "10+5": 1, "3+2": 2 })).toBe("3+2");
  expect(waitsElsewhere(inPool, { "5+3": 1, "10+5": 1, "3+2": 1 })).toBe("3+2");
  expect(waitsElsewhere(inPool, { "5+3": 2, "10+5": 1 })).toBeNull();
  expect(waitsElsewhere(inPool, { "5+3": 1, "10+5": 0 })).toBeNull();
  expect(waitsElsewhere(NO_PAIRING, { "10+5": 1 })).toBeNull();
});

test("of those who wait in a pool oneself is not counted", () => {
  const inPool = { ...NO_PAIRING, pool: "5+3" } as const;
  expect([othersIn(inPool, "5+3", { "5+3": 1 }), othersIn(inPool, "5+3", { "5+3": 3 })]).toEqual([0, 2]);
  expect([othersIn(inPool, "5+3", {}), othersIn(inPool, "3+2", { "3+2": 1 })]).toEqual([0, 1]);
  expect(othersIn(NO_PAIRING, "5+3", { "5+3": 1 })).toBe(1);
});
