/**
 * Why a typed command has no effect now, as a sentence: as far as the page knows, for the server decides.
 *
 * Pure.
 */
import { type Game, movesOf } from "zeitnot-client";
import { type Color, other } from "../chess/square";
import { availableActionsOf } from "../state/availableActions";
import { proofMoves } from "../state/proof";
import type { Rematch } from "../state/rematch";
import { isOnline } from "../state/setup";
import { type Word, wordOf } from "../state/typedCommands";
import type { Catalogue } from ".";
import type { HelpLine } from "./help";
import { showNoDraw } from "./words";

export interface CommandState {
  readonly game: Game;
  readonly seat: Color | null;
  readonly rematch: Rematch | undefined;
  /** By the clock of the page. */
  readonly now: number;
}

/** Null for a command that has an effect. */
export function showWhyNot(text: Catalogue, state: CommandState, word: Word): string | null {
  const { game, seat, rematch } = state;
  const { whyNot } = text.typed;
  switch (word) {
    case "proof":
      return game.outcome === null ? whyNot.afterGame : proofMoves(game.outcome).length > 0 ? null : whyNot.noProof;
    case "rematch":
      return game.outcome === null ? whyNot.afterGame : seat === null ? text.game.watching : null;
    case "accept":
    case "decline": {
      const { drawToAnswer, takebackToAnswer } = availableActionsOf(game, seat);
      const isAsked = game.outcome ? rematch?.state === "open" && rematch.by === "them" : false;
      return isAsked || drawToAnswer || takebackToAnswer ? null : whyNot.noOffer;
    }
    case "draw":
    case "resign":
    case "abort":
    case "takeback":
    case "give":
    case "claim":
    case "win":
    case "ilc":
      if (seat === null) return text.game.watching;
      if (game.phase !== "playing") return game.outcome ? text.game.over : text.game.deciding;
      return inPlay(text, state, seat, word);
    default:
      return null;
  }
}

/** The lines of `help` whose commands have an effect now. */
export function possible(text: Catalogue, lines: readonly HelpLine[], state: CommandState): readonly HelpLine[] {
  const isPossible = (command: string): boolean => {
    const word = wordOf(command, text);
    return word === null || word === "say" || showWhyNot(text, state, word) === null;
  };
  return lines.filter(([commands]) => isPossible(commands.split(", ")[0] ?? ""));
}

type Action = "draw" | "resign" | "abort" | "takeback" | "give" | "claim" | "win" | "ilc";

function inPlay(text: Catalogue, { game, now }: CommandState, seat: Color, word: Action): string | null {
  const available = availableActionsOf(game, seat);
  const { whyNot } = text.typed;
  const { profile, ilc } = game.options;
  const online = isOnline(profile);
  const noDraw = available.noDraw && showNoDraw(text, available.noDraw);
  switch (word) {
    case "draw":
      return available.drawToAnswer ? null : noDraw;
    case "resign":
      return null;
    case "abort":
      return available.abort ? null : online ? whyNot.bothMoved : whyNot.rules;
    case "takeback":
      if (available.takeback) return null;
      if (profile !== "casual") return whyNot.noTakebacks;
      return movesOf(game, seat) === 0 ? whyNot.unmoved : text.game.takebackSent;
    case "give":
      if (available.giveTime) return null;
      if (profile !== "casual") return whyNot.rules;
      return game.players[other(seat)].bot === true ? whyNot.noUse : text.game.noClock;
    case "claim":
      if (available.claim) return null;
      return profile === "fide_online" ? whyNot.claims : whyNot.notYourTurn;
    case "win":
      if (!online) return whyNot.rules;
      if (available.claimAbsenceAt === null) return whyNot.isHere;
      return available.claimAbsenceAt > now
        ? text.game.absenceIn(Math.ceil((available.claimAbsenceAt - now) / 1000))
        : null;
    case "ilc":
      if (available.askIlc) return null;
      if (ilc === "off" || game.control.kind !== "clock") return whyNot.rules;
      return game.turn === null ? whyNot.notYourTurn : noDraw;
  }
}
