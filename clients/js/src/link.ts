/**
 * The one WebSocket connection: opens it, identifies, pings, reconnects, and resends commands that were not answered.
 *
 * Knows nothing of chess. Every message is passed on with an estimate of when it left the server. Clock and socket are
 * parameters: a page has those of the browser, a program those of Node, and tests need no network.
 */
import type { ClientMessage, CloseReason, Hello, ServerMessage, Welcome } from "../../../protocol/bindings/protocol.js";
import type { Arrival } from "./game.js";
import type { Identity } from "./identity.js";
import { type Command, type Outbox, type Pending, answeredBy, put, sent, without } from "./outbox.js";
import { RoundTrip } from "./roundTrip.js";

/** `idle`: no connection is needed. `slow`: open, but the last ping has not been answered. */
export type LinkPhase = "idle" | "connecting" | "open" | "slow" | "waiting" | "rejected";

export interface LinkState {
  readonly phase: LinkPhase;
  /** Whether there was a connection before: then this is a reconnect. */
  readonly again: boolean;
  readonly outbox: Outbox;
  readonly roundTrip: number | null;
  /** Why there will be no other attempt: the name of a close code that forbids it, or the code of a rejected `hello`. */
  readonly rejection: string | null;
}

export interface LinkEvents {
  changed(state: LinkState): void;
  /** The connection is open; subscriptions are requested again now. */
  welcomed(welcome: Welcome): void;
  message(message: ServerMessage, arrival: Arrival, answers: Pending | null): void;
  /** A ping was answered: the connection is alive. */
  alive?(): void;
  /** No guest account could be created: waiting commands are discarded. */
  nobody(code: string): void;
}

/** What a link uses of a WebSocket: that of a browser is one, and that of the package `ws` for Node. */
export interface Socket {
  readonly readyState: number;
  onopen: ((event: never) => void) | null;
  /** The event has `data`. */
  onmessage: ((event: never) => void) | null;
  /** The event has `code` and `reason`. */
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface LinkWorld {
  /** Opens a connection with the subprotocol `SUBPROTOCOL`. */
  open(url: string): Socket;
  /** Milliseconds of a steady clock. */
  now(): number;
  readonly url: string;
  /** An id that no other command of this account has. */
  commandId(): string;
}

export const SUBPROTOCOL = "zeitnot.v1.json";

export const PING_EVERY_MS = 2_500;
export const SLOW_AFTER_MS = 1_500;
export const GONE_AFTER_MS = 6_000;
const RETRY_FIRST_MS = 1_000;
const RETRY_MOST_MS = 15_000;
/** Without `welcome` within this time the connection is tried again. */
const OPENING_MS = 8_000;

export class Link {
  private socket: Socket | null = null;
  private identified = false;
  private outbox: Outbox = [];
  private phase: LinkPhase = "idle";
  private again = false;
  private rejection: string | null = null;
  private tries = 0;
  /** Counts connections, so that the answer to an older attempt is ignored. */
  private attempt = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private beat: ReturnType<typeof setInterval> | undefined;
  private opening: ReturnType<typeof setTimeout> | undefined;
  private lastPing = 0;
  private readonly roundTrip = new RoundTrip();

  constructor(
    private readonly world: LinkWorld,
    private readonly identity: Identity,
    private readonly events: LinkEvents,
  ) {}

  get state(): LinkState {
    const { phase, again, outbox, rejection } = this;
    return { phase, again, outbox, rejection, roundTrip: this.roundTrip.milliseconds };
  }

  /** Connects, with an account if the server knows this browser. */
  connect(): void {
    this.drop();
    this.phase = "connecting";
    this.changed();
    const attempt = this.attempt;
    this.identity.hello().then(
      (hello) => this.attempt === attempt && this.open(hello),
      () => this.attempt === attempt && this.closed(1006, ""),
    );
  }

  private open(hello: Hello | null): void {
    const socket = this.world.open(this.world.url);
    this.socket = socket;
    this.opening = setTimeout(() => {
      this.identity.doubt();
      this.closed(1006, "");
    }, OPENING_MS);
    socket.onopen = () => {
      if (hello) this.say({ t: "hello", d: hello });
      this.beat = setInterval(() => this.tick(), 500);
    };
    socket.onmessage = (event: { readonly data: unknown }) => this.receive(String(event.data));
    socket.onclose = (event: { readonly code: number; readonly reason: string }) =>
      this.closed(event.code, event.reason);
    // `close` follows. Libraries for Node throw what nobody listens to.
    socket.onerror = () => undefined;
  }

  /** Connects unless that has been done. */
  need(): void {
    if (this.phase === "idle") this.connect();
  }

  /** The network came back, or the page woke up: do not wait for the timer. */
  hurry(): void {
    if (this.phase === "waiting") this.connect();
    else if (this.phase === "open" || this.phase === "slow") this.ping();
  }

  /** Closes the connection until `hurry`, and keeps the commands that were not answered: a page that is left may come back. */
  leave(): void {
    if (this.phase === "idle" || this.phase === "rejected") return;
    this.drop();
    this.phase = "waiting";
    this.changed();
  }

  /** Closes the connection, and forgets the commands that were not answered. */
  close(): void {
    this.drop();
    this.outbox = [];
    this.phase = "idle";
    this.changed();
  }

  /** Sends a command until it is answered. Without an account, a guest account is created first. */
  command(message: Command): string {
    const { outbox, pending } = put(this.outbox, message, this.world.commandId());
    this.outbox = outbox;
    if (!this.identity.maybe) this.become();
    else if (this.identified) this.send(pending);
    else this.need();
    this.changed();
    return pending.id;
  }

  private becoming = false;

  private become(): void {
    if (this.becoming) return;
    this.becoming = true;
    this.identity
      .become()
      .then(
        () => this.connect(),
        (error: unknown) => {
          this.outbox = [];
          this.changed();
          this.events.nobody(error instanceof Error ? error.message : "unavailable");
        },
      )
      .finally(() => (this.becoming = false));
  }

  /** Sends once. Dropped without a connection, because `welcomed` requests it again. */
  ask(message: ClientMessage): void {
    if (!this.identified) return;
    if (message.t === "watch" && message.d.id) this.roundTrip.ask(message.d.game, message.d.id, this.world.now());
    this.say(message);
  }

  /** Discards commands that no longer apply, such as those of a finished game. */
  forget(which: (pending: Pending) => boolean): void {
    this.outbox = this.outbox.filter((pending) => !which(pending));
    this.changed();
  }

  private receive(text: string): void {
    const now = this.world.now();
    const message = JSON.parse(text) as ServerMessage;
    if (message.t === "pong") {
      this.roundTrip.arrive(message.d.n, now);
      this.alive();
      return;
    }
    if (message.t === "rejected" && !this.identified) {
      this.unwelcome(message.d.code);
      return;
    }
    const arrival = this.roundTrip.arrival(message, now);
    const answers = answeredBy(this.outbox, message);
    if (answers) this.outbox = without(this.outbox, answers.id);
    if (message.t === "welcome") this.welcome(message.d);
    this.events.message(message, arrival, answers);
    if (answers) this.changed();
  }

  private welcome(welcome: Welcome): void {
    clearTimeout(this.opening);
    this.identified = true;
    this.phase = "open";
    this.tries = 0;
    this.rejection = null;
    this.identity.welcomed(welcome);
    this.ping();
    this.events.welcomed(welcome);
    if (welcome.account !== null) for (const pending of this.outbox) this.send(pending);
    this.again = true;
    this.changed();
  }

  private send(pending: Pending): void {
    this.outbox = sent(this.outbox, pending.id);
    this.say(pending.message);
  }

  private say(message: ClientMessage): void {
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify(message));
  }

  private ping(): void {
    this.lastPing = this.world.now();
    this.say({ t: "ping", d: { n: this.roundTrip.leave(this.lastPing) } });
  }

  private tick(): void {
    const now = this.world.now();
    const waiting = this.roundTrip.waiting(now);
    if (waiting > GONE_AFTER_MS) this.closed(1006, "");
    else if (waiting > SLOW_AFTER_MS) this.turn("slow");
    if (this.identified && now - this.lastPing >= PING_EVERY_MS) this.ping();
  }

  private alive(): void {
    if (this.phase === "slow") this.phase = "open";
    this.changed();
    this.events.alive?.();
  }

  private turn(phase: LinkPhase): void {
    if (this.phase === phase || this.phase !== "open") return;
    this.phase = phase;
    this.changed();
  }

  private closed(code: number, reason: string): void {
    if (code >= 4500 && code <= 4999) {
      this.reject(readReason(reason)?.code ?? String(code));
      return;
    }
    this.comeBack(readReason(reason)?.retry_ms);
  }

  private comeBack(told?: number): void {
    this.drop();
    const backoff = Math.min(RETRY_MOST_MS, RETRY_FIRST_MS * 1.5 ** this.tries);
    this.tries += 1;
    this.phase = "waiting";
    this.retry = setTimeout(() => this.connect(), told ?? backoff);
    this.changed();
  }

  /** `hello` was rejected. */
  private unwelcome(code: string): void {
    if (code === "unavailable") this.comeBack();
    // Too many of this address: one that was welcome before asks again when the minute is over.
    else if (this.again && (code === "too_many_bad_tokens" || code === "too_many_guests")) this.comeBack(60_000);
    else this.reject(code);
  }

  /** The server will not have this client: it must not come back by itself. */
  private reject(code: string): void {
    this.drop();
    this.phase = "rejected";
    this.rejection = code;
    this.changed();
  }

  private drop(): void {
    this.attempt += 1;
    clearTimeout(this.retry);
    clearInterval(this.beat);
    clearTimeout(this.opening);
    this.identified = false;
    this.roundTrip.reset();
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private changed(): void {
    this.events.changed(this.state);
  }
}

function readReason(reason: string): Partial<CloseReason> | null {
  try {
    return JSON.parse(reason) as Partial<CloseReason>;
  } catch {
    return null;
  }
}
