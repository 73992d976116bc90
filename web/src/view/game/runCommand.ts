/**
 * Runs a typed command and answers with a sentence. Commands are parsed in `state/typedCommands`.
 *
 * Sends the same messages as the buttons. A command that has no effect now is answered with the reason, and `help` leaves it
 * out.
 */
import { type Game, shown, turnOf } from "zeitnot-client";
import type { Position } from "../../chess/position";
import { type Color, ROLES, nameOf } from "../../chess/square";
import { inputOf } from "../../state/app";
import type { ParsedCommand, Word } from "../../state/typedCommands";
import { availableActionsOf } from "../../state/availableActions";
import type { Store } from "../../store";
import type { Catalogue } from "../../text";
import type { Reply } from "../../text/help";
import { type CommandState, possible, showWhyNot } from "../../text/whyNot";
import { showProven, showReason, showResult, showUci, speakClock, speakSan } from "../../text/words";
import { type InputMode, cancelAll, commit, flip, proveTo } from "../../state/boardInput";
import { proofMoves } from "../../state/proof";
import { GIVEN_MS } from "./Actions";

export interface CommandContext {
  readonly game: Game;
  readonly seat: Color | null;
  readonly position: Position;
  /** Where a typed move starts: with the move on its way, and premoves drawn ahead. */
  readonly from: Position;
  readonly mode: InputMode;
  readonly command: ParsedCommand;
  readonly typed: string;
  /** The previous command was to resign. */
  readonly resigning: boolean;
}

/** Whether moves can be typed at all, now or later. */
export function canMove(game: Game, seat: Color | null): boolean {
  return seat !== null && game.phase !== "ended";
}

/** Runs the command. The answer is empty when the page shows the effect: it would stay when that has gone. */
export function runCommand(store: Store, text: Catalogue, context: CommandContext): Reply {
  const { game, command, typed } = context;
  switch (command.kind) {
    case "move":
      store.applyInput(game, commit(inputOf(store.state, game.id), context.mode, command.uci));
      return "";
    case "premove":
      store.updateInput(game.id, (input) => commit(input, context.mode, command.uci).input);
      store.say(text.announcements.premove(showUci(text, command.uci, context.from)));
      return "";
    case "claim": {
      const no = showWhyNot(text, stateOf(store, context), "claim");
      if (no !== null) return no;
      store.send({
        t: "claim_draw",
        d: command.uci === null ? { game: game.id, on: game.on } : { game: game.id, on: game.on, uci: command.uci },
      });
      return "";
    }
    case "say":
      if (!command.text) return text.typed.whyNot.nothingSaid;
      store.send({
        t: "say",
        d: { game: game.id, room: context.seat === null ? "spectators" : "players", text: command.text },
      });
      return text.play.chat.said;
    case "several":
      return text.typed.unclear(typed);
    case "unknown":
      return text.typed.unknown(typed);
    case "word":
      return (
        question(store, text, context, command.word) ??
        showWhyNot(text, stateOf(store, context), command.word) ??
        (game.outcome && afterEnd(store, game, command.word)) ??
        act(store, text, context, command.word)
      );
  }
}

function stateOf({ state }: Store, { game, seat }: CommandContext): CommandState {
  return { game, seat, rematch: state.rematches[game.id], now: performance.now() };
}

/** Answers a question; null if the word is an action. */
function question(store: Store, text: Catalogue, context: CommandContext, word: Word): Reply | null {
  const { game, seat, position } = context;
  switch (word) {
    case "help":
      return possible(text, (canMove(game, seat) ? text.typed : text.typed.watching).help, stateOf(store, context));
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
      return last
        ? text.announcements.move(
            text.sides[turnOf(game.fen) === "white" ? "black" : "white"],
            speakSan(text, last.san),
          )
        : text.game.noMoves;
    }
    case "moves":
      return text.typed.legal(
        game.turn?.legal.map((uci) => showUci(text, uci, position)).join(", ") || text.typed.none,
      );
    case "status":
      if (game.outcome) {
        const { outcome } = game;
        return [
          text.announcements.over(showResult(text, outcome, seat), showReason(text, outcome, seat)),
          showProven(text, outcome, turnOf(game.fen)),
        ]
          .filter(Boolean)
          .join(" ");
      }
      if (seat) return game.turn ? text.game.yourTurn : text.game.theirTurn;
      return text.game.toMove(text.sides[turnOf(game.fen)]);
    default:
      return null;
  }
}

/** All pieces by side and kind: `White: king e1, queen d1, rook a1 h1, …`. */
function describe(text: Catalogue, position: Position): string {
  const side = (color: Color): string => {
    const kinds = [...ROLES].reverse().flatMap((role) => {
      const squares = position.board.flatMap((piece, square) =>
        piece?.color === color && piece.role === role ? [nameOf(square)] : [],
      );
      return squares.length ? [`${text.roles[role]} ${squares.join(" ")}`] : [];
    });
    return `${text.sides[color]}: ${kinds.join(", ")}.`;
  };
  return `${side("white")} ${side("black")}`;
}

/** Does what a word says that has an effect now. */
function act(store: Store, text: Catalogue, { game, seat, resigning }: CommandContext, word: Word): string {
  const about = { game: game.id };
  switch (word) {
    case "draw":
      store.send({ t: "offer_draw", d: about });
      store.say(text.game.drawSent);
      return "";
    case "accept":
    case "decline": {
      const { takebackToAnswer: takeback, drawToAnswer: draw } = availableActionsOf(game, seat);
      if (takeback) store.send({ t: `${word}_takeback`, d: { ...about, offer: takeback.seq } });
      else if (draw) store.send({ t: `${word}_draw`, d: { ...about, offer: draw.seq } });
      return "";
    }
    case "resign":
      if (!resigning) return text.typed.resignAgain;
      store.send({ t: "resign", d: about });
      return "";
    case "abort":
      store.send({ t: "abort", d: about });
      return "";
    case "takeback":
      store.send({ t: "offer_takeback", d: about });
      store.say(text.game.takebackSent);
      return "";
    case "give":
      store.send({ t: "give_time", d: { ...about, ms: GIVEN_MS } });
      return "";
    case "win":
      store.send({ t: "claim_absence", d: { ...about, result: "win" } });
      return "";
    case "ilc":
      store.send({ t: "ask_ilc", d: about });
      return "";
    case "cancel":
      store.updateInput(game.id, cancelAll);
      return "";
    case "flip":
      store.updateInput(game.id, flip);
      return "";
    default:
      return "";
  }
}

/** The actions after the end of a game: rematch and proof; null if the word is none of these. */
function afterEnd(store: Store, game: Game, word: Word): string | null {
  const rematch = store.state.rematches[game.id];
  switch (word) {
    case "proof": {
      const moves = proofMoves(game.outcome).length;
      store.updateInput(game.id, (input) => proveTo(input, input.proof === null ? 0 : input.proof + 1, moves));
      return "";
    }
    case "rematch":
      store.send({ t: "offer_rematch", d: { game: game.id } });
      return "";
    case "accept":
    case "decline":
      if (rematch) store.send({ t: `${word}_challenge`, d: { challenge: rematch.challenge } });
      return "";
    default:
      return null;
  }
}
