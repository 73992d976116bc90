/**
 * On pages other than home: the pool that the player waits in, and the latest challenge.
 *
 * Hidden during an own game, where the board would jump; there the header has it (`calls/ChallengeToast`).
 */
import { seatOf } from "zeitnot-client";
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
  const [challenge] = challenges.slice(-1);
  if (!challenge && !waitingWords(app, text)) return null;
  return (
    <div class="waiting-bar">
      {waitingWords(app, text) && <WaitingLine />}
      {challenge && (
        <p>
          <PageLink to={{ at: "game", id: challenge.challenge }}>
            {text.lobby.challengedBy(challenge.by.name, termsOf(text, challenge, "joiner"))}
          </PageLink>
        </p>
      )}
    </div>
  );
}
