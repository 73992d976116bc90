/**
 * Measures the round trip by pings, to estimate how old a message is when it arrives.
 *
 * Takes the minimum of the last samples, because delays only add to a path, and half of it as the way here.
 */
const KEPT = 8;

export class RoundTrip {
  private readonly samples: number[] = [];
  private readonly open = new Map<number, number>();
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

  /** How long the oldest unanswered ping has been waiting. */
  waiting(now: number): number {
    const [oldest] = this.open.values();
    return oldest === undefined ? 0 : now - oldest;
  }

  /** Drops the pings of a closed connection; samples stay valid. */
  reset(): void {
    this.open.clear();
  }

  get milliseconds(): number | null {
    return this.samples.length ? Math.min(...this.samples) : null;
  }

  /** The time from the server to here, in ms. */
  get oneWay(): number {
    return (this.milliseconds ?? 0) / 2;
  }
}
