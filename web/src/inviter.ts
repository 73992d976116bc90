/**
 * Does what challenges ask for: shows a new one of one's own, announces one that came, tells of one that was declined,
 * and asks for the terms of one that only a link names.
 */
import type { AccountId, Challenge, ChallengeId, Player, ServerMessage } from "#protocol";
import { getJson } from "./net/api";
import type { Link } from "./net/link";
import type { App } from "./state/app";
import type { Pending } from "./state/outbox";
import { forgotten, learned } from "./state/people";
import type { Seeker } from "./seeker";
import type { Store } from "./store";
import { showControl } from "./text/words";

export class Inviter {
  private readonly everSeen = new Set<ChallengeId>();
  private readonly asked = new Set<AccountId>();

  constructor(
    private readonly store: Store,
    private readonly link: Link,
    private readonly seeker: Seeker,
  ) {}

  /** A message came that made a new state of `before`. */
  heard(before: App, message: ServerMessage, answers: Pending | null): void {
    if (message.t === "challenge") this.adopt(message.d, answers);
    if (message.t === "challenge_gone" && this.store.state.people.declined !== before.people.declined) this.declined();
    if (message.t !== "rejected") return;
    const { code, id, game } = message.d;
    if (id === "watch" && game !== undefined && code === "unknown_game") void this.invite(game);
  }

  /** A new challenge of one's own: its page is where one waits. */
  private adopt(challenge: Challenge, answers: Pending | null): void {
    const isNews = !this.everSeen.has(challenge.challenge);
    this.everSeen.add(challenge.challenge);
    const mine = challenge.by.account === this.store.state.account;
    if (isNews && !mine && !answers) this.called(challenge);
    if (answers?.message.t !== "create_challenge") return;
    const terms = answers.message.d;
    this.seeker.made(challenge.challenge, terms);
    if (challenge.to !== undefined && terms.to_name !== undefined) this.store.update((app) => ({ ...app, people: learned(app.people, challenge.to ?? "", terms.to_name ?? "") }));
    if (challenge.seek) this.store.notice("info", this.store.text.lobby.seekListed);
    else this.store.navigate({ at: "game", id: challenge.challenge });
  }

  /** Somebody challenges this account. A rematch is offered on the page of its game, too. */
  private called(challenge: Challenge): void {
    const { route, account } = this.store.state;
    if (challenge.to !== account || (route.at === "game" && challenge.rematch_of === route.id)) return;
    const { text } = this.store;
    this.store.say(text.lobby.challengedBy(challenge.by.name, showControl(text, challenge.time_control)));
    this.store.sound("offer");
  }

  private declined(): void {
    const { people, route } = this.store.state;
    const { declined, names } = people;
    const [last] = declined;
    // The page of a finished game says itself what became of a rematch.
    if (!last || (route.at === "game" && last.challenge.rematch_of === route.id)) return;
    const { lobby } = this.store.text;
    this.store.notice("info", lobby.declinedBy(names[last.challenge.to ?? ""] ?? lobby.theOther, lobby.reasons[last.reason]));
  }

  /** What has no game may be an invitation: its terms are shown before one joins. */
  private async invite(id: ChallengeId): Promise<void> {
    const { challenges, invitations, pairing } = this.store.state;
    if (id in challenges || id in invitations || pairing.expected.includes(id)) return;
    const terms = await getJson<Challenge>(`/api/challenges/${id}`).catch(() => "unread" as const);
    if (terms !== null) {
      this.store.update((app) => ({ ...app, invitations: { ...app.invitations, [id]: terms } }));
      return;
    }
    this.store.update((app) => ({ ...app, gone: { ...app.gone, [id]: true } }));
    // It may have become a game between the two questions.
    this.link.ask({ t: "watch", d: { game: id, id: "again" } });
  }

  /** A new try at a name begins: what was wrong with the last one is forgotten. */
  clearRefusal(): void {
    this.store.update((app) => (app.people.refused ? { ...app, people: { ...app.people, refused: null } } : app));
  }

  /** A declined challenge has been read. */
  dismiss(id: ChallengeId): void {
    this.store.update((app) => ({ ...app, people: forgotten(app.people, id) }));
  }

  /** Asks once who an account is, for a challenge that names only that. */
  async learn(account: AccountId): Promise<void> {
    if (this.asked.has(account)) return;
    this.asked.add(account);
    const player = await getJson<Player>(`/api/players/${account}`).catch(() => null);
    if (player) this.store.update((app) => ({ ...app, people: learned(app.people, account, player.name) }));
    else this.asked.delete(account);
  }
}
