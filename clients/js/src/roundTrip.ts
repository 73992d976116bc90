/**
 * How old a message is when it arrives: estimated from the round trip of pings, and measured for clocks that were asked for.
 *
 * The round trip is the minimum of the last samples, because delays only add to a path, and half of it is the way here.
 */
import type { GameId, ServerMessage } from "../../../protocol/bindings/protocol.js";
import type { Arrival } from "./game.js";

const KEPT = 8;
/** An answer that takes this much longer than the round trip says little about when it was written. */
const LATE_MS = 100;
/** A question that has waited so long gets no answer any more. */
const UNANSWERED_MS = 6_000;

/** A `watch` that is on its way; its answers carry its id. */
interface Question {
  readonly id: string;
  readonly at: number;
}

export class RoundTrip {
  private readonly samples: number[] = [];
  private readonly open = new Map<number, number>();
  /** When the clocks of games were asked for. */
  private readonly asked = new Map<GameId, Question>();
  private next = 1;

  /** Records a ping sent now; returns its number. */
  leave(now: number): number {
    const n = this.next;
    this.next += 1;
    this.open.set(n, now);
    return n;
  }

  /** Records its pong. */
  arrive(n: number, now: number): void {
    const left = this.open.get(n);
    if (left === undefined) return;
    for (const older of [...this.open.keys()]) if (older <= n) this.open.delete(older);
    this.samples.push(now - left);
    if (this.samples.length > KEPT) this.samples.shift();
  }

  /** Records that a clock is asked for now. Of several questions the first is answered first. */
  ask(game: GameId, id: string, now: number): void {
    const before = this.asked.get(game);
    if (before === undefined || now - before.at > UNANSWERED_MS) this.asked.set(game, { id, at: now });
  }

  /**
   * A `clock` that was asked for was written between question and answer: the middle is wrong by at most half of the
   * time between, whatever made either of them late. Of any other message nobody knows how long it waited.
   */
  arrival(message: ServerMessage, now: number): Arrival {
    const asked = this.answered(message);
    if (message.t !== "clock" || asked === undefined) return { at: now, travelled: this.oneWay };
    const took = now - asked.at;
    return { at: now, travelled: took / 2, isMeasured: took <= (this.milliseconds ?? 0) + LATE_MS };
  }

  /** The question that the message answers, which is open no longer. One may be rejected, as that about a game that has not begun. */
  private answered(message: ServerMessage): Question | undefined {
    if (message.t !== "clock" && message.t !== "rejected") return undefined;
    const { game, id } = message.d;
    const asked = game === undefined ? undefined : this.asked.get(game);
    if (game === undefined || asked?.id !== id) return undefined;
    this.asked.delete(game);
    return asked;
  }

  /** How long the oldest unanswered ping has been waiting. */
  waiting(now: number): number {
    const [oldest] = this.open.values();
    return oldest === undefined ? 0 : now - oldest;
  }

  /** Drops the pings and questions of a closed connection; samples stay valid. */
  reset(): void {
    this.open.clear();
    this.asked.clear();
  }

  get milliseconds(): number | null {
    return this.samples.length ? Math.min(...this.samples) : null;
  }

  /** The time from the server to here, in ms. */
  private get oneWay(): number {
    return (this.milliseconds ?? 0) / 2;
  }
}
