/** The page's state, the form, typed commands and texts. */
import { describe, expect, test } from "vitest";
import { START_FEN, readFen } from "../src/chess/position";
import type { TimeControl, WireProfile } from "#protocol";
import { fromSnapshot } from "zeitnot-client";
import { firstApp, receive } from "../src/state/app";
import { FIRST_POOL, POOLS } from "../src/state/lobby";
import { parseCommand } from "../src/state/typedCommands";
import { announceGame } from "../src/state/announcements";
import {
  FIRST_SETUP,
  challengeOf,
  controlOf,
  idOf,
  isPreset,
  setPeriod,
  setupOf,
  setupOfChallenge,
  setupOfPool,
  withPreset,
} from "../src/state/setup";
import { NO_INPUT, type InputMode } from "../src/state/boardInput";
import { LANGUAGES, chooseLanguage, loadCatalogue } from "../src/text";
import { catalogue as de } from "../src/text/de";
import { catalogue as en } from "../src/text/en";
import {
  showClose,
  showControl,
  showPlayedOut,
  showProof,
  showResult,
  showSan,
  speakClock,
  speakSan,
} from "../src/text/words";
import { AT, BLACK, GAME, WHITE, challenge, move, snapshot } from "./scene";
import { DEFAULT_SETTINGS } from "../src/state/settings";

/** Loaded with this file, whose time has no limit: a test's has. */
const CATALOGUES = new Map(
  await Promise.all(LANGUAGES.map(async (language) => [language, await loadCatalogue(language)] as const)),
);
const app = () => firstApp(DEFAULT_SETTINGS, { at: "game", id: GAME });

describe("the page", () => {
  test("a challenge becomes a game under the same id", () => {
    const challenge = {
      challenge: GAME,
      by: { account: WHITE, name: "W" },
      color: null,
      variant: "standard" as const,
      time_control: { kind: "unlimited" as const },
      options: snapshot().options,
    };
    let page = receive(app(), { t: "challenge", d: challenge }, AT, null);
    expect(page.challenges[GAME]).toBeDefined();
    page = receive(page, { t: "challenge_gone", d: { challenge: GAME, game: GAME } }, AT, null);
    page = receive(page, { t: "snapshot", d: snapshot() }, AT, null);
    expect([page.challenges[GAME], page.gone[GAME], page.games[GAME]?.seq]).toEqual([undefined, undefined, 1]);
  });

  test("a withdrawn challenge is gone, an id without game may be an invitation", () => {
    expect(receive(app(), { t: "challenge_gone", d: { challenge: GAME } }, AT, null).gone[GAME]).toEqual({
      code: null,
      terms: null,
    });
    expect(
      receive(app(), { t: "rejected", d: { id: "watch", game: GAME, code: "unknown_game", message: "" } }, AT, null)
        .noGame[GAME],
    ).toBe(true);
  });

  test("a move on its way comes back to hand when it is rejected, and is put down when it is played", () => {
    const pending = {
      id: "c1",
      tries: 1,
      message: { t: "move" as const, d: { game: GAME, on: 1, uci: "e2e4", id: "c1" } },
    };
    const page = {
      ...receive(app(), { t: "snapshot", d: snapshot() }, AT, null),
      inputs: { [GAME]: { ...NO_INPUT, sent: { on: 1, uci: "e2e4" } } },
    };
    expect(
      receive(page, { t: "rejected", d: { id: "c1", game: GAME, code: "illegal_move", message: "" } }, AT, pending)
        .inputs[GAME]?.sent,
    ).toBeNull();
    expect(receive(page, move(1), AT, null).inputs[GAME]?.sent).toBeNull();
    expect(
      receive(page, { t: "ok", d: { id: "c1", game: GAME, seq: 2 } }, AT, { ...pending, tries: 2 }).confirmed,
    ).toEqual({ game: GAME, seq: 2, again: true });
  });

  test("data restored from a copy void what was remembered", () => {
    const welcome = (epoch: string) => ({
      t: "welcome" as const,
      d: { account: WHITE, boot: "b", epoch, limits: {} as never },
    });
    const page = receive(receive(app(), welcome("one"), AT, null), { t: "snapshot", d: snapshot() }, AT, null);
    expect(Object.keys(receive(page, welcome("one"), AT, null).games)).toHaveLength(1);
    expect(Object.keys(receive(page, welcome("two"), AT, null).games)).toHaveLength(0);
  });

  test("what is said: news, and nothing twice", () => {
    const before = fromSnapshot(snapshot(), AT);
    const after = receive({ ...app(), games: { [GAME]: before } }, move(1), AT, null).games[GAME];
    if (!after) throw new Error("the game is there");
    expect(announceGame(en, move(1), before, after, "white")).toEqual({ say: "White: e4", sound: "move" });
    expect(announceGame(en, move(1), after, after, "white").say).toBeNull();
    expect(announceGame(de, { t: "snapshot", d: snapshot() }, undefined, before, "black").say).toBe(
      "Die Partie beginnt. Du spielst Schwarz.",
    );
  });
});

describe("a new game", () => {
  test.each([
    ["fischer", { increment_ms: 3000 }],
    ["delay", { delay_ms: 3000 }],
    ["bronstein", { bronstein_ms: 3000 }],
    ["none", {}],
  ] as const)("with %s", (kind, bonus) => {
    expect(controlOf({ ...FIRST_SETUP, kind })).toEqual({ kind: "clock", periods: [{ base_ms: 300_000, ...bonus }] });
  });

  test("with several periods, unequal clocks, fractions and commas", () => {
    const setup = {
      ...FIRST_SETUP,
      unequal: true,
      periods: [
        { moves: "40", minutes: "90", seconds: "30" },
        { moves: "", minutes: "15", seconds: "30" },
      ],
      black: [{ moves: "", minutes: "0,5", seconds: "0" }],
    };
    expect(controlOf(setup)).toEqual({
      kind: "clock",
      periods: [
        { base_ms: 5_400_000, moves: 40, increment_ms: 30_000 },
        { base_ms: 900_000, increment_ms: 30_000 },
      ],
      black_periods: [{ base_ms: 30_000 }],
    });
    expect(showControl(en, controlOf(setup))).toBe("40 moves in 90+30, then 15+30 against ½+0");
  });

  test("in seconds where it is less than a minute, and with the comma of the language", () => {
    const clock = (base_ms: number, increment_ms = 0): TimeControl => ({
      kind: "clock",
      periods: [{ base_ms, increment_ms }],
    });
    expect([15_000, 20_000, 90_000, 0].map((base) => showControl(en, clock(base)))).toEqual([
      "¼+0",
      "20 s+0",
      "1.5+0",
      "0+0",
    ]);
    expect(showControl(de, clock(90_000, 1_500))).toBe("1,5+1,5");
    const delayed: TimeControl = { kind: "clock", periods: [{ base_ms: 20_000, delay_ms: 2_000 }] };
    expect(showControl(en, delayed)).toBe("20 s, delay 2 s");
  });

  test("of the terms of another one", () => {
    const period = { base_ms: 180_000, increment_ms: 2_000 };
    const blitz: TimeControl = { kind: "clock", periods: [period] };
    const controls: readonly TimeControl[] = [
      blitz,
      { kind: "clock", periods: [{ base_ms: 300_000 }] },
      { kind: "clock", periods: [{ base_ms: 20_000, delay_ms: 500 }] },
      { kind: "clock", periods: [{ ...period, moves: 40 }, period], black_periods: [period] },
      { kind: "days", days: 2 },
      { kind: "unlimited" },
    ];
    for (const time_control of controls)
      expect(controlOf(setupOf({ time_control, variant: "standard" }))).toEqual(time_control);
    const again = challengeOf(setupOf({ time_control: blitz, rated: true, variant: "chess960" }));
    expect(again).toEqual({ time_control: blitz, rated: true, variant: "chess960" });
    const options = { profile: "fide_board", ilc: "fide_iii4", no_draw_offer_before_move: 30 } as const;
    const terms = { time_control: blitz, color: "black", fen: "8/8/8/8/8/8/8/K1k5 w - - 0 1", options } as const;
    const form = setupOfChallenge(challenge("C00000000001", { ...terms, to: BLACK }));
    expect(challengeOf(form, BLACK)).toEqual({ ...terms, to: BLACK });
    expect(isPreset(setupOf({ time_control: blitz, variant: "standard" }), 3, 2)).toBe(true);
  });

  test("with the clock of any pool is what the tile of that clock makes, and with that of the first pool the first form", () => {
    for (const pool of POOLS) {
      const [minutes = 0, seconds = 0] = pool.split("+").map(Number);
      expect(isPreset(setupOfPool(pool), minutes, seconds)).toBe(true);
      expect(challengeOf(setupOfPool(pool))).toEqual(challengeOf(withPreset(FIRST_SETUP, minutes, seconds)));
    }
    expect(setupOfPool(FIRST_POOL)).toEqual(FIRST_SETUP);
  });

  test("in days, without a clock, with rules and position", () => {
    expect(controlOf({ ...FIRST_SETUP, kind: "days", days: "99" })).toEqual({ kind: "days", days: 30 });
    expect(
      challengeOf({
        ...FIRST_SETUP,
        kind: "unlimited",
        color: "black",
        chess960: true,
        profile: "casual",
        fen: " 8/8 ",
      }),
    ).toEqual({
      time_control: { kind: "unlimited" },
      color: "black",
      variant: "chess960",
      options: { profile: "casual" },
      fen: "8/8",
    });
  });

  test("insufficient losing chances only where the rules have them", () => {
    const options = (profile: WireProfile) => challengeOf({ ...FIRST_SETUP, profile, ilc: true }).options;
    expect([options("fide_board"), options("us_chess"), options("casual")]).toEqual([
      { profile: "fide_board", ilc: "fide_iii4" },
      { profile: "us_chess", ilc: "us14h" },
      { profile: "casual" },
    ]);
  });

  test("for the lobby, for one player, and with draws agreed late", () => {
    const of = (change: object) => challengeOf({ ...FIRST_SETUP, kind: "unlimited", ...change });
    expect(of({ audience: "lobby" })).toEqual({ time_control: { kind: "unlimited" }, seek: true });
    expect(of({ audience: "player", name: " Luft " })).toEqual({
      time_control: { kind: "unlimited" },
      to_name: "Luft",
    });
    expect(challengeOf({ ...FIRST_SETUP, kind: "unlimited", audience: "lobby" }, WHITE)).toEqual({
      time_control: { kind: "unlimited" },
      to: WHITE,
    });
    expect(of({ profile: "fide_board", noDrawBefore: "30" }).options).toEqual({
      profile: "fide_board",
      no_draw_offer_before_move: 30,
    });
    expect(of({ profile: "casual", noDrawBefore: "30" }).options).toEqual({ profile: "casual" });
  });

  test("a preset is the form filled in", () => {
    const setup = withPreset(FIRST_SETUP, 10, 0);
    expect(controlOf(setup)).toEqual({ kind: "clock", periods: [{ base_ms: 600_000 }] });
    expect([isPreset(setup, 10, 0), isPreset(setPeriod(setup, "periods", 0, { minutes: "9" }), 10, 0)]).toEqual([
      true,
      false,
    ]);
  });

  test.each([
    ["4fzVq0aB9kLm", GAME],
    ["https://zeitnot.example/4fzVq0aB9kLm?x#y", GAME],
    ["/4fzVq0aB9kLm/", GAME],
    ["4fzVq0aB9kL", null],
    ["x4fzVq0aB9kLm", null],
  ])("%s names %s", (text, id) => {
    expect(idOf(text)).toBe(id);
  });
});

describe("a typed command", () => {
  const mode: InputMode = { kind: "move", legal: ["e2e4", "g1f3"], color: "white" };
  const read = (text: string, catalogue = en, held: InputMode = mode) =>
    parseCommand(text, catalogue, held, readFen(START_FEN));
  test.each([
    ["Nf3", { kind: "move", uci: "g1f3" }],
    ["clock", { kind: "word", word: "clock" }],
    ["RESIGN", { kind: "word", word: "resign" }],
    ["claim", { kind: "claim", uci: null }],
    ["claim Nf3", { kind: "claim", uci: "g1f3" }],
    ["claim Nf6", { kind: "unknown" }],
    ["nonsense", { kind: "unknown" }],
  ])("%s", (text, meant) => {
    expect(read(text)).toEqual(meant);
  });
  test("in German, with English understood too", () => {
    expect(read("Sf3", de)).toEqual({ kind: "move", uci: "g1f3" });
    expect(read("remis", de)).toEqual({ kind: "word", word: "draw" });
    expect(read("draw", de)).toEqual({ kind: "word", word: "draw" });
  });
  test("a move in the opponent's turn is a premove, and for spectators none", () => {
    expect(read("e5", en, { kind: "premove", color: "black" })).toEqual({ kind: "premove", uci: "e7e5" });
    expect(read("e4", en, { kind: "look" })).toEqual({ kind: "unknown" });
  });
});

describe("texts", () => {
  test.each([
    ["Nf3", "knight f3", "Springer f3"],
    ["exd5", "pawn e takes d5", "Bauer e schlägt d5"],
    ["O-O-O+", "castles long, check", "lange Rochade, Schach"],
    ["e8=Q#", "e8 promotes to queen, checkmate", "e8 wird Dame, Matt"],
    ["R1a3", "rook 1 a3", "Turm 1 a3"],
    ["Qh4xe1", "queen h4 takes e1", "Dame h4 schlägt e1"],
  ])("%s is read out", (san, english, german) => {
    expect([speakSan(en, san), speakSan(de, san)]).toEqual([english, german]);
  });

  test("results, clocks and letters in both languages", () => {
    expect(showSan(de, "Nxf7+")).toBe("Sxf7+");
    expect([
      showResult(en, { score: "0-1", reason: "checkmate" }, "white"),
      showResult(de, { score: "0-1", reason: "checkmate" }, null),
    ]).toEqual(["You lose", "Schwarz gewinnt"]);
    expect([speakClock(en, 61_000), speakClock(de, 3_600_500), speakClock(en, 0)]).toEqual([
      "1 minute 1 second",
      "1 Stunde 1 Sekunde",
      "0 seconds",
    ]);
  });

  test("a connection that is closed for good says why, and by its code when the page does not know it", () => {
    expect(showClose(en, "too_many_connections")).toBe("You have too many pages open here. Close some and reload.");
    expect(showClose(de, "revoked")).toBe(
      "Du wurdest abgemeldet. Lade die Seite neu, um als neuer Gast weiterzuspielen.",
    );
    expect(showClose(en, "4599")).toContain("(4599)");
  });

  test("every kind of proof has its sentence, and one that is not known yet, too", () => {
    expect(showProof(en, { exhaustive: { positions: 12_345 } })).toContain("12,345");
    expect(showProof(de, { exhaustive: { positions: 12_345 } })).toContain("12.345");
    expect(showProof(en, { helpmate: ["f2f3", "d8h4"] })).toBe(
      "Checkmate was still possible: by 2 moves of both sides.",
    );
    expect(showProof(en, { helpmate: [] })).toContain("long line");
    const all = [showProof(de, "material"), showProof(de, "static"), showProof(de, "new" as never)];
    expect(new Set(all).size).toBe(3);
  });

  test("a corrected result says when it was, and how the game was played out", () => {
    const playedOut = { score: "1/2-1/2", reason: "stalemate", corrected: 1_795_262_400 } as const;
    expect(showPlayedOut(en, playedOut)).toMatch(
      /^The result was corrected on 21 November 2026\. Played out: ½–½, Stalemate$/u,
    );
    expect(showPlayedOut(de, playedOut)).toMatch(/^Das Ergebnis wurde am .*2026 berichtigt\. Ausgespielt: ½–½, Patt$/u);
    const corrected = { score: "0-1", reason: "arbiter", played_out: playedOut } as const;
    expect(showResult(en, corrected, "black")).toBe("You win");
  });

  test("the first of the browser's languages that there is, else English", () => {
    const chosen = [["xx", "de-AT", "en"], ["DE"], ["en-GB", "de"], ["xx"], []].map(chooseLanguage);
    expect(chosen).toEqual(["de", "de", "en", "en", "en"]);
  });

  test("every language has every text, and names its own tag", () => {
    const walk = (a: unknown, b: unknown, path: string): void => {
      expect(typeof b, path).toBe(typeof a);
      if (Array.isArray(a)) expect((b as unknown[]).length, path).toBeGreaterThan(0);
      else if (typeof a === "object" && a !== null)
        for (const key of Object.keys(a))
          walk((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], `${path}.${key}`);
      else if (typeof a === "string" && a !== "") expect(b, path).not.toBe("");
    };
    for (const [language, catalogue] of CATALOGUES) {
      expect(catalogue.tag).toBe(language);
      walk(en, catalogue, language);
    }
  });

  test("to abort a game is called otherwise than to close a dialog", () => {
    for (const { game, account, board } of CATALOGUES.values())
      for (const cancel of [account.cancel, board.cancel, board.confirmNo]) expect(game.abort).not.toBe(cancel);
  });

  test("in every language two pieces have two letters, and a typed word means one command", () => {
    for (const [language, { letters, typed, lobby }] of CATALOGUES) {
      expect(new Set(Object.values(letters)).size, language).toBe(6);
      for (const words of [typed.words, lobby.typed.words]) {
        const meanings = new Map<string, string>();
        for (const [command, spellings] of Object.entries(words)) {
          // The English name of a command works in every language.
          for (const spelling of [command, ...spellings]) {
            expect(meanings.get(spelling) ?? command, `${language}: ${spelling}`).toBe(command);
            meanings.set(spelling, command);
          }
        }
      }
    }
  });

  test.each([
    ["de", "Dh5", "schlägt"],
    ["fr", "Dh5", "prend"],
    ["es", "Dh5", "por"],
  ] as const)("moves are written and read out in %s", (language, queen, takes) => {
    const text = CATALOGUES.get(language) ?? en;
    expect(showSan(text, "Qh5")).toBe(queen);
    expect(showSan(text, "e8=Q+")).toBe("e8=D+");
    expect(speakSan(text, "Nxe5")).toContain(takes);
    const mode: InputMode = { kind: "move", color: "white", legal: ["d1h5"] };
    const position = readFen("4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
    expect(parseCommand("dh5", text, mode, position)).toEqual({ kind: "move", uci: "d1h5" });
  });
});
