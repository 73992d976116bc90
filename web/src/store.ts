/**
 * Holds the page's state, and does what follows from its changes: sends, watches, speaks, sounds, remembers settings.
 *
 * The only module that joins state, connection and browser. What is decided is decided in `state`; what is shown, in
 * `view`.
 */
import type { Challenge, ChatRoom, ServerMessage, Welcome } from "#protocol";
import { readFen } from "./chess/position";
import { type Color, other } from "./chess/square";
import { Link, type LinkWorld } from "./net/link";
import { type Identity } from "./net/identity";
import { playSound } from "./sound/sounds";
import { type App, type Route, type Settings, receive, tableOf, withNotice, withSpoken, withTable } from "./state/app";
import { chatOf, looked, withChat } from "./state/chat";
import { type Arrival, type Game, isClockVague, isComplete, seatOf } from "./state/game";
import { type Note, type Sound, noteAround, noteFor } from "./state/notes";
import { type Command, type Pending, endsWith } from "./state/outbox";
import { isRematch } from "./state/rematch";
import { type Step, type Table, onTurn } from "./state/table";
import { CATALOGUES, type Catalogue } from "./text";

/** A reload of the opponent's page is shorter, and not worth a word. */
const ABSENCE_LASTS_MS = 2_000;

export class Store {
  private readonly listeners = new Set<() => void>();
  private readonly link: Link;
  private absence: ReturnType<typeof setTimeout> | undefined;
  private saidAway = false;
  private readonly everSeen = new Set<string>();

  constructor(
    private app: App,
    world: LinkWorld,
    identity: Identity,
    private readonly remember: (settings: Settings) => void,
  ) {
    this.link = new Link(world, identity, {
      changed: (link) => this.set({ ...this.app, link }),
      welcomed: (welcome) => this.welcomed(welcome),
      message: (message, arrival, answers) => this.receive(message, arrival, answers),
      nobody: (code) => this.fail(code),
    });
    if (identity.maybe || app.route.at === "game") this.link.connect();
  }

  get state(): App {
    return this.app;
  }

  get text(): Catalogue {
    return CATALOGUES[this.app.settings.language];
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The network came back, or the page was looked at again. */
  hurry(): void {
    this.link.hurry();
  }

  send(message: Command): string {
    return this.link.command(message);
  }

  go(route: Route): void {
    this.leave(this.app.route, route);
    this.set({ ...this.app, route, notice: null });
    if (route.at !== "game") return;
    this.link.need();
    this.watch(route.id);
  }

  /** A spectator who turns away is one less. Players hear their own live games anyway. */
  private leave(from: Route, to: Route): void {
    if (from.at !== "game" || (to.at === "game" && to.id === from.id)) return;
    if (this.app.games[from.id]) this.link.ask({ t: "unwatch", d: { game: from.id } });
  }

  change(settings: Partial<Settings>): void {
    const next = { ...this.app.settings, ...settings };
    this.set({ ...this.app, settings: next });
    this.remember(next);
  }

  notice(kind: "info" | "error", text: string): void {
    this.set(withSpoken(withNotice(this.app, kind, text), text));
  }

  clearNotice(): void {
    this.set({ ...this.app, notice: null });
  }

  say(text: string): void {
    this.set(withSpoken(this.app, text));
  }

  sound(sound: Sound): void {
    if (this.app.settings.sound) playSound(sound);
  }

  table(id: string, change: (table: Table) => Table): void {
    this.set(withTable(this.app, id, change(tableOf(this.app, id))));
  }

  /** Somebody looks at a room of a game. */
  look(id: string, room: ChatRoom): void {
    this.set(withChat(this.app, id, looked(chatOf(this.app, id), room)));
  }

  /** What a hand did at a board: the table changes, and a complete move is sent. */
  step(game: Game, step: Step): void {
    const sent = step.play === undefined ? step.table : { ...step.table, sent: { on: game.on, uci: step.play } };
    this.set(withTable(this.app, game.id, sent));
    if (step.play !== undefined) this.send({ t: "move", d: { game: game.id, on: game.on, uci: step.play } });
  }

  /** A game that is over is followed, too: people still talk there. */
  private watch(id: string): void {
    const known = this.app.games[id];
    const watch = { game: id, id: "watch" };
    this.link.ask({ t: "watch", d: known ? { ...watch, after: known.seq } : watch });
  }

  private welcomed(welcome: Welcome): void {
    const { route, epoch } = this.app;
    // Of restored data nothing that we remember may be true.
    if (epoch !== null && epoch !== welcome.epoch) this.set({ ...this.app, games: {}, tables: {} });
    if (route.at === "game") this.watch(route.id);
  }

  private receive(message: ServerMessage, arrival: Arrival, answers: Pending | null): void {
    const before = this.app;
    const id = "game" in message.d ? message.d.game : undefined;
    const known = id === undefined ? undefined : before.games[id];
    this.set(receive(before, message, arrival, answers));
    const game = id === undefined ? undefined : this.app.games[id];
    const { route } = this.app;
    if (message.t === "snapshot" && route.at === "game" && isRematch(this.app.rematches, route.id, message.d.game)) this.navigate({ at: "game", id: message.d.game });
    this.note(noteAround(this.text, message, before, this.app));
    if (game) this.follow(message, known, game);
    if (message.t === "rejected" && answers) this.fail(message.d.code, message.d.code.startsWith("bad_") ? message.d.message : "");
    // Somebody else was quicker: then there is a game to watch.
    if (message.t === "rejected" && answers?.message.t === "accept_challenge") this.watch(answers.message.d.challenge);
    if (message.t === "challenge") this.adopt(message.d, answers);
  }

  /** What a message about a game asks for: its sound and sentence, the plies that are missing, the premove. */
  private follow(message: ServerMessage, known: Game | undefined, game: Game): void {
    const { route, account } = this.app;
    const isShown = route.at === "game" && route.id === game.id;
    if (isShown) this.note(noteFor(this.text, message, known, game, seatOf(game, account)));
    if (message.t === "move" && isShown && isClockVague(game)) this.watch(game.id);
    if (message.t === "presence") this.presence(game.id, message.d.color);
    if (message.t === "snapshot" || (message.t === "history" && known !== game)) this.fetchEarlier(game);
    if (message.t === "turn" && game.turn?.on === message.d.on) this.turn(game, message.d.legal);
    if (message.t === "ended") this.link.forget((pending) => endsWith(pending, game.id));
  }

  private note(note: Note): void {
    if (note.say) this.say(note.say);
    if (note.sound) this.sound(note.sound);
  }

  /** Says that the opponent went only when it lasts, and that one came back only if it was said. */
  private presence(id: string, color: Color): void {
    const game = this.app.games[id];
    if (!game || game.phase !== "playing" || seatOf(game, this.app.account) !== other(color)) return;
    const { spoken, sides } = this.text;
    clearTimeout(this.absence);
    if (game.away[color]) {
      this.absence = setTimeout(() => {
        this.saidAway = true;
        this.say(spoken.away(sides[color]));
      }, ABSENCE_LASTS_MS);
    } else if (this.saidAway) {
      this.saidAway = false;
      this.say(spoken.back(sides[color]));
    }
  }

  /** A long game's early plies come 200 a frame, the latest first. */
  private fetchEarlier(game: Game): void {
    if (isComplete(game)) return;
    const first = game.plies[0]?.ply ?? game.plyCount + 1;
    this.link.ask({ t: "history", d: { game: game.id, from: Math.max(1, first - 200) } });
  }

  private turn(game: Game, legal: readonly string[]): void {
    const table = tableOf(this.app, game.id);
    // A move for this very position is on its way, and is sent again by the link.
    if (table.sent?.on === game.on) return;
    this.step(game, onTurn(table, readFen(game.fen), legal));
  }

  /** One's own new challenge: its page is where one waits. One that a lost connection left in doubt shows itself again. */
  private adopt(challenge: Challenge, answers: Pending | null): void {
    // A rematch is waited for at the finished game.
    if (challenge.rematch_of !== undefined) return;
    const isNews = !this.everSeen.has(challenge.challenge);
    this.everSeen.add(challenge.challenge);
    const mine = challenge.by.account === this.app.account;
    const doubted = this.app.link.outbox.find((pending) => pending.message.t === "create_challenge" && pending.tries > 0);
    if (!answers && !(isNews && mine && doubted)) return;
    if (!answers && doubted) this.link.forget((pending) => pending.id === doubted.id);
    this.navigate({ at: "game", id: challenge.challenge });
  }

  /** Goes to a page and puts its address into the browser's history. */
  navigate(route: Route): void {
    history.pushState(null, "", route.at === "game" ? `/${route.id}` : "/");
    this.go(route);
    scrollTo(0, 0);
  }

  private fail(code: string, detail = ""): void {
    const known: Readonly<Record<string, string>> = this.text.codes;
    this.notice("error", [known[code] ?? code, detail].filter(Boolean).join(" "));
  }

  private set(app: App): void {
    if (app === this.app) return;
    this.app = app;
    for (const listener of this.listeners) listener();
  }
}
