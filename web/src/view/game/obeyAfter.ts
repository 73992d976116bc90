/** Does what was typed after the end of a game: rematch, and the proof. */
import type { Word } from "../../state/commands";
import type { Game } from "../../state/game";
import { proofMoves } from "../../state/proof";
import { proveTo } from "../../state/table";
import type { Store } from "../../store";
import type { Catalogue } from "../../text";

/** Acts, and answers with a sentence; null if the word is not one of these. */
export function afterEnd(store: Store, text: Catalogue, game: Game, isPlayer: boolean, word: Word): string | null {
  const rematch = store.state.rematches[game.id];
  const isTheirs = rematch?.state === "open" && rematch.by === "them";
  switch (word) {
    case "proof": {
      const moves = proofMoves(game.outcome).length;
      if (moves === 0) return text.typed.notNow;
      store.table(game.id, (table) => proveTo(table, table.proof === null ? 0 : table.proof + 1, moves));
      return "";
    }
    case "rematch":
      if (!isPlayer) return text.typed.notNow;
      store.send({ t: "offer_rematch", d: { game: game.id } });
      return isTheirs ? "" : text.play.rematch.offered;
    case "accept":
    case "decline":
      if (!isTheirs) return text.typed.notNow;
      store.send({ t: `${word}_challenge`, d: { challenge: rematch.challenge } });
      return "";
    default:
      return null;
  }
}
