/**
 * The home page: what to do first, what waits for an answer, ways to play, open games, players, games in progress, games that
 * are over, and last what is different here.
 *
 * Only arranges its parts, in columns that are read one after the other. In one column all that is live stands before what is
 * over and before the ways to other pages; where there are more, some of the parts have places of their own. The lobby is
 * subscribed to while this page is shown.
 */
import { useEffect, useState } from "preact/hooks";
import { seatOf } from "zeitnot-client";
import { incomingTo, putAway, runningGame } from "../../state/calls";
import { othersOf, toWatch } from "../../state/lobby";
import { nobodyWaits } from "../../state/pairing";
import { useApp, useText } from "../context";
import { PageLink } from "../HomeLink";
import { useMedia } from "../media";
import { EndedChallenges } from "./EndedChallenges";
import { IncomingChallenges } from "./IncomingChallenges";
import { CommandLine } from "./CommandLine";
import { FindPlayer } from "./FindPlayer";
import { FollowedPlayers } from "./FollowedPlayers";
import { Featured, LiveBoards } from "./Live";
import { useLarge } from "./large";
import { LatestGames } from "./LatestGames";
import { OwnLine } from "./OwnLine";
import { GamesInProgress, UnseenEnds } from "./OwnGames";
import { FIRST_FORM, Play, type Way } from "./Play";
import { RecentGames } from "./RecentGames";
import { useRecentGames } from "./recent";
import { SetsApart } from "./SetsApart";
import { Seeks } from "./Seeks";
import { Start } from "./Start";
import { OwnChallenges } from "./OwnChallenges";

/** Three columns, and one, as in `style/home.css`. */
const THREE_COLUMNS = "(min-width: 72rem)";
const ONE_COLUMN = "(max-width: 33.99rem), (max-width: 45.99rem) and (min-height: 36rem)";

/** So many own games in progress have room above what else stands in the third column. */
const FEW = 3;

export function Home() {
  const app = useApp();
  const text = useText();
  const challenges = putAway(app);
  const waiting = incomingTo(app).length;
  useEffect(() => {
    document.title = (waiting ? `(${waiting}) ` : "") + text.site.title;
  }, [text, waiting]);
  const own = Object.values(app.games).filter((game) => seatOf(game, app.account) !== null);
  const recent = useRecentGames();
  const large = useLarge();
  const isNew = app.people.kind !== "registered" || recent.isNone;
  const [way, setWay] = useState<Way>("quick");
  const [form, setForm] = useState(FIRST_FORM);
  const isOneColumn = useMedia(ONE_COLUMN);
  const isThreeColumns = useMedia(THREE_COLUMNS);
  const begin = (hasOtherClock: boolean): void => {
    setForm({ n: form.n + 1, hasOtherClock });
    setWay("custom");
  };
  const show = (next: Way): void => {
    if (next === "custom" && form.n === 0) begin(false);
    else setWay(next);
  };
  const told = Object.keys(app.kept).filter((id) => app.gone[id]?.code);
  const unseen = own.filter((game) => app.endedAway[game.id]);
  // The way back to one of them is the first thing to do, and stands in `Start`.
  const running = runningGame(app);
  const others = own.filter((game) => game.phase !== "ended" && game.id !== running?.id);
  const inProgress = <GamesInProgress games={others} account={app.account} />;
  // A few stand beside the rest, where they push nothing down.
  const isStrip = !isThreeColumns || others.length > FEW;
  const isBusy = challenges.length + told.length + unseen.length + (isStrip ? others.length : 0) > 0;
  const people = (
    <>
      <OwnChallenges />
      <FollowedPlayers />
    </>
  );
  const waysOn = (
    <>
      <FindPlayer />
      <PageLink class="all-games" to={{ at: "games" }}>
        {text.archive.all}
      </PageLink>
      <CommandLine />
    </>
  );
  return (
    <main id="content" class="home">
      <div class="lead">
        <h1>{text.home.headline}</h1>
        {app.people.kind === "registered" && app.account !== null ? (
          <OwnLine account={app.account} />
        ) : (
          <p>
            <span class="lead-how">{text.home.lead}</span> <span>{text.home.noAccount}</span>
          </p>
        )}
        <Here />
      </div>
      <Start isCustom={way === "custom"} />
      {isBusy && (
        <div class="now-strip">
          <IncomingChallenges challenges={challenges} />
          <EndedChallenges ids={told} />
          <UnseenEnds games={unseen} account={app.account} />
          {isStrip && inProgress}
        </div>
      )}
      <div class="column">
        <Play way={way} setWay={show} form={form} begin={begin} />
        <Seeks />
        {isOneColumn ? people : waysOn}
        {isOneColumn && <RecentGames {...recent} />}
      </div>
      <div class="column">
        <Featured large={large} />
        {!isThreeColumns && <LiveBoards {...large} />}
      </div>
      <div class="column">
        {!isStrip && inProgress}
        {!isOneColumn && people}
        {isThreeColumns && <LiveBoards {...large} />}
        {isOneColumn ? waysOn : <RecentGames {...recent} />}
        <LatestGames />
        {isNew && <SetsApart />}
      </div>
    </main>
  );
}

/**
 * How many others are here, and how many games they play, whose players may be elsewhere for a moment; or that nobody waits.
 *
 * The server counts accounts, which a visitor has none of before the first game: nobody is never said to be here.
 */
function Here() {
  const others = useApp(othersOf);
  const live = useApp((app) => toWatch(app).total);
  const isQuiet = useApp((app) => app.lobby !== null && nobodyWaits(app)) && live === 0;
  const { home, lobby } = useText();
  const words = [others && home.here(others), live && lobby.liveTotal(live), isQuiet && home.nobodyWaits(!others)];
  // Its line is there before it is known, so that nothing moves under a finger.
  return <p class="here">{words.filter(Boolean).join(" · ") || "\u00a0"}</p>;
}
