/**
 * One game as a client knows it: the server's snapshot and every event since, folded.
 *
 * Pure. Holds only what the server has sent: what a person is about to do is elsewhere. An event that is not the next
 * one is ignored.
 */
import type {
  Check,
  GameId,
  GameOptions,
  OfferView,
  Origin,
  OutcomeView,
  Phase,
  PlayerView,
  PlyView,
  Presence,
  RatingStep,
  ServerMessage,
  Snapshot,
  TakebackOfferView,
  TimeControl,
  WireBonus,
  WireColor,
  WireVariant,
} from "../../../protocol/bindings/protocol.js";
import { type Clocks, delayOf, expectedCredit } from "./clock.js";

export interface Turn {
  readonly on: number;
  readonly legal: readonly string[];
}

/** A player's absence: from when the game can be claimed. */
export interface Away {
  readonly claimAt: number | null;
}

/** The claim of a draw that has ended a game. */
export interface DrawClaim {
  readonly by: WireColor;
  /** The intended move, which is not played; null: the claim was of the position on the board. */
  readonly uci: string | null;
}

export interface Game {
  readonly id: GameId;
  readonly seq: number;
  readonly on: number;
  readonly variant: WireVariant;
  readonly startFen: string;
  readonly fen: string;
  readonly players: { readonly white: PlayerView; readonly black: PlayerView };
  readonly control: TimeControl;
  readonly options: GameOptions;
  /** Whether it counts for ratings. */
  readonly isRated: boolean;
  readonly began: number;
  /** What is known of a game that was imported, which may be nothing; null: it was played on the server. */
  readonly origin: Origin | null;
  /** The plies of the game, oldest first; they start with ply 1 once the history is complete. */
  readonly plies: readonly PlyView[];
  readonly plyCount: number;
  readonly phase: Phase;
  readonly check: Check | null;
  readonly drawOffer: OfferView | null;
  /** The side that has declined a draw: with the last move, or in words since. */
  readonly drawDeclined: WireColor | null;
  /** How many plies stood on the board when a side last offered a draw; null if it has offered none. */
  readonly drawOfferedAt: { readonly white: number | null; readonly black: number | null };
  readonly takebackOffer: TakebackOfferView | null;
  readonly remedy: { readonly white: WireBonus; readonly black: WireBonus } | null;
  readonly outcome: OutcomeView | null;
  /** Null where there was none, and where the game was joined after it: a snapshot does not tell it. */
  readonly drawClaim: DrawClaim | null;
  /** Null in a game without clocks. */
  readonly clocks: Clocks | null;
  /** When the awaited first move is late, on the clock of the caller; null if none is awaited, or that is not known. */
  readonly firstMoveBy: number | null;
  readonly turn: Turn | null;
  readonly away: { readonly white: Away | null; readonly black: Away | null };
  readonly watchers: number;
  /** What the game has done to the ratings; null before its end and in a game that counts for none. */
  readonly ratings: { readonly white: RatingStep; readonly black: RatingStep } | null;
}

/** When a message arrived, and for how long it travelled: estimated, or measured by what was asked for. */
export interface Arrival {
  readonly at: number;
  readonly travelled: number;
  readonly isMeasured?: boolean;
}

export function turnOf(fen: string): WireColor {
  return fen.split(" ")[1] === "b" ? "black" : "white";
}

/** Whether a side's clock runs in its turn: online it starts with that side's second move. */
function runs(options: GameOptions, moved: number): boolean {
  return options.profile === "fide_board" || options.profile === "us_chess" || moved > 0;
}

/** How many moves a side has made. */
export function movesOf(game: Pick<Game, "startFen" | "plyCount">, color: WireColor): number {
  const first = turnOf(game.startFen) === color;
  return Math.floor((game.plyCount + (first ? 1 : 0)) / 2);
}

/** For how long a first move is awaited that no clock counts (docs/protocol.md, "Clocks"). */
const FIRST_MOVE_MS = 30_000;
/** The same where a person plays a bot for no rating. */
const PRACTICE_FIRST_MOVE_MS = 1_800_000;

/** When the first move of a turn that begins now is late. */
function firstMoveBy(game: Omit<Game, "clocks" | "firstMoveBy">, arrival: Arrival): number | null {
  const isAwaited =
    game.control.kind === "clock" && game.phase === "playing" && !runs(game.options, movesOf(game, turnOf(game.fen)));
  if (!isAwaited) return null;
  const { white, black } = game.players;
  const isPractice = !game.isRated && (white.bot === true) !== (black.bot === true);
  return arrival.at - arrival.travelled + (isPractice ? PRACTICE_FIRST_MOVE_MS : FIRST_MOVE_MS);
}

type Figures = { readonly white_ms: number | null; readonly black_ms: number | null };

/** The clocks after an event, with the side to move running; a `clock` message is exact. */
function started(game: Omit<Game, "clocks" | "firstMoveBy">, figures: Figures, arrival: Arrival): Clocks | null {
  if (figures.white_ms === null || figures.black_ms === null) return null;
  const side = turnOf(game.fen);
  const moved = movesOf(game, side);
  const running = game.phase === "playing" && runs(game.options, moved) ? side : null;
  const stands = running
    ? delayOf(game.control, running, moved, game.remedy?.[running]) + expectedCredit(game.plies, game.plyCount)
    : 0;
  const since = arrival.at - arrival.travelled;
  return { white: figures.white_ms, black: figures.black_ms, running, since, stands, isMeasured: false };
}

function stopped(figures: Figures, arrival: Arrival): Clocks | null {
  if (figures.white_ms === null || figures.black_ms === null) return null;
  return {
    white: figures.white_ms,
    black: figures.black_ms,
    running: null,
    since: arrival.at,
    stands: 0,
    isMeasured: true,
  };
}

/** The game of a snapshot. Presence and spectators are not part of it and are kept from `before`. */
export function fromSnapshot(snapshot: Snapshot, arrival: Arrival, before?: Game): Game {
  const { state } = snapshot;
  const kept = before && before.plies[0]?.ply === 1 ? earlier(before.plies, snapshot) : [];
  const game = {
    id: snapshot.game,
    seq: snapshot.seq,
    on: snapshot.on,
    variant: snapshot.variant,
    startFen: snapshot.start_fen,
    fen: snapshot.fen,
    players: snapshot.players,
    control: snapshot.time_control,
    options: snapshot.options,
    isRated: snapshot.rated ?? false,
    began: snapshot.began,
    origin: snapshot.imported ? (snapshot.origin ?? {}) : null,
    plies: [...kept, ...snapshot.plies],
    plyCount: snapshot.ply_count,
    phase: state.phase,
    check: state.check ?? null,
    drawOffer: state.draw_offer ?? null,
    drawDeclined: before?.seq === snapshot.seq ? before.drawDeclined : null,
    drawOfferedAt: state.draw_offered_at ?? offeredBy(before?.drawOfferedAt ?? NEVER_OFFERED, snapshot.ply_count),
    takebackOffer: state.takeback_offer ?? null,
    remedy: state.remedy ?? null,
    outcome: state.outcome ?? null,
    drawClaim: before?.drawClaim ?? null,
    turn: before && before.turn?.on === snapshot.on ? before.turn : null,
    away: before?.away ?? { white: null, black: null },
    watchers: before?.watchers ?? 0,
    ratings: snapshot.ratings ?? null,
  };
  // The turn may have begun long ago; `clock` follows and says.
  const known = before?.seq === snapshot.seq ? before.firstMoveBy : null;
  return { ...game, clocks: started(game, snapshot, arrival), firstMoveBy: known };
}

const NEVER_OFFERED: Game["drawOfferedAt"] = { white: null, black: null };

/** Moves that were taken back do not count for the distance between two offers. */
function offeredBy({ white, black }: Game["drawOfferedAt"], plies: number): Game["drawOfferedAt"] {
  const at = (known: number | null): number | null => (known === null ? null : Math.min(known, plies));
  return { white: at(white), black: at(black) };
}

function withOffer(game: Game, drawOffer: OfferView): Game {
  return {
    ...game,
    drawOffer,
    drawDeclined: null,
    drawOfferedAt: { ...game.drawOfferedAt, [drawOffer.by]: game.plyCount },
  };
}

/** The known plies before a snapshot's first one, if there is no gap. */
function earlier(known: readonly PlyView[], snapshot: Snapshot): readonly PlyView[] {
  const first = snapshot.plies[0]?.ply ?? 1;
  return known.length >= first - 1 ? known.slice(0, first - 1) : [];
}

export type GameMessage = Extract<ServerMessage, { d: { game: GameId; seq: number } }>;

/** The game after a message. Events out of order are ignored, by `seq`. */
export function applyMessage(game: Game, message: ServerMessage, arrival: Arrival): Game {
  switch (message.t) {
    case "turn":
      return message.d.on === game.on ? { ...game, turn: { on: message.d.on, legal: message.d.legal } } : game;
    case "clock": {
      const { white_ms, black_ms, running, seq, stands_ms, first_move_ms } = message.d;
      if (white_ms === null || black_ms === null || seq !== game.seq) return game;
      const since = arrival.at - arrival.travelled;
      return {
        ...game,
        clocks: {
          white: white_ms,
          black: black_ms,
          running,
          since,
          stands: stands_ms ?? 0,
          isMeasured: arrival.isMeasured ?? false,
        },
        firstMoveBy: first_move_ms === undefined ? null : since + first_move_ms,
      };
    }
    case "presence":
      return { ...game, away: { ...game.away, [message.d.color]: awayOf(message.d, arrival) } };
    case "watchers":
      return { ...game, watchers: message.d.count };
    case "rated":
      return { ...game, ratings: { white: message.d.white, black: message.d.black } };
    case "history": {
      const first = game.plies[0]?.ply ?? game.plyCount + 1;
      const before = message.d.plies.filter((ply) => ply.ply < first);
      const last = before[before.length - 1];
      return last && last.ply === first - 1 ? { ...game, plies: [...before, ...game.plies] } : game;
    }
    default:
      return "seq" in message.d && message.t !== "ok" && message.t !== "snapshot" && message.d.seq === game.seq + 1
        ? applyEvent({ ...game, seq: game.seq + 1 }, message, arrival)
        : game;
  }
}

function awayOf(presence: Presence, arrival: Arrival): Away | null {
  if (presence.here) return null;
  return { claimAt: presence.claim_in_ms === undefined ? null : arrival.at - arrival.travelled + presence.claim_in_ms };
}

function applyEvent(game: Game, message: ServerMessage, arrival: Arrival): Game {
  switch (message.t) {
    case "move": {
      const { d } = message;
      const { ply, uci, san, white_ms, black_ms, took, credit } = d;
      const mover = turnOf(game.fen);
      const moved: Game = {
        ...game,
        on: d.seq,
        fen: d.fen,
        plies: [...game.plies, { ply, uci, san, white_ms, black_ms, took, credit }],
        plyCount: ply,
        check: d.check ?? null,
        turn: null,
        // A move of the other side declines an offer; a move of the offering side keeps it.
        drawOffer: game.drawOffer?.by === mover ? game.drawOffer : null,
        drawDeclined: game.drawOffer && game.drawOffer.by !== mover ? mover : null,
        takebackOffer: null,
      };
      return { ...moved, clocks: started(moved, d, arrival), firstMoveBy: firstMoveBy(moved, arrival) };
    }
    case "taken_back": {
      const { d } = message;
      const plies = game.plies.filter((ply) => ply.ply <= d.ply);
      const back: Game = {
        ...game,
        on: d.seq,
        fen: d.fen,
        plies,
        plyCount: d.ply,
        check: null,
        turn: null,
        drawOffer: null,
        drawDeclined: null,
        drawOfferedAt: offeredBy(game.drawOfferedAt, d.ply),
        takebackOffer: null,
      };
      return { ...back, clocks: started(back, d, arrival), firstMoveBy: firstMoveBy(back, arrival) };
    }
    case "draw_offered":
      return withOffer(game, { by: message.d.by, seq: message.d.seq });
    case "ilc_asked":
      return withOffer(game, { by: message.d.by, seq: message.d.seq, ilc: true });
    case "draw_declined":
      return { ...game, drawOffer: null, drawDeclined: message.d.by };
    case "draw_claimed":
      return message.d.right ? { ...game, drawClaim: { by: message.d.by, uci: message.d.uci ?? null } } : game;
    case "takeback_offered":
      return { ...game, takebackOffer: { by: message.d.by, seq: message.d.seq, plies: message.d.plies } };
    case "takeback_declined":
      return { ...game, takebackOffer: null };
    case "time_adjusted":
      return { ...game, clocks: adjusted(game, message.d) };
    case "ilc_remedied":
      return { ...game, remedy: message.d.bonus, drawOffer: null, clocks: adjusted(game, message.d) };
    case "flag_fell":
    case "resigned":
      return { ...game, phase: "deciding", turn: null, firstMoveBy: null, clocks: stopped(message.d, arrival) };
    case "absence_claimed":
      return { ...game, clocks: stopped(message.d, arrival) };
    case "ended": {
      const { score, reason, proof } = message.d;
      const outcome: OutcomeView = proof === undefined ? { score, reason } : { score, reason, proof };
      return {
        ...game,
        phase: "ended",
        turn: null,
        drawOffer: null,
        takebackOffer: null,
        firstMoveBy: null,
        outcome,
        clocks: stopped(message.d, arrival),
      };
    }
    default:
      return game;
  }
}

/** New times for the start of the turn; the time elapsed since then still counts. An exact `clock` follows. */
function adjusted(game: Game, figures: Figures): Clocks | null {
  if (!game.clocks || figures.white_ms === null || figures.black_ms === null) return game.clocks;
  return { ...game.clocks, white: figures.white_ms, black: figures.black_ms };
}

/** Whether the lag compensation of the running clock cannot be estimated from earlier moves. */
export function isClockVague(game: Game): boolean {
  return game.clocks?.running != null && movesOf(game, game.clocks.running) < 2;
}

/** Whether a clock runs whose figures may be older than they seem: a `watch` with `after` measures it. */
export function isClockEstimated(game: Game): boolean {
  return game.clocks?.running != null && !game.clocks.isMeasured;
}

/** The seat of an account in a game, or null for a spectator. */
export function seatOf(game: Game, account: string | null): WireColor | null {
  if (account === null) return null;
  if (game.players.white.account === account) return "white";
  return game.players.black.account === account ? "black" : null;
}

/** Whether all plies from the first are known. */
export function isComplete(game: Game): boolean {
  return game.plyCount === 0 || game.plies[0]?.ply === 1;
}

/** The side to move at the start. */
export const startTurn = (game: Game): WireColor => turnOf(game.startFen);
