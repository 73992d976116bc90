/**
 * The players whom one follows, those that play or are here first. Asked for when the home page opens, and again when
 * somebody comes back to it: never while they look, as the rows change places.
 */
import { useEffect } from "preact/hooks";
import type { AccountId } from "#protocol";
import { type Followed, followedPath, inOrder } from "../../state/followed";
import { useApp, useText } from "../context";
import { PageLink } from "../HomeLink";
import { useFetched } from "../people/fetched";

export function FollowedPlayers() {
  const followed = useApp((app) => app.settings.followed);
  return followed.length === 0 ? null : <Players accounts={followed} />;
}

function Players({ accounts }: { accounts: readonly AccountId[] }) {
  const text = useText();
  const { fetched, again } = useFetched<readonly Followed[]>(followedPath(accounts));
  const { follow } = text.people;
  useEffect(() => {
    const back = (): void => void (document.visibilityState === "visible" && again());
    document.addEventListener("visibilitychange", back);
    return () => document.removeEventListener("visibilitychange", back);
  });
  return (
    <section class="card" aria-label={follow.title}>
      <h2>{follow.title}</h2>
      {fetched.state === "there" ? (
        <ul class="list">
          {inOrder(fetched.value).map((player) => (
            <li key={player.name} class="challenge-row">
              <One player={player} />
            </li>
          ))}
        </ul>
      ) : (
        <p class="quiet">{fetched.state === "loading" ? text.lobby.loading : text.lobby.failed}</p>
      )}
    </section>
  );
}

function One({ player: { name, title, online, playingId } }: { player: Followed }) {
  const text = useText();
  return (
    <>
      <p class="seek-words">
        <PageLink class="player-link" to={{ at: "player", who: name }}>
          {name}
        </PageLink>
        {title === "BOT" && <span class="bot-mark"> {text.game.bot}</span>}
      </p>
      {playingId === undefined ? (
        <p class={online ? "presence here" : "presence away"}>
          <span class="dot" aria-hidden="true" />
          {online ? text.lobby.here : text.lobby.away}
        </p>
      ) : (
        <PageLink class="button" to={{ at: "game", id: playingId }}>
          {text.people.follow.watch(name)}
        </PageLink>
      )}
    </>
  );
}
