/**
 * Holds the page's state and carries out the effects of its changes: sends, fetches, plays sounds, runs timers.
 *
 * The only module that joins state, connection and browser. It decides nothing: that is `reducer`; what is shown is
 * `view`.
 */
import type { AccountId, Challenge, ChallengeId, ChatRoom, CreateChallenge, GameId, Player, PoolId } from "#protocol";
import { type Command, type Game, type LinkWorld, Link } from "zeitnot-client";
import { Missing, type Sent, getJson, readJson } from "./net/api";
import type { CookieIdentity } from "./net/identity";
import { type Input, boardUsed, reduce, withUsedInput } from "./reducer";
import { type Change, type Effect, type Timer, notify, textOf } from "./reducer/effects";
import { goTo, navigate } from "./reducer/navigation";
import { acceptChallenge, joinPool, leavePool } from "./reducer/pairing";
import { playSound } from "./sound/sounds";
import type { Sound } from "./state/announcements";
import { type Beginning, asksFirst } from "./state/anotherGame";
import { type App, type Route, inputOf, withAnnouncement } from "./state/app";
import type { BoardInput, InputResult } from "./state/boardInput";
import type { Call } from "./state/calls";
import { chatOf, markRead, withChat } from "./state/chat";
import type { KeptChallenges } from "./state/invitations";
import { type AccountKind, withoutRejection } from "./state/people";
import { ownOpenGames } from "./state/openGames";
import { placeOf, withReplaced } from "./state/pairing";
import type { Rematches } from "./state/rematch";
import { gameOn } from "./state/route";
import { FULL_VOLUME, type Settings } from "./state/settings";
import { type Catalogue, type Language, loadCatalogue } from "./text";

/** What the device around the page does for it. */
export interface Device {
  keepSettings(settings: Settings): void;
  /** What is kept for an account and to be taken; null if there is nothing. */
  settingsOf(account: AccountId, isRegistered: boolean): Promise<unknown>;
  keepChallenges(kept: KeptChallenges): void;
  keepRematches(rematches: Rematches): void;
  /** Calls the player back, unless the page is seen; `open` when the player follows. */
  call(call: Call, open: () => void): void;
  vibrate(): void;
}

export class Store {
  private readonly listeners = new Set<() => void>();
  private readonly link: Link;
  private readonly timers = new Map<Timer, ReturnType<typeof setTimeout>>();
  /** The accounts whose names were requested, so that each is requested once. */
  private readonly requestedNames = new Set<AccountId>();
  private becoming: Promise<string | null> | null = null;

  constructor(
    private app: App,
    world: LinkWorld,
    private readonly identity: CookieIdentity,
    private readonly device: Device,
  ) {
    this.link = new Link(world, identity, {
      changed: (link) => this.dispatch({ on: "link", link, now: Date.now() }),
      welcomed: (welcome) => this.dispatch({ on: "welcome", welcome }),
      message: (message, arrival, answers) =>
        this.dispatch({ on: "message", message, arrival, answers, now: Date.now() }),
      alive: () => this.dispatch({ on: "alive" }),
      nobody: (code) => this.dispatch({ on: "noGuest", code }),
    });
    if (identity.maybe || gameOn(app.route) !== null || app.route.at === "home") this.link.connect();
  }

  get state(): App {
    return this.app;
  }

  get text(): Catalogue {
    return textOf(this.app);
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Whether this browser may have an account: false is certain. */
  get maybeSomebody(): boolean {
    return this.identity.maybe;
  }

  /** The page is left; the browser may keep it and show it again. */
  leave(): void {
    this.link.leave();
  }

  /** The network came back, or the page is visible again. */
  hurry(): void {
    this.link.hurry();
  }

  send(message: Command): string {
    return this.link.command(message);
  }

  /** The browser has the cookie of this account now. A guest who registers keeps the connection. */
  signedIn(account: AccountId, kind: AccountKind): void {
    this.identity.signedIn();
    if (account === this.app.account) this.dispatch({ on: "kind", kind });
    else this.reconnect();
  }

  /** Signs out here or on all devices, or closes the account: after that the connection is nobody's. */
  async leaveAccount(request: () => Promise<Sent<null>>): Promise<Sent<null>> {
    // Before the server closes it: this page knows why.
    this.link.close();
    const sent = await request();
    if (sent.ok || sent.code === "no_identity") this.identity.signedOut();
    this.reconnect();
    return sent;
  }

  /**
   * Makes a guest account for what the server answers to nobody without one; several questions share it. Null, or the code
   * with which the server made none.
   */
  becomeGuest(): Promise<string | null> {
    this.becoming ??= this.identity
      .become()
      .then(
        () => {
          this.reconnect();
          return null;
        },
        (error: unknown) => (error instanceof Error ? error.message : "unavailable"),
      )
      .finally(() => {
        this.becoming = null;
      });
    return this.becoming;
  }

  private reconnect(): void {
    this.link.close();
    this.link.connect();
  }

  /** Shows the page of an address that is already in the browser's history. */
  go(route: Route): void {
    this.apply(goTo(this.app, route));
  }

  navigate(route: Route): void {
    this.apply(navigate(this.app, route));
  }

  joinPool(pool: PoolId): void {
    this.begin({ pool });
  }

  leavePool(): void {
    this.apply(leavePool(this.app));
  }

  /** Leaves the pool, and withdraws the own open games. */
  stopWaiting(): void {
    if (placeOf(this.app.pairing) !== null) this.leavePool();
    for (const { challenge } of ownOpenGames(this.app)) this.send({ t: "cancel_challenge", d: { challenge } });
  }

  /** `replaces`: an own one, which is withdrawn when the new one is there. */
  createChallenge(terms: CreateChallenge, replaces?: ChallengeId): void {
    const request = this.send({ t: "create_challenge", d: terms });
    if (replaces) this.set({ ...this.app, pairing: withReplaced(this.app.pairing, request, replaces) });
  }

  acceptChallenge(challenge: ChallengeId): void {
    this.begin({ challenge });
  }

  /** The answer to the question whether to begin another game beside the one that runs. */
  answerAnother(isSure: boolean): void {
    const { another } = this.app;
    this.set({ ...this.app, another: null });
    if (isSure && another) this.beginAtOnce(another);
  }

  private begin(what: Beginning): void {
    if (asksFirst(this.app, what)) this.set({ ...this.app, another: what });
    else this.beginAtOnce(what);
  }

  private beginAtOnce(what: Beginning): void {
    if ("pool" in what) {
      this.change({ pool: what.pool });
      this.apply(joinPool(this.app, what.pool, Date.now()));
    } else this.apply(acceptChallenge(this.app, what.challenge));
  }

  /** Whether an invitation is still open; whoever is about to join it learns that from the answer to that. */
  askAgain(challenge: ChallengeId): void {
    const isJoining = (): boolean => this.app.pairing.expected.includes(challenge) || challenge in this.app.games;
    if (!isJoining()) void this.fetchInvitation(challenge, () => !isJoining());
  }

  /** The owner has seen how a challenge ended. */
  told(challenge: ChallengeId): void {
    this.dispatch({ on: "told", challenge });
  }

  /** The challenge is no longer shown in the header. */
  putAway(challenge: ChallengeId): void {
    this.set({ ...this.app, putAway: { ...this.app.putAway, [challenge]: true } });
  }

  /** The next attempt at a name begins without the last one's error. */
  clearNameRejection(): void {
    this.set({ ...this.app, people: withoutRejection(this.app.people) });
  }

  change(settings: Partial<Settings>): void {
    this.dispatch({ on: "settings", change: settings });
  }

  notice(kind: "info" | "error", text: string, about: GameId | null = null): void {
    this.set(notify(this.app, kind, text, about));
  }

  clearNotice(): void {
    this.set({ ...this.app, notice: null });
  }

  say(text: string): void {
    this.set(withAnnouncement(this.app, text));
  }

  sound(sound: Sound): void {
    const { sound: isOn, volume } = this.app.settings;
    if (isOn) playSound(sound, volume / FULL_VOLUME);
  }

  updateInput(game: string, change: (input: BoardInput) => BoardInput): void {
    this.set(withUsedInput(this.app, game, change(inputOf(this.app, game))));
  }

  /** A board was used. */
  applyInput(game: Game, result: InputResult): void {
    this.apply(boardUsed(this.app, game, result));
  }

  markRead(game: string, room: ChatRoom): void {
    this.set(withChat(this.app, game, markRead(chatOf(this.app, game), room)));
  }

  /** Requests the name of an account, for a challenge that names only the account. */
  requestName(account: AccountId): void {
    this.perform({ do: "fetchName", account });
  }

  private dispatch(input: Input): void {
    this.apply(reduce(this.app, input));
  }

  /** The state first: an effect may change it again before this returns. */
  private apply({ app, effects }: Change): void {
    this.set(app);
    for (const effect of effects) this.perform(effect);
  }

  private set(app: App): void {
    if (app === this.app) return;
    this.app = app;
    for (const listener of this.listeners) listener();
  }

  private perform(effect: Effect): void {
    switch (effect.do) {
      case "send":
        this.send(effect.message);
        break;
      case "request":
        this.link.ask(effect.message);
        break;
      case "discard":
        this.link.forget(effect.which);
        break;
      case "connect":
        this.link.need();
        break;
      case "push":
        history.pushState(null, "", effect.path);
        if (!effect.isSamePage) scrollTo(0, 0);
        break;
      case "play":
        this.sound(effect.sound);
        break;
      case "call":
        this.device.call(effect.call, () => this.navigate({ at: "game", id: effect.call.id }));
        break;
      case "vibrate":
        if (this.app.settings.vibration) this.device.vibrate();
        break;
      case "keepSettings":
        this.device.keepSettings(effect.settings);
        break;
      case "keepChallenges":
        this.device.keepChallenges(effect.kept);
        break;
      case "keepRematches":
        this.device.keepRematches(effect.rematches);
        break;
      case "fetchSettings":
        void this.fetchSettings(effect.account, effect.isRegistered);
        break;
      case "loadTexts":
        void this.loadTexts(effect.language);
        break;
      case "timer":
        this.setTimer(effect.timer, effect.ms);
        break;
      case "fetchInvitation":
        void this.fetchInvitation(effect.challenge);
        break;
      case "fetchName":
        void this.fetchName(effect.account);
        break;
      case "fetchKind":
        void this.fetchKind();
        break;
    }
  }

  private setTimer(timer: Timer, ms: number | null): void {
    clearTimeout(this.timers.get(timer));
    if (ms !== null)
      this.timers.set(
        timer,
        setTimeout(() => this.dispatch({ on: "timer", timer, now: Date.now() }), ms),
      );
  }

  private async fetchSettings(account: AccountId, isRegistered: boolean): Promise<void> {
    const stored = await this.device.settingsOf(account, isRegistered).catch(() => null);
    if (stored !== null) this.dispatch({ on: "accountSettings", stored });
  }

  private async loadTexts(language: Language): Promise<void> {
    const text = await loadCatalogue(language).catch(() => null);
    this.dispatch({ on: "texts", language, text });
  }

  private async fetchInvitation(challenge: ChallengeId, isWanted = (): boolean => true): Promise<void> {
    const answer = await readJson<Challenge>(`/api/challenges/${challenge}`).catch(() => "unread" as const);
    if (!isWanted()) return;
    const now = Date.now();
    if (!(answer instanceof Missing)) this.dispatch({ on: "invitation", challenge, terms: answer, code: "", now });
    else {
      const { code, body } = answer;
      const { challenge: was = null } = (body ?? {}) as { readonly challenge?: Challenge };
      this.dispatch({ on: "invitation", challenge, terms: null, code, was, now });
    }
  }

  private async fetchName(account: AccountId): Promise<void> {
    if (this.requestedNames.has(account)) return;
    this.requestedNames.add(account);
    const player = await getJson<Player>(`/api/players/${account}`).catch(() => null);
    if (player) this.dispatch({ on: "name", account, name: player.name });
    else this.requestedNames.delete(account);
  }

  private async fetchKind(): Promise<void> {
    const profile = await getJson<{ readonly kind: AccountKind }>("/api/account/profile").catch(() => null);
    if (profile) this.dispatch({ on: "kind", kind: profile.kind });
  }
}
