/**
 * Does what this page's waiting asks for: joins pools, remembers its challenges, leads into the game that begins, and
 * asks again after a lost connection.
 *
 * What is decided is in `state/pairing`.
 */
import type { ChallengeId, CreateChallenge, GameId, PoolId, ServerMessage } from "#protocol";
import type { Link, LinkPhase } from "./net/link";
import type { App } from "./state/app";
import { seatOf } from "./state/game";
import type { Command, Pending } from "./state/outbox";
import { type Pairing, withExpected, isExpected, onDisconnect, withOwnChallenge, onReconnect, withServerPool, withoutExpected, withoutOwnChallenge, withoutPool, withPool } from "./state/pairing";
import type { Store } from "./store";

/** After welcome, one's own challenges and games come without asking; by then they have shown themselves. */
const SETTLE_MS = 1_000;

export class Seeker {
  private settling: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly store: Store,
    private readonly link: Link,
  ) {}

  join(pool: PoolId): void {
    this.set(withPool(this.pairing, pool, this.ownGames(), Date.now()));
    this.link.forget((pending) => pending.message.t === "join_pool" || pending.message.t === "leave_pool");
    this.store.send({ t: "join_pool", d: { pool } });
  }

  leave(): void {
    this.link.forget((pending) => pending.message.t === "join_pool");
    this.set(withoutPool(this.pairing));
    this.store.send({ t: "leave_pool", d: {} });
  }

  accept(challenge: ChallengeId): void {
    this.set(withExpected(this.pairing, [challenge]));
    this.store.send({ t: "accept_challenge", d: { challenge } });
  }

  /** A challenge of this page is open. */
  made(challenge: ChallengeId, terms: CreateChallenge): void {
    this.set(withOwnChallenge(this.pairing, challenge, terms));
  }

  /** No guest could be made: what was asked for is forgotten. */
  nobody(): void {
    this.set({ ...withoutPool(this.pairing), expected: [] });
  }

  /** The connection changed. */
  linked(before: LinkPhase, now: LinkPhase): void {
    const isOpen = (phase: LinkPhase): boolean => phase === "open" || phase === "slow";
    if (!isOpen(before) || isOpen(now)) return;
    clearTimeout(this.settling);
    this.set(onDisconnect(this.pairing, Date.now()));
  }

  /** The connection is back. A `join_pool` without an answer may have led to a game: it waits until that is known. */
  welcomed(): void {
    if (this.pairing.lostAt === null) return;
    this.link.forget((pending) => pending.message.t === "join_pool" && pending.tries > 0);
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(), SETTLE_MS);
  }

  private settle(): void {
    const { challenges, account } = this.store.state;
    const open = Object.values(challenges).flatMap((one) => (one.by.account === account ? [one.challenge] : []));
    const { pairing, send, found, dropped } = onReconnect(this.pairing, this.ownGames(), open, this.isUnderWay("join_pool"), Date.now());
    this.set(pairing);
    for (const message of send) this.store.send(message);
    if (found !== null) this.begin(found, true);
    if (dropped) this.store.notice("info", this.store.text.lobby.dropped);
  }

  /** A message came that made a new state of `before`; `isNew`: its game was not known before. */
  heard(before: App, message: ServerMessage, answers: Pending | null, isNew: boolean): void {
    const { pairing } = this;
    switch (message.t) {
      case "waiting":
        this.set(withServerPool(pairing, message.d, this.isUnderWay("join_pool"), Date.now()));
        if (message.d.game === undefined) return;
        // An opponent may have been found before the cancelling was heard.
        if (pairing.wanted !== null || this.isUnderWay("leave_pool")) this.begin(message.d.game, true);
        else this.mention();
        return;
      case "challenge_gone":
        if (message.d.game === undefined) this.set(withoutOwnChallenge(pairing, message.d.challenge));
        else if (isExpected(pairing, message.d.game)) this.set(withExpected(withoutExpected(pairing, message.d.game), [message.d.game]));
        else if (isElsewhere(before, message.d.challenge)) this.mention();
        return;
      case "snapshot":
        if (!isNew || !isExpected(pairing, message.d.game)) return;
        this.set(withoutExpected(pairing, message.d.game));
        this.begin(message.d.game, false);
        return;
      case "ok":
        // A challenge that was sent again has become a game already.
        if (answers?.message.t === "create_challenge" && message.d.game !== undefined) this.begin(message.d.game, true);
        return;
      case "rejected":
        if (answers?.message.t === "join_pool") this.set(withoutPool(pairing));
        if (answers?.message.t === "accept_challenge") this.set(withoutExpected(pairing, answers.message.d.challenge));
        return;
    }
  }

  /** Leads into a game that was waited for, but not away from one that is being played. */
  private begin(id: GameId, speak: boolean): void {
    const { route, games, account } = this.store.state;
    if (route.at === "game" && route.id === id) return;
    const here = route.at === "game" ? games[route.id] : undefined;
    if (here && here.phase !== "ended" && seatOf(here, account) !== null) {
      this.mention();
      return;
    }
    this.store.navigate({ at: "game", id });
    const game = games[id];
    if (!speak || !game) return;
    const { text } = this.store;
    const seat = seatOf(game, account);
    this.store.say(text.spoken.began(seat ? text.sides[seat] : null));
    this.store.sound("begin");
  }

  /** A game has begun that this page does not lead to. */
  private mention(): void {
    this.store.notice("info", this.store.text.lobby.begunElsewhere);
    this.store.sound("begin");
  }

  private get pairing(): Pairing {
    return this.store.state.pairing;
  }

  private set(pairing: Pairing): void {
    this.store.update((app) => (app.pairing === pairing ? app : { ...app, pairing }));
  }

  private isUnderWay(command: Command["t"]): boolean {
    return this.store.state.link.outbox.some((pending) => pending.message.t === command);
  }

  private ownGames(): GameId[] {
    const { games, account } = this.store.state;
    return Object.values(games).flatMap((game) => (game.phase !== "ended" && seatOf(game, account) !== null ? [game.id] : []));
  }
}

/** A known challenge that is not on the screen. The game page itself leads from a game to its rematch. */
function isElsewhere({ challenges, route }: App, id: ChallengeId): boolean {
  const challenge = challenges[id];
  return challenge !== undefined && challenge.rematch_of === undefined && !(route.at === "game" && route.id === id);
}
