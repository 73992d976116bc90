/**
 * Holds the page's state, and does what follows from its changes: sends, watches, speaks, sounds, remembers settings.
 *
 * The only module that joins state, connection and browser. What is decided is decided in `state`; what is shown, in
 * `view`.
 */
import type { ChatRoom, Rejected, ServerMessage, Welcome } from "#protocol";
import { readFen } from "./chess/position";
import { type Color, other } from "./chess/square";
import { Inviter } from "./inviter";
import { type Identity } from "./net/identity";
import { Link, type LinkWorld } from "./net/link";
import { Seeker } from "./seeker";
import { playSound } from "./sound/sounds";
import { type App, type Route, type Settings, receive, inputOf, withNotice, withSpoken, withInput } from "./state/app";
import { chatOf, markRead, withChat } from "./state/chat";
import { type Arrival, type Game, isClockVague, isComplete, seatOf } from "./state/game";
import { type Announcement, type Sound, announceOther, announceGame } from "./state/announcements";
import { type Command, type Pending, endsWith } from "./state/outbox";
import { isRematch } from "./state/rematch";
import { pathOf } from "./state/route";
import { type Step, type BoardInput, onTurn } from "./state/boardInput";
import { CATALOGUES, type Catalogue } from "./text";

/** A reload of the opponent's page is shorter, and not worth a word. */
const ABSENCE_LASTS_MS = 2_000;
/** After this long the lobby is asked for again, if it could not be had. */
const LOBBY_RETRY_MS = 3_000;

export class Store {
  private readonly listeners = new Set<() => void>();
  private readonly link: Link;
  private absence: ReturnType<typeof setTimeout> | undefined;
  private saidAway = false;
  /** What waits for games, and what deals with challenges: parts of this store. */
  readonly seeker: Seeker;
  readonly inviter: Inviter;

  constructor(
    private app: App,
    world: LinkWorld,
    identity: Identity,
    private readonly remember: (settings: Settings) => void,
  ) {
    this.link = new Link(world, identity, {
      changed: (link) => {
        const before = this.app.link.phase;
        this.set({ ...this.app, link });
        this.seeker.linked(before, link.phase);
      },
      welcomed: (welcome) => this.welcomed(welcome),
      message: (message, arrival, answers) => this.receive(message, arrival, answers),
      nobody: (code) => {
        this.seeker.nobody();
        this.fail(code);
      },
    });
    this.seeker = new Seeker(this, this.link);
    this.inviter = new Inviter(this, this.link, this.seeker);
    if (identity.maybe || app.route.at === "game" || app.route.at === "home") this.link.connect();
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
    if (route.at === "game" || route.at === "home") this.link.need();
    this.show(route);
  }

  /** Asks for what a page shows. */
  private show(route: Route): void {
    if (route.at === "home") this.link.ask({ t: "enter_lobby", d: { id: "lobby" } });
    if (route.at === "game") this.watch(route.id);
  }

  /** A spectator who turns away is one less. Players hear their own live games anyway. */
  private leave(from: Route, to: Route): void {
    if (from.at === "home" && to.at !== "home") this.link.ask({ t: "leave_lobby", d: {} });
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

  updateInput(id: string, change: (input: BoardInput) => BoardInput): void {
    this.set(withInput(this.app, id, change(inputOf(this.app, id))));
  }

  /** Somebody looks at a room of a game. */
  look(id: string, room: ChatRoom): void {
    this.set(withChat(this.app, id, markRead(chatOf(this.app, id), room)));
  }

  /** What a hand did at a board: the input changes, and a complete move is sent. */
  applyInput(game: Game, step: Step): void {
    const sent = step.play === undefined ? step.input : { ...step.input, sent: { on: game.on, uci: step.play } };
    this.set(withInput(this.app, game.id, sent));
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
    if (epoch !== null && epoch !== welcome.epoch) this.set({ ...this.app, games: {}, inputs: {} });
    this.show(route);
    this.seeker.welcomed();
  }

  private receive(message: ServerMessage, arrival: Arrival, answers: Pending | null): void {
    const before = this.app;
    const id = "game" in message.d ? message.d.game : undefined;
    const known = id === undefined ? undefined : before.games[id];
    this.set(receive(before, message, arrival, answers));
    this.seeker.heard(before, message, answers, known === undefined);
    const game = id === undefined ? undefined : this.app.games[id];
    const { route } = this.app;
    if (message.t === "snapshot" && route.at === "game" && isRematch(before.rematches, route.id, message.d.game)) this.navigate({ at: "game", id: message.d.game });
    this.note(announceOther(this.text, message, before, this.app));
    if (game) this.follow(message, known, game);
    if (message.t === "rejected") this.refused(message.d, answers);
    this.inviter.heard(before, message, answers);
    if (message.t === "name") this.notice("info", this.text.lobby.nameTaken(message.d.name));
  }

  private refused({ code, id, message }: Rejected, answers: Pending | null): void {
    if (id === "lobby") setTimeout(() => this.app.route.at === "home" && this.show(this.app.route), LOBBY_RETRY_MS);
    if (!answers || tookEffect(answers, code)) return;
    this.fail(code, code.startsWith("bad_") ? message : "");
    if (answers.message.t !== "accept_challenge") return;
    // Somebody else was quicker: then there is a game to watch.
    const { challenge } = answers.message.d;
    if (this.app.route.at === "game" && this.app.route.id === challenge) this.watch(challenge);
  }

  /** What a message about a game asks for: its sound and sentence, the plies that are missing, the premove. */
  private follow(message: ServerMessage, known: Game | undefined, game: Game): void {
    const { route, account } = this.app;
    const isShown = route.at === "game" && route.id === game.id;
    if (isShown) this.note(announceGame(this.text, message, known, game, seatOf(game, account)));
    if (message.t === "move" && isShown && isClockVague(game)) this.watch(game.id);
    if (message.t === "presence") this.presence(game.id, message.d.color);
    if (message.t === "snapshot" || (message.t === "history" && known !== game)) this.fetchEarlier(game);
    if (message.t === "turn" && game.turn?.on === message.d.on) this.turn(game, message.d.legal);
    if (message.t === "ended") this.link.forget((pending) => endsWith(pending, game.id));
  }

  private note(note: Announcement): void {
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
    const input = inputOf(this.app, game.id);
    // A move for this very position is on its way, and is sent again by the link.
    if (input.sent?.on === game.on) return;
    this.applyInput(game, onTurn(input, readFen(game.fen), legal));
  }

  /** Goes to a page and puts its address into the browser's history. */
  navigate(route: Route): void {
    history.pushState(null, "", pathOf(route));
    this.go(route);
    scrollTo(0, 0);
  }

  private fail(code: string, detail = ""): void {
    const known: Readonly<Record<string, string>> = this.text.codes;
    this.notice("error", [known[code] ?? code, detail].filter(Boolean).join(" "));
  }

  /** Changes the state; for the parts of this store. */
  update(change: (app: App) => App): void {
    this.set(change(this.app));
  }

  private set(app: App): void {
    if (app === this.app) return;
    this.app = app;
    for (const listener of this.listeners) listener();
  }
}

/** Taking a challenge away a second time finds none: the first time was heard. */
function tookEffect({ message, tries }: Pending, code: string): boolean {
  return tries > 1 && code === "unknown_challenge" && (message.t === "cancel_challenge" || message.t === "decline_challenge");
}
