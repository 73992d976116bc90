/**
 * On pages other than home: the own game that goes on, the pool that the player waits in, and the latest challenge.
 *
 * Hidden during an own game, where the board would jump; there, and beside an analysis, the header has the challenge
 * (`calls/ChallengeToast`).
 */
import { seatOf } from "zeitnot-client";
import { other } from "../chess/square";
import { useApp, useText } from "./context";
import { PageLink } from "./HomeLink";
import { WaitingLine, waitingWords } from "./home/WaitingLine";
import { termsOf } from "../text/terms";

export function WaitingBar() {
  const app = useApp();
  const text = useText();
  const { route } = app;
  const here = route.at === "game" ? route.id : null;
  const game = here === null ? undefined : app.games[here];
  if (game && game.phase !== "ended" && seatOf(game, app.account) !== null) return null;
  const challenges = Object.values(app.challenges).filter(
    (one) => one.by.account !== app.account && one.challenge !== here && one.rematch_of !== here,
  );
  const [challenge] = route.at === "analysis" ? [] : challenges.slice(-1);
  const running = Object.values(app.games).find(
    (one) =>
      one.id !== here && one.phase !== "ended" && one.control.kind === "clock" && seatOf(one, app.account) !== null,
  );
  const seat = running ? seatOf(running, app.account) : null;
  if (!challenge && !running && !waitingWords(app, text)) return null;
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
      {challenge && (
        <p>
          <PageLink to={{ at: "game", id: challenge.challenge }}>
            {text.lobby.challengedBy(challenge.by.name, termsOf(text, challenge, "joiner"))}
          </PageLink>
        </p>
      )}
    </aside>
  );
}
