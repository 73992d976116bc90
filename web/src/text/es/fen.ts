/** Spanish: why a FEN is rejected. */
import type { Catalogue } from "..";
import { las, sides } from "./pieces";

export const fen: Catalogue["fen"] = {
  field_count: ({ found }) => `una FEN tiene 4 o 6 campos y esta tiene ${found > 6 ? "más" : found}`,
  board_character: ({ at, found }) =>
    `el carácter ${at} del tablero es «${found}» en lugar de una pieza, una cifra del 1 al 8 o una barra`,
  rank_length: ({ rank }) => `la fila ${rank} no tiene 8 casillas`,
  rank_count: () => "el tablero no tiene 8 filas",
  side_to_move: () => "el turno no es ni w ni b",
  castling_character: ({ at, found }) =>
    `el carácter ${at} de los derechos de enroque es «${found}» en lugar de K, Q, la letra de una columna o un solo «-»`,
  castling_rook: ({ at, color }) =>
    `${las(sides[color])} no tienen en su primera fila el rey y la torre que exige el carácter ${at} de los derechos de enroque`,
  castling_twice: ({ at, color }) => `${las(sides[color])} ya tienen el derecho de enroque del carácter ${at}`,
  en_passant: () => "el campo de la captura al paso no es ni una casilla ni «-»",
  halfmove_clock: () => "el contador de medias jugadas debe ser un número del 0 al 65535",
  fullmove_number: () => "el número de jugada debe estar entre 0 y 65535",
  kings: ({ color, count }) => `${las(sides[color])} ${count === 0 ? "no tienen rey" : `tienen ${count} reyes`}`,
  pawn_on_last_rank: ({ square }) => `no puede haber un peón en ${square}`,
  opponent_in_check: ({ color }) => `${las(sides[color])} están en jaque sin que les toque jugar`,
  castling_right: ({ color, rook }) =>
    `${las(sides[color])} no pueden tener derecho a enrocar con una torre en ${rook}`,
  en_passant_square: ({ square }) => `ningún peón puede haber pasado por ${square} con la última jugada`,
};
