/**
 * Does what was typed, and says what came of it. The words are read in `state/commands`.
 *
 * Sends the same commands as the buttons; what is not possible now is answered, not sent.
 */
import type { Position } from "../../chess/position";
import { type Color, ROLES, nameOf } from "../../chess/square";
import { tableOf } from "../../state/app";
import { shown } from "../../state/clock";
import type { Meant, Word } from "../../state/commands";
import { type Game, turnOf } from "../../state/game";
import { type Rights, rightsOf } from "../../state/rights";
import type { Store } from "../../store";
import type { Catalogue } from "../../text";
import { showProof, showResult, showUci, speakClock, speakSan } from "../../text/words";
import { GIVEN_MS } from "./Actions";
import { afterEnd } from "./obeyAfter";

export interface Ask {
  readonly game: Game;
  readonly seat: Color | null;
  readonly position: Position;
  readonly meant: Meant;
  readonly typed: string;
  /** The last thing typed was to resign. */
  readonly resigning: boolean;
}

/** Acts, and answers with a sentence; empty when the act will be heard of anyway. */
export function obey(store: Store, text: Catalogue, ask: Ask): string {
  const { game, meant, typed } = ask;
  switch (meant.kind) {
    case "move":
      store.step(game, { table: { ...tableOf(store.state, game.id), premove: null, picked: null }, play: meant.uci });
      return "";
    case "premove":
      store.table(game.id, (table) => ({ ...table, premove: meant.uci, picked: null }));
      return text.spoken.premove(showUci(text, meant.uci, ask.position));
    case "claim":
      if (!rightsOf(game, ask.seat).claim) return text.typed.notNow;
      store.send({ t: "claim_draw", d: meant.uci === null ? { game: game.id, on: game.on } : { game: game.id, on: game.on, uci: meant.uci } });
      return "";
    case "say":
      if (!meant.text) return text.typed.notNow;
      store.send({ t: "say", d: { game: game.id, room: ask.seat === null ? "spectators" : "players", text: meant.text } });
      return text.play.chat.said;
    case "several":
      return text.typed.unclear(typed);
    case "unknown":
      return text.typed.unknown(typed);
    case "word":
      return question(text, ask, meant.word) ?? (game.outcome && afterEnd(store, text, game, ask.seat !== null, meant.word)) ?? act(store, text, ask, meant.word, rightsOf(game, ask.seat));
  }
}

/** What only asks; null if it is an act. */
function question(text: Catalogue, { game, seat, position }: Ask, word: Word): string | null {
  switch (word) {
    case "help":
      return text.typed.helpText;
    case "clock": {
      if (!game.clocks) return text.game.noClock;
      const now = shown(game.clocks, performance.now());
      return text.typed.clocks(speakClock(text, now.white), speakClock(text, now.black));
    }
    case "board":
    case "pieces":
      return describe(text, position);
    case "last": {
      const last = game.plies[game.plies.length - 1];
      return last ? text.spoken.move(text.sides[turnOf(game.fen) === "white" ? "black" : "white"], speakSan(text, last.san)) : text.game.noMoves;
    }
    case "moves":
      return text.typed.legal(game.turn?.legal.map((uci) => showUci(text, uci, position)).join(", ") || text.typed.none);
    case "status":
      if (game.outcome) {
        const { proof, reason } = game.outcome;
        return [text.spoken.over(showResult(text, game.outcome, seat), text.reasons[reason]), proof === undefined ? "" : showProof(text, proof)].filter(Boolean).join(" ");
      }
      return game.turn && seat ? text.game.yourTurn : text.game.toMove(text.sides[turnOf(game.fen)]);
    default:
      return null;
  }
}

/** All pieces by side and kind: `White: king e1, queen d1, rook a1 h1, …`. */
function describe(text: Catalogue, position: Position): string {
  const side = (color: Color): string => {
    const kinds = [...ROLES].reverse().flatMap((role) => {
      const squares = position.board.flatMap((piece, square) => (piece?.color === color && piece.role === role ? [nameOf(square)] : []));
      return squares.length ? [`${text.roles[role]} ${squares.join(" ")}`] : [];
    });
    return `${text.sides[color]}: ${kinds.join(", ")}.`;
  };
  return `${side("white")} ${side("black")}`;
}

function act(store: Store, text: Catalogue, { game, resigning }: Ask, word: Word, rights: Rights): string {
  const about = { game: game.id };
  const { notNow } = text.typed;
  switch (word) {
    case "draw":
      if (!rights.offerDraw && !rights.drawToAnswer) return notNow;
      store.send({ t: "offer_draw", d: about });
      return text.game.drawSent;
    case "accept":
    case "decline": {
      const takeback = rights.takebackToAnswer;
      const draw = rights.drawToAnswer;
      if (takeback) store.send({ t: `${word}_takeback`, d: { ...about, offer: takeback.seq } });
      else if (draw) store.send({ t: `${word}_draw`, d: { ...about, offer: draw.seq } });
      else return notNow;
      return "";
    }
    case "resign":
      if (!rights.resign) return notNow;
      if (!resigning) return text.typed.resignAgain;
      store.send({ t: "resign", d: about });
      return "";
    case "abort":
      if (!rights.abort) return notNow;
      store.send({ t: "abort", d: about });
      return "";
    case "takeback":
      if (!rights.takeback) return notNow;
      store.send({ t: "offer_takeback", d: about });
      return text.game.takebackSent;
    case "give":
      if (!rights.giveTime) return notNow;
      store.send({ t: "give_time", d: { ...about, ms: GIVEN_MS } });
      return "";
    case "win":
      if (rights.claimAbsenceAt === null || rights.claimAbsenceAt > performance.now()) return notNow;
      store.send({ t: "claim_absence", d: { ...about, result: "win" } });
      return "";
    case "ilc":
      if (!rights.askIlc) return notNow;
      store.send({ t: "ask_ilc", d: about });
      return "";
    case "cancel":
      store.table(game.id, (table) => ({ ...table, premove: null, picked: null, promoting: null }));
      return text.spoken.premoveGone;
    case "flip":
      store.table(game.id, (table) => ({ ...table, flipped: !table.flipped }));
      return "";
    default:
      return notNow;
  }
}
