/** Why a game ended, in plain words: every reason has a sentence in every language, and it names the loser if there is one. */
import { expect, test } from "vitest";
import type { OutcomeView } from "#protocol";
import { catalogue as de } from "../src/text/de";
import { catalogue as en } from "../src/text/en";
import { catalogue as es } from "../src/text/es";
import { catalogue as fr } from "../src/text/fr";
import { REASONS } from "../src/state/gameFilter";
import { showBecause, showReason } from "../src/text/words";

const CATALOGUES = { en, de, fr, es };

test.each(Object.entries(CATALOGUES))("in %s each reason has its own sentence", (_, text) => {
  const drawn = REASONS.map((reason) => showBecause(text, { score: "1/2-1/2", reason } as OutcomeView));
  expect(new Set(drawn).size).toBe(REASONS.length);
  for (const sentence of drawn) expect(sentence).toMatch(/^\p{Lu}.*\.$/u);
  for (const reason of ["checkmate", "resignation", "flag_fall", "abandonment"] as const) {
    const white = showBecause(text, { score: "0-1", reason } as OutcomeView);
    const black = showBecause(text, { score: "1-0", reason } as OutcomeView);
    expect(white.toLowerCase()).toContain(text.sides.white.toLowerCase());
    expect(black.toLowerCase()).toContain(text.sides.black.toLowerCase());
  }
});

test("a side that ran out of time draws if the other could not have given checkmate", () => {
  const drawn = { score: "1/2-1/2", reason: "flag_fall" } as OutcomeView;
  expect(showBecause(en, drawn)).toBe(
    "One side ran out of time, but the other could no longer have given checkmate: a draw.",
  );
});

test.each(Object.entries(CATALOGUES))(
  "in %s the one who left a game is named from the side of the reader",
  (_, text) => {
    const left = { score: "0-1", reason: "abandonment" } as OutcomeView;
    expect(showReason(text, left, "white")).toBe(text.result.left.you);
    expect(showReason(text, left, "black")).toBe(text.result.left.opponent);
    expect(showReason(text, left, null).toLowerCase()).toContain(text.sides.white.toLowerCase());
    expect(showReason(text, { ...left, score: "1/2-1/2" }, "white")).toBe(text.reasons.abandonment);
  },
);
