/**
 * On pages other than home: the own game that goes on, and the pool that the player waits in.
 *
 * Over the page, as on the home page: nothing moves when it comes and goes. Not during an own game, where it would be in the
 * way.
 */
import { seatOf } from "zeitnot-client";
import { other } from "../chess/square";
import { runningGame } from "../state/calls";
import { playsHere } from "../state/ownGames";
import { useApp, useText } from "./context";
import { PageLink } from "./HomeLink";
import { WaitingLine, waitingWords } from "./home/WaitingLine";

export function WaitingBar() {
  const app = useApp();
  const text = useText();
  const { route } = app;
  const here = route.at === "game" ? route.id : null;
  if (playsHere(app)) return null;
  const running = runningGame(app, here);
  const seat = running ? seatOf(running, app.account) : null;
  if (!running && !waitingWords(app, text)) return null;
  return (
    <aside class="waiting-bar" aria-label={text.calls.meanwhile}>
      {running && seat && (
        <p>
          <PageLink to={{ at: "game", id: running.id }}>
            {text.calls.running(running.players[other(seat)].name)}
          </PageLink>
        </p>
      )}
      {waitingWords(app, text) && <WaitingLine />}
    </aside>
  );
}
