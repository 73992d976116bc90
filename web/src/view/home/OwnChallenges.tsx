/** Own challenges: open ones, to view or to withdraw, and the reasons of declined ones. */
import { useEffect } from "preact/hooks";
import type { AccountId, Challenge } from "#protocol";
import type { Declined } from "../../state/people";
import { termsOf } from "../../text/terms";
import { useApp, useStore, useText } from "../context";
import { PageLink } from "../HomeLink";

export function OwnChallenges() {
  const app = useApp();
  const text = useText();
  // Seeks are in the lobby's list.
  const open = Object.values(app.challenges).filter(
    (challenge) => challenge.by.account === app.account && !challenge.seek,
  );
  const { declined } = app.people;
  if (open.length + declined.length === 0) return null;
  return (
    <section class="card" aria-label={text.lobby.ownChallenges}>
      <h2>{text.lobby.ownChallenges}</h2>
      <ul class="list">
        {open.map((challenge) => (
          <OpenCall key={challenge.challenge} challenge={challenge} />
        ))}
        {declined.map((one) => (
          <DeclinedCall key={one.challenge.challenge} declined={one} />
        ))}
      </ul>
    </section>
  );
}

/** The name of an account, requested when only the id is known. */
export function useNameOf(account: AccountId | undefined): string {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const name = account === undefined ? undefined : app.people.names[account];
  useEffect(() => {
    if (account !== undefined && name === undefined) store.requestName(account);
  }, [account, name]);
  return name ?? text.lobby.theOther;
}

function OpenCall({ challenge }: { challenge: Challenge }) {
  const store = useStore();
  const text = useText();
  const name = useNameOf(challenge.to);
  const terms = termsOf(text, challenge, "owner");
  return (
    <li class="challenge-row">
      <div class="seek-words">
        <p>
          <PageLink to={{ at: "game", id: challenge.challenge }}>{terms}</PageLink>
        </p>
        <p class="quiet">{challenge.to === undefined ? text.lobby.byLink : text.lobby.to(name)}</p>
      </div>
      <button
        type="button"
        aria-label={text.lobby.withdrawSeek(terms)}
        onClick={() => store.send({ t: "cancel_challenge", d: { challenge: challenge.challenge } })}
      >
        {text.lobby.withdraw}
      </button>
    </li>
  );
}

function DeclinedCall({ declined: { challenge, reason } }: { declined: Declined }) {
  const store = useStore();
  const text = useText();
  const name = useNameOf(challenge.to);
  return (
    <li class="challenge-row">
      <div class="seek-words">
        <p>{text.lobby.declinedBy(name, text.lobby.reasons[reason])}</p>
        <p class="quiet">{termsOf(text, challenge, "owner")}</p>
      </div>
      <button type="button" onClick={() => store.dismissDecline(challenge.challenge)}>
        {text.lobby.dismiss}
      </button>
    </li>
  );
}
