/** Why a FEN is rejected, in every language of the page. */
import type { FenReason } from "#protocol";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Catalogue, LANGUAGES, type Language } from "../src/text";
import { catalogue as de } from "../src/text/de";
import { catalogue as en } from "../src/text/en";
import { catalogue as es } from "../src/text/es";
import { showBadFen } from "../src/text/fen";
import { catalogue as fr } from "../src/text/fr";
import { loadText } from "../src/view/analysis/loadText";

const CATALOGUES: Readonly<Record<Language, Catalogue>> = { en, de, fr, es };

type Reasons = { readonly [K in FenReason["kind"]]: Extract<FenReason, { readonly kind: K }> };
const REASONS: Reasons = {
  field_count: { kind: "field_count", found: 5 },
  board_character: { kind: "board_character", at: 11, found: "x" },
  rank_length: { kind: "rank_length", rank: 3 },
  rank_count: { kind: "rank_count" },
  side_to_move: { kind: "side_to_move" },
  castling_character: { kind: "castling_character", at: 2, found: "?" },
  castling_rook: { kind: "castling_rook", at: 4, color: "black" },
  castling_twice: { kind: "castling_twice", at: 3, color: "white" },
  en_passant: { kind: "en_passant" },
  halfmove_clock: { kind: "halfmove_clock" },
  fullmove_number: { kind: "fullmove_number" },
  kings: { kind: "kings", color: "white", count: 2 },
  pawn_on_last_rank: { kind: "pawn_on_last_rank", square: "e8" },
  opponent_in_check: { kind: "opponent_in_check", color: "black" },
  castling_right: { kind: "castling_right", color: "white", rook: "h1" },
  en_passant_square: { kind: "en_passant_square", square: "d6" },
};

const said = (language: Language, reason: FenReason): string =>
  showBadFen(CATALOGUES[language], { message: "in English", reason });

afterEach(() => void vi.unstubAllGlobals());

describe.each(LANGUAGES)("in %s", (language) => {
  test("each kind has its own sentence, which names what it is about", () => {
    const { sides } = CATALOGUES[language];
    const reasons = Object.values(REASONS);
    expect(new Set(reasons.map((reason) => said(language, reason))).size).toBe(reasons.length);
    for (const { kind, ...named } of reasons) {
      const sentence = said(language, REASONS[kind]);
      expect(sentence).toMatch(/[^.]\.$/u);
      expect(sentence).not.toMatch(/undefined|in English/u);
      for (const [field, value] of Object.entries(named)) {
        const words = field === "color" ? sides[value as keyof typeof sides] : String(value);
        expect(sentence.toLowerCase(), `${kind}: ${field}`).toContain(words.toLowerCase());
      }
    }
  });

  test("a reason that the page does not know, or none, is told by the message", () => {
    const message = "start is not the FEN of a possible position: something new";
    const unknown = { kind: "something_new" } as unknown as FenReason;
    for (const reason of [unknown, null]) expect(showBadFen(CATALOGUES[language], { message, reason })).toBe(message);
  });
});

test.each<[Language, FenReason, string]>([
  ["en", REASONS.kings, "This is not a possible position: White has 2 kings."],
  ["de", REASONS.kings, "Diese Stellung ist nicht möglich: Weiß hat 2 Könige."],
  ["fr", REASONS.kings, "Cette position est impossible : les Blancs ont 2 rois."],
  ["es", REASONS.kings, "Esta posición no es posible: las blancas tienen 2 reyes."],
  ["en", { ...REASONS.kings, count: 0 }, "This is not a possible position: White has no king."],
  ["de", { ...REASONS.kings, count: 0 }, "Diese Stellung ist nicht möglich: Weiß hat keinen König."],
  ["fr", { ...REASONS.kings, count: 0 }, "Cette position est impossible : les Blancs n’ont pas de roi."],
  ["es", { ...REASONS.kings, count: 0 }, "Esta posición no es posible: las blancas no tienen rey."],
  ["en", REASONS.opponent_in_check, "This is not a possible position: Black is in check, but it is not Black’s turn."],
  [
    "de",
    REASONS.opponent_in_check,
    "Diese Stellung ist nicht möglich: Schwarz steht im Schach, ist aber nicht am Zug.",
  ],
  ["fr", REASONS.opponent_in_check, "Cette position est impossible : les Noirs sont en échec sans avoir le trait."],
  ["es", REASONS.opponent_in_check, "Esta posición no es posible: las negras están en jaque sin que les toque jugar."],
  [
    "en",
    { kind: "field_count", found: 7 },
    "This is not a possible position: a FEN has 4 or 6 fields, this one has more.",
  ],
  [
    "de",
    { kind: "field_count", found: 7 },
    "Diese Stellung ist nicht möglich: Eine FEN hat 4 oder 6 Teile, diese hat mehr.",
  ],
  [
    "fr",
    { kind: "field_count", found: 7 },
    "Cette position est impossible : une FEN a 4 ou 6 champs, celle-ci en a davantage.",
  ],
  [
    "es",
    { kind: "field_count", found: 7 },
    "Esta posición no es posible: una FEN tiene 4 o 6 campos y esta tiene más.",
  ],
])("%s: %o", (language, reason, sentence) => {
  expect(said(language, reason)).toBe(sentence);
});

test("a FEN that is loaded, alone or in a PGN, is rejected in the language of the page", async () => {
  const body = { code: "bad_fen", message: "in English", reason: REASONS.rank_length };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(body, { status: 400 })));
  const fen = "8/8/8/8/8/7/8/8 w - - 0 1";
  for (const pasted of [fen, `[FEN "${fen}"]\n\n1. e4 *`])
    expect(await loadText(pasted, de)).toBe("Diese Stellung ist nicht möglich: Reihe 3 hat nicht 8 Felder.");
});
