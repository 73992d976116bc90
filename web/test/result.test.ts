/** Why a game ended, in plain words: every reason has a sentence in every language, and it names the loser if there is one. */
import { expect, test } from "vitest";
import type { OutcomeView } from "#protocol";
import { catalogue as de } from "../src/text/de";
import { catalogue as en } from "../src/text/en";
import { catalogue as es } from "../src/text/es";
import { catalogue as fr } from "../src/text/fr";
import { fromSnapshot } from "zeitnot-client";
import { START_FEN } from "../src/chess/position";
import type { Color } from "../src/chess/square";
import { REASONS } from "../src/state/gameFilter";
import { showStood } from "../src/text/stood";
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
  "in %s the one who left a game is named from the side of the reader",
  (_, text) => {
    const left = { score: "0-1", reason: "abandonment" } as OutcomeView;
    expect(showReason(text, left, "white")).toBe(text.result.left.you);
    expect(showReason(text, left, "black")).toBe(text.result.left.opponent);
    expect(showReason(text, left, "white", false)).toBe(text.result.left.player);
    expect(showReason(text, left, "black", false)).toBe(text.result.left.opponent);
    expect(showReason(text, left, null).toLowerCase()).toContain(text.sides.white.toLowerCase());
    expect(showReason(text, { ...left, score: "1/2-1/2" }, "white")).toBe(text.reasons.abandonment);
  },
);

test("a repetition says at which moves the position stood, if they are known", () => {
  const shuffle = ["g1f3 Nf3", "g8f6 Nf6", "f3g1 Ng1", "f6g8 Ng8"];
  const moves = [...shuffle, ...shuffle];
  const plies = moves.map((move, index) => {
    const [uci = "", san = ""] = move.split(" ");
    return { ply: index + 1, uci, san, took: null, white_ms: null, black_ms: null } as never;
  });
  const fen = START_FEN.replace("0 1", "8 5");
  const played = (reason: OutcomeView["reason"], known = plies) => {
    const state = { phase: "ended", outcome: { score: "1/2-1/2", reason } } as const;
    return fromSnapshot(snapshot({ start_fen: START_FEN, fen, ply_count: plies.length, plies: known, state }), AT);
  };
  const game = played("threefold_repetition");
  expect(showStood(en, game)).toBe("It stood at the beginning and after 2… Ng8 and 4… Ng8.");
  expect(showStood(de, game)).toContain("2… Sg8 und 4… Sg8");
  expect(showStood(en, played("threefold_repetition", plies.slice(2)))).toBe("");
  expect(showStood(en, played("agreement"))).toBe("");
});
