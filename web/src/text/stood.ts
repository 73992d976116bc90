/** At which moves of a game the position at its end stood on the board, as a sentence. Pure. */
import type { Game } from "zeitnot-client";
import { occurrences } from "../chess/claims";
import { positionsOf } from "../state/positions";
import type { Catalogue } from ".";
import { dateTag, showSan } from "./words";

/** Fewer is no repetition: the position that was claimed was not played. */
const LEAST = 3;

/** Empty after other reasons than a repetition, and where the page does not know all moves. */
export function showStood(text: Catalogue, game: Game): string {
  const { outcome, plies } = game;
  if (outcome?.reason !== "threefold_repetition" && outcome?.reason !== "fivefold_repetition") return "";
  const positions = positionsOf(game);
  const places = occurrences(positions);
  if (places.length < LEAST) return "";
  const moves = places.flatMap((ply) => {
    const [move, before] = [plies[ply - 1], positions[ply - 1]];
    if (!move || !before) return [];
    return [`${before.fullmove}${before.turn === "white" ? ". " : "… "}${showSan(text, move.san)}`];
  });
  return text.result.stood(places[0] === 0, new Intl.ListFormat(dateTag(text.tag)).format(moves));
}
