/** Why a game ended, in plain words: every reason has a sentence in every language, and it names the loser if there is one. */
import { expect, test } from "vitest";
import type { OutcomeView, WireProfile } from "#protocol";
import { catalogue as de } from "../src/text/de";
import { catalogue as en } from "../src/text/en";
import { catalogue as es } from "../src/text/es";
import { catalogue as fr } from "../src/text/fr";
import { type Game, fromSnapshot } from "zeitnot-client";
import { START_FEN, play, readFen, writeFen } from "../src/chess/position";
import type { Color } from "../src/chess/square";
import { REASONS } from "../src/state/gameFilter";
import { showDecision, showPly, showStood } from "../src/text/stood";
import { showBecause, showProven, showReason } from "../src/text/words";
import { AT, snapshot } from "./scene";

const CATALOGUES = { en, de, fr, es };

test.each(Object.entries(CATALOGUES))("in %s each reason has its own sentence", (_, text) => {
  const drawn = REASONS.map((reason) => showBecause(text, { score: "1/2-1/2", reason } as OutcomeView, "white"));
  expect(new Set(drawn).size).toBe(REASONS.length);
  for (const sentence of drawn) expect(sentence).toMatch(/^\p{Lu}.*\.$/u);
  for (const reason of ["checkmate", "resignation", "flag_fall", "abandonment"] as const) {
    const white = showBecause(text, { score: "0-1", reason } as OutcomeView, "white");
    const black = showBecause(text, { score: "1-0", reason } as OutcomeView, "black");
    expect(white.toLowerCase()).toContain(text.sides.white.toLowerCase());
    expect(black.toLowerCase()).toContain(text.sides.black.toLowerCase());
  }
});

test("a draw by a proof says who cannot checkmate: the opponent of the side that ran out of time", () => {
  const drawn = { score: "1/2-1/2", reason: "flag_fall" } as OutcomeView;
  const proven = (text: typeof en, toMove: Color, reason: OutcomeView["reason"] = "flag_fall") =>
    showProven(text, { ...drawn, reason, proof: "material" }, toMove);
  expect(proven(en, "white")).toBe(
    "White is out of time, but Black cannot checkmate: a draw. The material left does not allow it.",
  );
  expect(proven(de, "black")).toBe(
    "Die Zeit von Schwarz ist abgelaufen, aber Weiß kann nicht mattsetzen: remis. Das verbliebene Material reicht dafür nicht.",
  );
  expect(proven(fr, "white")).toMatch(/^Le temps des Blancs est écoulé, mais les Noirs ne peuvent pas mater/u);
  expect(proven(es, "black")).toMatch(/^Se acabó el tiempo de las negras, pero las blancas no pueden dar mate/u);
  expect(proven(en, "white", "resignation")).toMatch(/^One side gave the game up, but the other cannot checkmate/u);
  expect(proven(en, "white", "abandonment")).toMatch(/but the other cannot checkmate/u);
  // Of both sides the reason says it: "no sequence of moves can lead to mate".
  expect(proven(en, "white", "dead_position")).toBe("The material left does not allow it.");
  // That checkmate was possible confirms a flag fall; a resignation needs no proof of that.
  const confirmed = (reason: OutcomeView["reason"]) =>
    showProven(en, { score: "0-1", reason, proof: { helpmate: ["f1e1"] } }, "white");
  expect(confirmed("flag_fall")).toMatch(/^Checkmate was still possible/u);
  expect(confirmed("resignation")).toBe("");
  // Without a proof it was a rule of the game.
  expect(showBecause(en, drawn, "white")).toContain("by the rules of this game");
});

test.each(Object.entries(CATALOGUES))(
  "in %s the one who resigned, ran out of time or left is named from the side of the reader",
  (_, text) => {
    for (const reason of ["resignation", "flag_fall", "abandonment"] as const) {
      const lost = { score: "0-1", reason } as OutcomeView;
      const words = text.result.lostBy[reason];
      expect(showReason(text, lost, "white")).toBe(words.you);
      expect(showReason(text, lost, "black")).toBe(words.opponent);
      expect(showReason(text, lost, "white", false)).toBe(words.player);
      expect(showReason(text, lost, "black", false)).toBe(words.opponent);
      expect(showReason(text, lost, null).toLowerCase()).toContain(text.sides.white.toLowerCase());
      expect(showReason(text, { ...lost, score: "1/2-1/2" }, "white")).toBe(text.reasons[reason]);
    }
  },
);

/** Knights go out and back, so that a position comes again after every four plies. */
const SHUFFLE = ["g1f3 Nf3", "g8f6 Nf6", "f3g1 Ng1", "f6g8 Ng8"];
const PLIES = [...SHUFFLE, ...SHUFFLE].map((move, index) => {
  const [uci = "", san = ""] = move.split(" ");
  return { ply: index + 1, uci, san, took: null, white_ms: null, black_ms: null } as never;
});

/** A drawn game of so many of these plies, of which the page knows those from `first` on. */
function drawn(reason: OutcomeView["reason"], count = 8, profile: WireProfile = "fide_online", first = 0): Game {
  const state = { phase: "ended", outcome: { score: "1/2-1/2", reason } } as const;
  const end = PLIES.slice(0, count).reduce((before, { uci }) => play(before, uci), readFen(START_FEN));
  const plies = PLIES.slice(first, count);
  const options = { profile, ilc: "off", no_draw_offer_before_move: 0 } as const;
  return fromSnapshot(
    snapshot({ start_fen: START_FEN, fen: writeFen(end), ply_count: count, plies, options, state }),
    AT,
  );
}

const stood = (text: typeof en, game: Game): string =>
  showStood(text, game)
    .map((part) => (typeof part === "string" ? part : part.words))
    .join("");
const decided = (text: typeof en, game: Game): string => (game.outcome ? showDecision(text, game, game.outcome) : "");

test("a repetition says at which moves the position stood, if they are known, and each of them can be shown", () => {
  const game = drawn("threefold_repetition");
  expect(stood(en, game)).toBe("It stood at the beginning and after 2… Ng8 and 4… Ng8.");
  expect(showStood(en, game).flatMap((part) => (typeof part === "string" ? [] : [part.ply]))).toEqual([0, 4, 8]);
  expect(showStood(de, game)[1]).toEqual({ ply: 0, words: "am Anfang" });
  expect(stood(de, game)).toContain("2… Sg8 und 4… Sg8");
  expect(decided(en, game)).toMatch(/^The same position stood/u);
  expect(showStood(en, drawn("threefold_repetition", 8, "fide_online", 2))).toEqual([]);
  expect(showStood(en, drawn("agreement"))).toEqual([]);
});

test("a move is named with its number, if it is known", () => {
  const game = drawn("agreement");
  expect([0, 1, 4, 8].map((ply) => showPly(en, game, ply))).toEqual([null, "1. Nf3", "2… Ng8", "4… Ng8"]);
  expect(showPly(de, game, 2)).toBe("1… Sf6");
  const later = drawn("agreement", 8, "fide_online", 4);
  expect(showPly(en, later, 5)).toBeNull();
});

test("a claimed repetition says who claimed it, and with an intended move which one and where the position had stood", () => {
  const onBoard = drawn("threefold_repetition", 8, "fide_board");
  expect(decided(en, onBoard)).toMatch(/^White claimed the draw\. The same position stood on the board three times/u);
  const intended = drawn("threefold_repetition", 7, "fide_board");
  expect(decided(en, intended)).toMatch(
    /^Black claimed the draw with the move 4… Nf6–g8, intended and not played\. After it the same position would/u,
  );
  expect(stood(en, intended)).toBe("It stood at the beginning and after 2… Ng8.");
  expect(decided(de, intended)).toContain("4… Sf6–g8");
  expect(decided(fr, intended)).toMatch(/^Les Noirs ont réclamé la nulle avec le coup 4… Cf6–g8/u);
  expect(decided(es, intended)).toMatch(/^Las negras reclamaron tablas con la jugada 4… Cf6–g8/u);
  // The page does not guess without the moves, nor of a game that was played elsewhere.
  const unknown = drawn("threefold_repetition", 7, "fide_board", 2);
  expect(decided(en, unknown)).toMatch(/^The same position stood/u);
  const nobody = { account: "00000000-0000-0000-0000-000000000000", name: "Carlsen" };
  expect(decided(en, { ...intended, players: { white: nobody, black: nobody } })).toMatch(/^The same position stood/u);
});

test("what was told of a claim counts before what the moves suggest", () => {
  const claimed = { ...drawn("threefold_repetition", 8, "casual"), drawClaim: { by: "white", uci: "g1f3" } } as const;
  expect(decided(en, claimed)).toMatch(/^White claimed the draw with the move 5\. Ng1–f3/u);
  const fifty = drawn("fifty_moves", 7, "us_chess");
  expect(decided(en, fifty)).toMatch(/^Black claimed the draw with a move that was intended/u);
  const withMove = { ...fifty, drawClaim: { by: "black", uci: "f6g8" } } as const;
  expect(decided(en, withMove)).toMatch(
    /^Black claimed the draw with the move 4… Nf6–g8, .+ With it each side would have/u,
  );
  expect(decided(en, drawn("fifty_moves", 7, "casual"))).toMatch(/^Each side made fifty moves/u);
});
