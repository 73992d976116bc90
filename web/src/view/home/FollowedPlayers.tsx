/**
 * The players whom one follows: those who are here with the main rating and what each plays, and behind a line those who are
 * not. They are read when the home page opens, and again when somebody comes back to it: never while they look, as the rows
 * change places. What a row says of a game follows the lobby.
 */
import { useEffect, useState } from "preact/hooks";
import type { AccountId, Player } from "#protocol";
import { getJson } from "../../net/api";
import { mainRating, playingOf } from "../../state/followed";
import { type PlayerStatus, presencePath } from "../../state/presence";
import { setupOf } from "../../state/setup";
import { useApp, useText } from "../context";
import { PageLink } from "../HomeLink";
import { ChallengeDialog } from "../people/ChallengeDialog";
import { useLoaded } from "../fetched";
import { NameLink, RatingOf } from "../PlayerLink";
import { lastGameAgainst } from "./recent";

export function FollowedPlayers() {
  const followed = useApp((app) => app.settings.followed);
  return followed.length === 0 ? null : <Players accounts={followed} />;
}

interface Followed {
  readonly here: readonly Player[];
  readonly away: readonly PlayerStatus[];
}

/** Without those whose account is gone, or of whom nothing more could be read. Only of those who are here more is asked. */
async function readFollowed(accounts: readonly AccountId[]): Promise<Followed> {
  const all = (await getJson<readonly PlayerStatus[]>(presencePath(accounts))) ?? [];
  const here = await Promise.all(
    all.filter(({ online }) => online).map(({ name }) => getJson<Player>(`/api/players/${name}`).catch(() => null)),
  );
  return { here: here.filter((player) => player !== null), away: all.filter(({ online }) => !online) };
}

function Players({ accounts }: { accounts: readonly AccountId[] }) {
  const { people, lobby } = useText();
  const { fetched, again } = useLoaded(() => readFollowed(accounts), accounts.join());
  const [challenged, challenge] = useState<Player | null>(null);
  useEffect(() => {
    const back = (): void => void (document.visibilityState === "visible" && again());
    document.addEventListener("visibilitychange", back);
    return () => document.removeEventListener("visibilitychange", back);
  });
  const { here, away } = fetched.state === "there" ? fetched.value : NOBODY;
  const last = challenged && lastGameAgainst(challenged.account);
  return (
    <section class="card followed" aria-label={people.follow.title}>
      <h2>{people.follow.title}</h2>
      {fetched.state !== "there" && <p class="quiet">{fetched.state === "loading" ? lobby.loading : lobby.failed}</p>}
      {here.length > 0 && (
        <ul class="list">
          {here.map((player) => (
            <Row key={player.account} player={player} challenge={() => challenge(player)} />
          ))}
        </ul>
      )}
      {away.length > 0 && (
        <details>
          <summary>{people.follow.away(away.length)}</summary>
          <ul class="list">
            {away.map(({ name }) => (
              <li key={name}>
                <PageLink class="player-link" to={{ at: "player", who: name }}>
                  {name}
                </PageLink>
              </li>
            ))}
          </ul>
        </details>
      )}
      {challenged && (
        <ChallengeDialog player={challenged} first={last && setupOf(last)} close={() => challenge(null)} />
      )}
    </section>
  );
}

const NOBODY: Followed = { here: [], away: [] };

function Row({ player, challenge }: { player: Player; challenge(): void }) {
  const app = useApp();
  const text = useText();
  const { follow } = text.people;
  const playing = playingOf(player, app);
  const rating = mainRating(player.ratings ?? []);
  const state = !playing
    ? text.lobby.here
    : playing.kind === "you"
      ? follow.playingYou
      : follow.playing(playing.opponent ?? "");
  return (
    <li class="challenge-row">
      <div class="seek-words">
        <p>
          <NameLink player={player} />
          {player.bot && <span class="bot-mark"> {text.game.bot}</span>}
          {rating && (
            <span class="quiet">
              {" "}
              {text.account.categories[rating.category]}
              <RatingOf points={rating.rating} isProvisional={rating.provisional === true} />
            </span>
          )}
        </p>
        <p class="presence here">
          <span class="dot" aria-hidden="true" />
          {state}
        </p>
      </div>
      <div class="row">
        {playing?.kind === "another" && (
          <PageLink class="button" to={{ at: "game", id: playing.game }} label={follow.watch(player.name)}>
            {follow.watchNow}
          </PageLink>
        )}
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={text.lobby.challengePlayer(player.name)}
          onClick={challenge}
        >
          {text.people.challenge}
        </button>
      </div>
    </li>
  );
}
