/**
 * A player's page: name, presence, since when a member, the score against oneself, a challenge, what one can do about the
 * player, the record, ratings, games in progress, and finished games.
 *
 * Fetched over HTTP when the page opens, and one's own again when one takes a name or registers.
 */
import { useEffect, useState } from "preact/hooks";
import type { Player, Snapshot } from "#protocol";
import { readPlayer } from "../../net/player";
import { NO_FILTER, bySide } from "../../state/gameFilter";
import type { CountsOfSide } from "../../state/gameTally";
import { isRatable } from "../../state/people";
import { pathOf } from "../../state/route";
import { setupOf } from "../../state/setup";
import { showControl } from "../../text/words";
import { FinishedGames } from "../archive/FinishedGames";
import { countsOf } from "../archive/games";
import { MiniBoard } from "../board/MiniBoard";
import { useApp, useText } from "../context";
import { showMonth } from "../locale";
import { HomeLink } from "../HomeLink";
import { WatchLink } from "../home/WatchLink";
import { ChallengeDialog } from "./ChallengeDialog";
import { useEncounters } from "./encounters";
import { useLoaded } from "../fetched";
import { FollowButton } from "./FollowButton";
import { NoPlayer } from "./NoPlayer";
import { PlayerActions } from "./PlayerActions";
import { Ratings } from "./Ratings";
import { Record } from "./Record";
import { Score } from "./Score";
import "../../style/filters.css";
import "../../style/archive.css";
import "../../style/playerPage.css";

export function PlayerPage({ who }: { who: string }) {
  const text = useText();
  const { fetched, again } = useLoaded(() => readPage(who), who);
  const name = fetched.state === "there" ? fetched.value.player.name : null;
  const own = useApp((app) => (app.account === who ? app.people : null));
  useEffect(() => {
    if (fetched.state === "there" && own) again();
  }, [own?.name, own?.kind]);
  useEffect(() => {
    document.title = name === null ? text.site.title : text.lobby.player(name);
  }, [name, text]);
  useNameInAddress(name);
  if (fetched.state === "there") return <Known {...fetched.value} />;
  if (fetched.state === "loading") {
    return (
      <main id="content" class="narrow">
        <h1 class="visually-hidden">{text.lobby.loading}</h1>
        <p role="status">{text.lobby.loading}</p>
      </main>
    );
  }
  if (fetched.state === "missing") return <NoPlayer who={who} />;
  return (
    <main id="content" class="narrow card">
      <h1>{text.lobby.failed}</h1>
      <button type="button" onClick={again}>
        {text.lobby.again}
      </button>
      <HomeLink>{text.site.toHome}</HomeLink>
    </main>
  );
}

/** Links lead by the account, which stays; the address that one reads and sends has the name. A guest's is only a number. */
function useNameInAddress(name: string | null): void {
  const route = useApp((app) => app.route);
  useEffect(() => {
    if (name === null || name.startsWith("Guest-") || route.at !== "player") return;
    history.replaceState({ ...history.state, who: route.who }, "", pathOf({ ...route, who: name }));
  }, [name, route]);
}

interface Known {
  readonly player: Player;
  /** Games in progress. */
  readonly live: readonly Snapshot[];
  /** Null where the server could not count. */
  readonly counted: readonly CountsOfSide[] | null;
}

/** Counts the games, too, before anything is shown: how high the record is depends on them. */
async function readPage(who: string): Promise<Known | null> {
  const read = await readPlayer(who);
  return read && { ...read, counted: await countsOf(bySide(read.player.account, NO_FILTER)) };
}

function Known({ player, live, counted }: Known) {
  const { ratings = [] } = player;
  const account = useApp((app) => app.account);
  const text = useText();
  const isYou = player.account === account;
  const route = useApp((app) => app.route);
  const encounters = useEncounters(account, player.account);
  const [isChallenging, challenge] = useState(false);
  const last = encounters.state === "there" ? encounters.value.last : null;
  // Whoever comes for the games finds them below the name, with nothing between.
  const areGamesFirst = route.at === "player" && route.games === true;
  const games = <FinishedGames key={player.account} player={player} />;
  return (
    <main id="content" class="player-page">
      <div class="player-head">
        <div class="player-about">
          <h1>
            {player.name}
            {player.bot && <span class="bot-mark"> {text.game.bot}</span>}
          </h1>
          <p class={isYou || player.here ? "presence here" : "presence away"}>
            <span class="dot" aria-hidden="true" />
            {isYou ? text.game.you : player.here ? text.lobby.here : text.lobby.away}
          </p>
          {player.made !== undefined && (
            <p class="quiet member-since">{text.people.memberSince(showMonth(text, player.made))}</p>
          )}
          {account !== null && !isYou && <Score fetched={encounters} own={account} player={player} />}
        </div>
        {!isYou && (
          <div class="player-actions">
            <button
              type="button"
              class="primary"
              aria-haspopup="dialog"
              aria-label={text.lobby.challengePlayer(player.name)}
              onClick={() => challenge(true)}
            >
              {text.people.challenge}
            </button>
            <FollowButton player={player} />
            {account !== null && <PlayerActions player={player} />}
          </div>
        )}
      </div>
      {isChallenging && (
        <ChallengeDialog player={player} first={last && setupOf(last)} close={() => challenge(false)} />
      )}
      {areGamesFirst && games}
      <div key="figures" class="player-figures">
        {counted && <Record counted={counted} />}
        {(ratings.length > 0 || isRatable(player)) && <Ratings account={player.account} ratings={ratings} />}
      </div>
      {live.length > 0 && <LiveGames key="live" player={player} live={live} />}
      {!areGamesFirst && games}
    </main>
  );
}

function LiveGames({ player, live }: Pick<Known, "player" | "live">) {
  const { lobby } = useText();
  return (
    <section class="card" aria-labelledby="playing-title">
      <h2 id="playing-title">{lobby.playing}</h2>
      <ul class="live-boards">
        {live.map((game) => (
          <li key={game.game}>
            <LiveGame game={game} account={player.account} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function LiveGame({ game, account }: { game: Snapshot; account: string }) {
  const text = useText();
  const { players, fen, plies, ply_count, time_control } = game;
  const isBlack = players.black.account === account;
  const board = <MiniBoard fen={fen} last={plies[plies.length - 1]?.uci} bottom={isBlack ? "black" : "white"} />;
  const [top, bottom] = isBlack ? [players.white, players.black] : [players.black, players.white];
  return (
    <WatchLink
      game={game.game}
      top={top}
      bottom={bottom}
      flipped={isBlack}
      board={board}
      terms={showControl(text, time_control)}
      plies={ply_count}
    />
  );
}
