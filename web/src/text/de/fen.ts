/** German: why a FEN is rejected. */
import type { Catalogue } from "..";
import { sides } from "./pieces";

export const fen: Catalogue["fen"] = {
  field_count: ({ found }) => `Eine FEN hat 4 oder 6 Teile, diese hat ${found > 6 ? "mehr" : found}`,
  board_character: ({ at, found }) =>
    `Zeichen ${at} des Bretts ist „${found}“ statt einer Figur, einer Ziffer von 1 bis 8 oder eines Schrägstrichs`,
  rank_length: ({ rank }) => `Reihe ${rank} hat nicht 8 Felder`,
  rank_count: () => "Das Brett hat nicht 8 Reihen",
  side_to_move: () => "Die Seite am Zug ist weder w noch b",
  castling_character: ({ at, found }) =>
    `Zeichen ${at} der Rochaderechte ist „${found}“ statt K, Q, eines Linienbuchstabens oder eines einzelnen „-“`,
  castling_rook: ({ at, color }) =>
    `Für Zeichen ${at} der Rochaderechte fehlt ${sides[color]} König oder Turm auf der Grundreihe`,
  castling_twice: ({ at, color }) => `${sides[color]} hat das Rochaderecht von Zeichen ${at} schon`,
  en_passant: () => "Für en passant ist weder ein Feld noch „-“ angegeben",
  halfmove_clock: () => "Der Halbzugzähler muss eine Zahl von 0 bis 65535 sein",
  fullmove_number: () => "Die Zugnummer muss eine Zahl von 0 bis 65535 sein",
  kings: ({ color, count }) => `${sides[color]} hat ${count === 0 ? "keinen König" : `${count} Könige`}`,
  pawn_on_last_rank: ({ square }) => `Auf ${square} kann kein Bauer stehen`,
  opponent_in_check: ({ color }) => `${sides[color]} steht im Schach, ist aber nicht am Zug`,
  castling_right: ({ color, rook }) => `${sides[color]} kann mit einem Turm auf ${rook} kein Rochaderecht haben`,
  en_passant_square: ({ square }) => `Kein Bauer kann mit dem letzten Zug über ${square} gezogen sein`,
};
