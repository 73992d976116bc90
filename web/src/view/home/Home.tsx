/**
 * The home page: what to do first, incoming challenges, own games, ways to play, open games, games in progress.
 *
 * Only arranges its parts. The lobby is subscribed to while this page is shown.
 */
import { useEffect, useState } from "preact/hooks";
import { seatOf } from "zeitnot-client";
import type { Audience } from "../../state/setup";
import { useApp, useText } from "../context";
import { PageLink } from "../HomeLink";
import { EndedChallenges } from "./EndedChallenges";
import { IncomingChallenges } from "./IncomingChallenges";
import { CommandLine } from "./CommandLine";
import { FollowedPlayers } from "./FollowedPlayers";
import { Featured, LiveBoards } from "./Live";
import { EndedGames, GamesInProgress, UnseenEnds } from "./OwnGames";
import { Play, type Way } from "./Play";
import { SetsApart } from "./SetsApart";
import { Seeks } from "./Seeks";
import { Start } from "./Start";
import { WithOthers } from "./WithOthers";
import { OwnChallenges } from "./OwnChallenges";

export function Home() {
  const app = useApp();
  const text = useText();
  const challenges = Object.values(app.challenges).filter(
    (challenge) => challenge.by.account !== app.account && !challenge.accepted_by,
  );
  useEffect(() => {
    document.title = (challenges.length ? `(${challenges.length}) ` : "") + text.site.title;
  }, [text, challenges.length]);
  const own = Object.values(app.games).filter((game) => seatOf(game, app.account) !== null);
  const [way, setWay] = useState<Way>("quick");
  // Each choice starts a new form, preset for that audience.
  const [begun, setBegun] = useState<{ readonly audience: Audience; readonly n: number }>({ audience: "link", n: 0 });
  const begin = (audience: Audience): void => {
    setBegun({ audience, n: begun.n + 1 });
    setWay("custom");
  };
  const told = Object.keys(app.kept).filter((id) => app.gone[id]?.code);
  const unseen = own.filter((game) => app.endedAway[game.id]);
  const isBusy = challenges.length + told.length + unseen.length > 0 || own.some((game) => game.phase !== "ended");
  return (
    <main id="content" class="home">
      <div class="lead">
        <h1>{text.home.headline}</h1>
        <p>{text.home.lead}</p>
        <Here />
      </div>
      <Start withFriend={() => begin("link")} />
      {/* Its line is there before the account is known, so that nothing moves under a finger. */}
      <p class="own-finished">
        {app.account === null ? (
          "\u00a0"
        ) : (
          <PageLink to={{ at: "player", who: app.account }}>{text.archive.own}</PageLink>
        )}
      </p>
      {isBusy && (
        <div class="now-strip">
          <IncomingChallenges challenges={challenges} />
          <EndedChallenges ids={told} />
          <UnseenEnds games={unseen} account={app.account} />
          <GamesInProgress games={own} account={app.account} />
        </div>
      )}
      <div class="column">
        <Play way={way} setWay={setWay} audience={begun.audience} formKey={begun.n} />
        <Seeks />
      </div>
      <div class="column">
        <Featured />
      </div>
      <div class="column">
        <WithOthers begin={begin} />
        <OwnChallenges />
        <FollowedPlayers />
        <EndedGames games={own} account={app.account} />
        <LiveBoards />
        <SetsApart />
        <CommandLine />
      </div>
    </main>
  );
}

/** How many people are here. Whoever only looks has no account, and is not counted. */
function Here() {
  const here = useApp((app) => app.lobby?.here);
  const live = useApp((app) => app.lobby?.live.total ?? 0);
  const others = useApp((app) => (app.lobby?.here ?? 0) - (app.account === null ? 0 : 1));
  const text = useText();
  const people = here === undefined ? "" : others > 0 ? text.home.here(here) : text.home.nobodyElse;
  // Its line is there before it is known, so that nothing moves under a finger.
  return <p class="here">{live > 0 ? `${people} · ${text.lobby.liveTotal(live)}` : people || "\u00a0"}</p>;
}
