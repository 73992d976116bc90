/**
 * The home page: what waits for oneself, ways to play, open games, games in progress, and one's own.
 *
 * Only arranges; each part is a file beside this one. The lobby is shown only while this page is.
 */
import { useEffect } from "preact/hooks";
import { useApp, useText } from "../context";
import { Calls } from "./Calls";
import { CommandLine } from "./CommandLine";
import { Featured, LiveBoards } from "./Live";
import { OwnGames } from "./OwnGames";
import { Play } from "./Play";
import { Seeks } from "./Seeks";
import { YourCalls } from "./YourCalls";

export function Home() {
  const app = useApp();
  const text = useText();
  const calls = Object.values(app.challenges).filter((challenge) => challenge.by.account !== app.account);
  useEffect(() => {
    document.title = (calls.length ? `(${calls.length}) ` : "") + text.site.title;
  }, [text, calls.length]);
  return (
    <main id="content" class="home">
      <div class="lead">
        <h1>{text.home.headline}</h1>
        <p>{text.home.lead}</p>
      </div>
      <Calls calls={calls} />
      <div class="column">
        <Play />
        <Seeks />
      </div>
      <div class="column">
        <Featured />
      </div>
      <div class="column">
        <OwnGames />
        <YourCalls />
        <LiveBoards />
        <CommandLine />
      </div>
    </main>
  );
}
