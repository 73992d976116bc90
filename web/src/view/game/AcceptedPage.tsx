/** Before a game that was accepted while the player who offers it was away: it waits until both are here. */
import type { Challenge, PlayerView } from "#protocol";
import { useApp, useStore, useText } from "../context";
import { HomeLink } from "../HomeLink";
import { Terms } from "./ChallengePage";

export function AcceptedPage({ challenge, by }: { challenge: Challenge; by: PlayerView }) {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const about = { challenge: challenge.challenge };
  const isOwn = challenge.by.account === app.account;
  if (!isOwn && by.account !== app.account) {
    return (
      <main id="content" class="narrow card">
        <h1>{text.challenge.invitedBy(challenge.by.name)}</h1>
        <p>{text.codes.challenge_taken}</p>
        <HomeLink>{text.site.toHome}</HomeLink>
      </main>
    );
  }
  return (
    <main id="content" class="narrow card waiting">
      <h1>{isOwn ? text.challenge.acceptedBy(by.name) : text.challenge.waitsFor(challenge.by.name)}</h1>
      <Terms challenge={challenge} viewer={isOwn ? "owner" : "joiner"} />
      <p>{text.challenge.whenBothAreHere}</p>
      <div class="row">
        <button type="button" class="primary" onClick={() => store.acceptChallenge(challenge.challenge)}>
          {text.challenge.begin}
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => store.send(isOwn ? { t: "cancel_challenge", d: about } : { t: "decline_challenge", d: about })}
        >
          {text.challenge.cancel}
        </button>
      </div>
      <HomeLink>{text.site.toHome}</HomeLink>
    </main>
  );
}
