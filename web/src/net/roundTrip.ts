/**
 * The network's round trip, from our pings: how old a message is when it arrives.
 *
 * Takes the least of the last few, since only delays are added to a path, and calls half of it the way here.
 */
const KEPT = 8;

export class RoundTrip {
  private readonly samples: number[] = [];
  private readonly open = new Map<number, number>();
  private next = 1;

  /** Notes a ping that leaves now, and names it. */
  leave(now: number): number {
    const n = this.next;
    this.next += 1;
    this.open.set(n, now);
    return n;
  }

  /** Notes its pong. */
  arrive(n: number, now: number): void {
    const left = this.open.get(n);
    if (left === undefined) return;
    for (const older of [...this.open.keys()]) if (older <= n) this.open.delete(older);
    this.samples.push(now - left);
    if (this.samples.length > KEPT) this.samples.shift();
  }

  /** For how long the oldest ping has been without an answer. */
  waiting(now: number): number {
    const [oldest] = this.open.values();
    return oldest === undefined ? 0 : now - oldest;
  }

  /** Forgets pings of a connection that is gone; what was measured still holds. */
  reset(): void {
    this.open.clear();
  }

  get milliseconds(): number | null {
    return this.samples.length ? Math.min(...this.samples) : null;
  }

  /** How long a message travels to us, in ms. */
  get oneWay(): number {
    return (this.milliseconds ?? 0) / 2;
  }
}
