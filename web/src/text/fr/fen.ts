/** French: why a FEN is rejected. */
import type { Catalogue } from "..";
import { les, sides } from "./pieces";

export const fen: Catalogue["fen"] = {
  field_count: ({ found }) => `une FEN a 4 ou 6 champs, celle-ci en a ${found > 6 ? "davantage" : found}`,
  board_character: ({ at, found }) =>
    `le caractère ${at} de l’échiquier est « ${found} » au lieu d’une pièce, d’un chiffre de 1 à 8 ou d’une barre oblique`,
  rank_length: ({ rank }) => `la rangée ${rank} n’a pas 8 cases`,
  rank_count: () => "l’échiquier n’a pas 8 rangées",
  side_to_move: () => "le trait n’est ni w ni b",
  castling_character: ({ at, found }) =>
    `le caractère ${at} des droits de roque est « ${found} » au lieu de K, de Q, d’une lettre de colonne ou d’un « - » seul`,
  castling_rook: ({ at, color }) =>
    `${les(sides[color])} n’ont pas sur leur première rangée le roi et la tour qu’exige le caractère ${at} des droits de roque`,
  castling_twice: ({ at, color }) => `${les(sides[color])} ont déjà le droit de roque du caractère ${at}`,
  en_passant: () => "le champ de la prise en passant n’est ni une case ni « - »",
  halfmove_clock: () => "le compteur de demi-coups doit être un nombre de 0 à 65535",
  fullmove_number: () => "le numéro du coup doit être un nombre de 0 à 65535",
  kings: ({ color, count }) => `${les(sides[color])} ${count === 0 ? "n’ont pas de roi" : `ont ${count} rois`}`,
  pawn_on_last_rank: ({ square }) => `il ne peut pas y avoir de pion en ${square}`,
  opponent_in_check: ({ color }) => `${les(sides[color])} sont en échec sans avoir le trait`,
  castling_right: ({ color, rook }) =>
    `${les(sides[color])} ne peuvent pas avoir le droit de roquer avec une tour en ${rook}`,
  en_passant_square: ({ square }) => `aucun pion n’a pu passer par ${square} au dernier coup`,
};
