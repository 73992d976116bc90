/**
 * A program that plays or watches: one account on one connection, every game that it follows, and what it is told.
 *
 * After a lost connection it comes back, sends again what was not answered, and asks for each game from where it stood.
 * It knows no rules: the legal moves are those of the server.
 */
import type { GameId, ServerMessage, Welcome } from "../../../protocol/bindings/protocol.js";
import { commandIds } from "./commandIds.js";
import { type Arrival, type Game, applyMessage, fromSnapshot, isClockEstimated } from "./game.js";
import { type Identity, TokenIdentity } from "./identity.js";
import { Link, type LinkPhase, type LinkState, type LinkWorld, SUBPROTOCOL, type Socket } from "./link.js";
import type { Command, Pending } from "./outbox.js";

export interface ClientOptions {
  /** Such as `ws://127.0.0.1:8080/ws`. */
  readonly url: string;
  /** Whom it plays for: without one, for a new guest account. */
  readonly identity?: Identity;
  /** Opens a WebSocket; needed where the global `WebSocket` is missing, as in Node 20. */
  readonly open?: (url: string, subprotocol: string) => Socket;
}

/** What a program is told. Each is called with the game as it stands then. */
export interface ClientEvents {
  /** A game has changed, or is new here. */
  game?(game: Game, message: ServerMessage): void;
  /** It is this account's move, and no move of it is on its way: `game.turn.legal` are the moves. Comes again after a reconnect. */
  turn?(game: Game): void;
  /** A game is over, and no longer followed. */
  ended?(game: Game): void;
  /** Any message, after it was taken in: challenges, chat, the lobby. */
  message?(message: ServerMessage): void;
  /** The connection has another state. */
  connection?(state: LinkState): void;
  /** The server will not have this client any more: a close code's name, or the code of a rejected token. */
  stopped?(code: string): void;
}

/** What answers a command. */
export type Answer = Extract<ServerMessage, { t: "ok" | "rejected" | "challenge" }>;

/** What was rejected as `unavailable` has changed nothing, and is said again after so long. */
const UNAVAILABLE_MS = 1_000;

/** The id of every `watch`: nothing but `clock` and `rejected` has it. */
const WATCH = "watch";

export class Client {
  private readonly link: Link;
  private readonly followed = new Map<GameId, Game | null>();
  private readonly waiting = new Map<string, (answer: Answer) => void>();
  private epoch: string | null = null;
  private who: Welcome | null = null;
  private phase: LinkPhase = "idle";

  constructor(
    options: ClientOptions,
    private readonly events: ClientEvents = {},
  ) {
    const open = options.open ?? ((url: string, subprotocol: string): Socket => new WebSocket(url, subprotocol));
    const world: LinkWorld = {
      url: options.url,
      open: (url) => open(url, SUBPROTOCOL),
      now: () => performance.now(),
      commandId: commandIds(),
    };
    this.link = new Link(world, options.identity ?? new TokenIdentity(), {
      changed: (state) => this.changed(state),
      welcomed: (welcome) => this.welcomed(welcome),
      message: (message, arrival, answers) => this.received(message, arrival, answers),
      alive: () => this.measureClocks(),
      nobody: (code) => this.events.stopped?.(code),
    });
  }

  /** Connects, and comes back after every lost connection until `close`. A command connects too. */
  connect(): void {
    this.link.need();
  }

  /** What the server said of this account; null before the first `welcome`. */
  get welcome(): Welcome | null {
    return this.who;
  }

  get connection(): LinkState {
    return this.link.state;
  }

  /** The games that are followed and have arrived. */
  get games(): readonly Game[] {
    return [...this.followed.values()].filter((game) => game !== null);
  }

  /** Sends a command until it is answered, over as many connections as that takes. */
  command(message: Command): Promise<Answer> {
    return new Promise((resolve) => this.send(message, resolve));
  }

  /** Plays a move in the position that `game` shows. In any other position the server rejects it. */
  play(game: Game, uci: string): Promise<Answer> {
    return this.command({ t: "move", d: { game: game.id, on: game.on, uci } });
  }

  /** Follows a game of others. Those of this account are followed anyway. */
  watch(game: GameId): void {
    if (!this.followed.has(game)) this.followed.set(game, null);
    this.ask(game);
  }

  /** Ends the connection. Commands that were not answered are forgotten. */
  close(): void {
    this.waiting.clear();
    this.link.close();
  }

  private send(message: Command, resolve: (answer: Answer) => void): void {
    this.waiting.set(this.link.command(message), (answer) => {
      const later = answer.t === "rejected" && answer.d.code === "unavailable";
      if (later) setTimeout(() => this.send(message, resolve), UNAVAILABLE_MS);
      else resolve(answer);
    });
  }

  private ask(game: GameId): void {
    const known = this.followed.get(game);
    const d = { game, id: WATCH };
    this.link.ask({ t: "watch", d: known ? { ...d, after: known.seq } : d });
  }

  /** Turns that take longer than a ping have their clocks measured, once: the message that began one may have come late. */
  private measureClocks(): void {
    for (const game of this.games) if (isClockEstimated(game)) this.ask(game.id);
  }

  /** Games that ended meanwhile do not come by themselves. Another epoch means restored data: nothing known holds. */
  private welcomed(welcome: Welcome): void {
    const isRestored = this.epoch !== null && this.epoch !== welcome.epoch;
    this.epoch = welcome.epoch;
    this.who = welcome;
    for (const game of this.followed.keys()) {
      if (isRestored) this.followed.set(game, null);
      this.ask(game);
    }
  }

  private received(message: ServerMessage, arrival: Arrival, answers: Pending | null): void {
    if ("game" in message.d && message.d.game) this.fold(message.d.game, message, arrival);
    this.events.message?.(message);
    if (answers) this.answer(answers.id, message as Answer);
  }

  private fold(id: GameId, message: ServerMessage, arrival: Arrival): void {
    const before = this.followed.get(id);
    if (message.t === "rejected" && message.d.id === WATCH) {
      if (message.d.code !== "unavailable") this.followed.delete(id);
      else setTimeout(() => this.followed.has(id) && this.ask(id), UNAVAILABLE_MS);
      return;
    }
    const isSnapshot = message.t === "snapshot";
    if (!before && !isSnapshot) return;
    const game = isSnapshot
      ? fromSnapshot(message.d, arrival, before ?? undefined)
      : before && applyMessage(before, message, arrival);
    if (!game || game === before) return;
    this.followed.set(id, game);
    this.events.game?.(game, message);
    if (message.t === "turn" && game.turn && !this.isMoving(game)) this.events.turn?.(game);
    if (game.phase !== "ended") return;
    this.followed.delete(id);
    this.events.ended?.(game);
  }

  /** Whether a move for this position is on its way: it is sent again after a reconnect. */
  private isMoving({ id, on }: Game): boolean {
    return this.link.state.outbox.some(
      ({ message }) => message.t === "move" && message.d.game === id && message.d.on === on,
    );
  }

  private answer(id: string, answer: Answer): void {
    const resolve = this.waiting.get(id);
    this.waiting.delete(id);
    resolve?.(answer);
  }

  private changed(state: LinkState): void {
    const { phase } = state;
    const isStopped = phase === "rejected" && this.phase !== "rejected";
    this.phase = phase;
    this.events.connection?.(state);
    if (isStopped) this.events.stopped?.(state.rejection ?? "");
  }
}
