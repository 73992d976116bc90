/**
 * Moves, clocks and results as text in the language of a catalogue.
 *
 * Pure. The caller chooses the catalogue.
 */
import type { DeclineReason, OutcomeView, Period, PlayedOut, TimeControl, WireProof } from "#protocol";
import type { Game } from "zeitnot-client";
import type { Color, Role } from "../chess/square";
import { type Position, castlingOf, readFen } from "../chess/position";
import { other, readUci } from "../chess/square";
import type { NoDraw } from "../state/drawOffers";
import type { EndCode } from "../state/invitations";
import { positionsOf } from "../state/positions";
import { isDecidedByProof, isProofTold } from "../state/proof";
import type { Catalogue } from ".";
import { showFraction } from "./numbers";

const ROLE_OF: Readonly<Record<string, Role>> = { N: "n", B: "b", R: "r", Q: "q", K: "k" };

/** SAN with the piece letters of the language: `Nf3` is `Sf3` in German. */
export function showSan(text: Catalogue, san: string): string {
  return san.replace(/[KQRBN]/gu, (letter) => text.letters[ROLE_OF[letter] ?? "p"]);
}

/** A move in words, as it is read out: `knight takes f 3, check`. */
export function speakSan(text: Catalogue, san: string): string {
  const { announcements, roles } = text;
  const words: string[] = [];
  const castling = /^O-O(-O)?/u.exec(san);
  if (castling) {
    words.push(castling[1] ? announcements.castlesLong : announcements.castlesShort);
  } else {
    const parts = /^([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([QRBN]))?/u.exec(san);
    if (!parts) return san;
    const [, letter = "", from = "", takes = "", to = "", promotes] = parts;
    const role = roles[ROLE_OF[letter] ?? "p"];
    if (letter !== "" || takes !== "") words.push(role);
    if (from) words.push(from);
    if (takes) words.push(announcements.takes);
    words.push(to);
    if (promotes) words.push(announcements.promotes(roles[ROLE_OF[promotes] ?? "q"]));
  }
  const end = san.endsWith("#") ? announcements.mate : san.endsWith("+") ? announcements.check : "";
  return end ? `${words.join(" ")}, ${end}` : words.join(" ");
}

/** A move without SAN, such as a premove: `e7–e8=Q`, castling as `O-O`. */
export function showUci(text: Catalogue, uci: string, position: Position): string {
  const move = readUci(uci);
  if (!move) return uci;
  const castles = castlingOf(position, move.from, move.to);
  if (castles) return castles.rook > move.from ? "O-O" : "O-O-O";
  const letter = text.letters[position.board[move.from]?.role ?? "p"];
  return `${letter}${uci.slice(0, 2)}–${uci.slice(2, 4)}${move.promotion ? `=${text.letters[move.promotion]}` : ""}`;
}

/** That a premove was not possible. Its piece is named as before the opponent's move, which may have captured it. */
export function showDropped(text: Catalogue, game: Game, uci: string): string {
  const positions = positionsOf(game);
  return text.game.premoveDropped(showUci(text, uci, positions[positions.length - 2] ?? readFen(game.fen)));
}

/** A move without SAN as it is read out: `queen d8 to h4`. */
export function speakUci(text: Catalogue, uci: string, position: Position): string {
  const move = readUci(uci);
  if (!move) return uci;
  const castles = castlingOf(position, move.from, move.to);
  if (castles) return castles.rook > move.from ? text.announcements.castlesShort : text.announcements.castlesLong;
  const role = text.roles[position.board[move.from]?.role ?? "p"];
  return text.play.proof.inWords(
    role,
    uci.slice(0, 2),
    uci.slice(2, 4),
    move.promotion ? text.roles[move.promotion] : "",
  );
}

/** Seconds to a tenth, `0.5`. */
const seconds = ({ tag }: Catalogue, ms: number): string => showFraction(tag, ms / 1000, 0, 1);

/** Minutes; what is less than one and no quarter of it as seconds, `20 s`. */
function minutes(text: Catalogue, ms: number): string {
  const value = ms / 60_000;
  if (value === 0.25) return "¼";
  if (value === 0.5) return "½";
  if (value === 0.75) return "¾";
  if (value > 0 && value < 1) return text.control.seconds(seconds(text, ms));
  return showFraction(text.tag, value, 0, 2);
}

function showPeriod(text: Catalogue, period: Period): string {
  const { control } = text;
  const time = minutes(text, period.base_ms);
  const whole = period.base_ms > 0 && period.base_ms < 60_000 ? time : control.minutes(time);
  let words = `${time}+${seconds(text, period.increment_ms ?? 0)}`;
  if (period.delay_ms) words = `${whole}, ${control.delay(seconds(text, period.delay_ms))}`;
  if (period.bronstein_ms) words = `${whole}, ${control.bronstein(seconds(text, period.bronstein_ms))}`;
  return period.moves === undefined ? words : control.moves(period.moves, words);
}

/** A time control in short: `3+2`, `40 moves in 90+30, then 15+30`. */
export function showControl(text: Catalogue, control: TimeControl): string {
  switch (control.kind) {
    case "days":
      return text.control.days(control.days);
    case "unlimited":
      return text.control.unlimited;
    case "clock": {
      const side = (periods: readonly Period[]): string =>
        periods.map((period) => showPeriod(text, period)).join(text.control.next);
      return control.black_periods
        ? side(control.periods) + text.control.versus + side(control.black_periods)
        : side(control.periods);
    }
  }
}

/** The result, for a spectator or for a player. */
export function showResult(text: Catalogue, outcome: OutcomeView, seat: Color | null): string {
  const { game } = text;
  switch (outcome.score) {
    case "1-0":
    case "0-1": {
      const winner: Color = outcome.score === "1-0" ? "white" : "black";
      if (seat === null) return game.wins(text.sides[winner]);
      return seat === winner ? game.youWin : game.youLose;
    }
    case "1/2-1/2":
      return game.draws;
    case "*":
      return game.noResult;
    default:
      return game.special(outcome.score);
  }
}

/** How a game ended. */
export type Ending = Pick<OutcomeView, "score" | "reason">;

function loserOf(score: OutcomeView["score"]): Color | null {
  return score === "1-0" ? "black" : score === "0-1" ? "white" : null;
}

/**
 * How a game ended, in short. If by what a player did, or by that player's time: who that was, for a spectator or for a
 * player, who is the reader or another one whose games are listed.
 */
export function showReason(
  text: Catalogue,
  { score, reason }: Ending,
  seat: Color | null,
  isReader: boolean = true,
): string {
  const loser = loserOf(score);
  const { lostBy } = text.result;
  if (loser === null || !(reason in lostBy)) return text.reasons[reason];
  const words = lostBy[reason as keyof typeof lostBy];
  if (seat === null) return words.side(text.sides[loser]);
  if (seat !== loser) return words.opponent;
  return isReader ? words.you : words.player;
}

/**
 * What was decided, as a sentence: who ran out of time, what stood three times on the board. `toMove` is the side to move at
 * the end: only its time can run out.
 */
export function showBecause(text: Catalogue, outcome: OutcomeView, toMove: Color): string {
  const { reason } = outcome;
  const { because, noMate } = text.result;
  if (isDecidedByProof(outcome) && reason in noMate)
    return noMate[reason as keyof typeof noMate](text.sides[toMove], text.sides[other(toMove)]);
  const loser = loserOf(outcome.score);
  return because[reason](loser && text.sides[loser]);
}

/**
 * The proof of a result, if there is something to say of it. Where it decided, it follows who cannot checkmate; of a dead
 * position the reason itself says so.
 */
export function showProven(text: Catalogue, outcome: OutcomeView, toMove: Color): string {
  const { proof } = outcome;
  if (proof === undefined || !isProofTold(outcome)) return "";
  const words = showProof(text, proof);
  const isSaid = !isDecidedByProof(outcome) || outcome.reason === "dead_position";
  return isSaid ? words : `${showBecause(text, outcome, toMove)} ${words}`;
}

/** Why a draw cannot be offered now. */
export function showNoDraw({ game }: Catalogue, no: NoDraw): string {
  if (no.why === "open") return game.drawSentUntil;
  if (no.why === "again") return game.noDraw.again(no.move);
  return no.why === "early" ? game.noDraw.early(no.moves) : game.noDraw.unmoved;
}

/** That the opponent has declined a draw, and from when on one may offer again. */
export function showDrawDeclined({ announcements, game }: Catalogue, name: string, no: NoDraw | null): string {
  const declined = announcements.drawDeclined(name);
  return no?.why === "again" ? `${declined}. ${game.noDraw.againInShort(no.move)}` : declined;
}

/** A score as it is printed: `½–½`. */
export function showScore(score: string): string {
  return score.replaceAll("1/2", "½").replace("-", "–");
}

/** Points, halves as they are printed: `1½`, `½`, `0`. */
export function showPoints(points: number): string {
  const whole = Math.floor(points);
  return points === whole ? `${whole}` : `${whole || ""}½`;
}

/** That a player declines a challenge, with the reason if one was given. */
export function showDeclined({ lobby }: Catalogue, name: string, reason: DeclineReason): string {
  return lobby.declinedBy(name, reason === "no" ? "" : lobby.reasons[reason]);
}

interface OwnEnd {
  readonly code: EndCode;
  readonly reason: DeclineReason | undefined;
}

/** How one's own challenge ended: whoever has declined it is named. */
export function showOwnEnd(text: Catalogue, { code, reason = "no" }: OwnEnd, name: string | null): string {
  return code === "challenge_declined" && name !== null
    ? showDeclined(text, name, reason)
    : text.challenge.ended.own[code];
}

/** That a rematch was declined, with the reason if one was given. */
export function showRematchDeclined({ play }: Catalogue, reason: DeclineReason | null): string {
  const { declined, declinedWhy, reasons } = play.rematch;
  return reason === null || reason === "no" ? declined : declinedWhy(reasons[reason]);
}

/** A change with its sign: `+8`, `−8`, `±0`. */
export function showChange(n: number): string {
  if (n === 0) return "±0";
  return n > 0 ? `+${n}` : `−${-n}`;
}

/** In whose way a language writes dates. The page's English is British: the day comes before the month. */
export function dateTag(tag: string): string {
  return tag === "en" ? "en-GB" : tag;
}

/** How a game was played out whose result was corrected, and when it was. */
export function showPlayedOut(text: Catalogue, { score, reason, corrected }: PlayedOut): string {
  const day = new Date(corrected * 1000).toLocaleDateString(dateTag(text.tag), { dateStyle: "long", timeZone: "UTC" });
  return `${text.game.corrected(day)} ${text.game.playedOut(showScore(score), showReason(text, { score, reason }, null))}`;
}

/** A clock in words: `2 minutes 3 seconds`. */
export function speakClock(text: Catalogue, ms: number): string {
  const all = Math.ceil(ms / 1000);
  return text.announcements.duration(Math.floor(all / 3600), Math.floor((all % 3600) / 60), all % 60);
}

/** Why the server has closed the connection for good, as a sentence. */
export function showClose(text: Catalogue, code: string): string {
  const known: Readonly<Record<string, string>> = text.closes;
  return known[code] ?? text.link.rejected(code);
}

/** The proof of a result, as a sentence. */
export function showProof(text: Catalogue, proof: WireProof): string {
  const { proofs } = text.game;
  if (typeof proof === "object" && "exhaustive" in proof) return proofs.exhaustive(proof.exhaustive.positions);
  if (typeof proof === "object" && "helpmate" in proof) {
    return proof.helpmate.length > 0 ? proofs.helpmate(proof.helpmate.length) : proofs.longHelpmate;
  }
  if (proof === "material" || proof === "static") return proofs[proof];
  return proofs.other;
}
