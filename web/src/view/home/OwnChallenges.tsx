/** Own challenges, and those that were accepted and wait for a player: to view, to send the link again, or to withdraw. */
import { useEffect } from "preact/hooks";
import type { AccountId, Challenge } from "#protocol";
import { termsOf } from "../../text/terms";
import { useApp, useStore, useText } from "../context";
import { CopyButton } from "../CopyButton";
import { linkOf } from "../game/InvitationLink";
import { PageLink } from "../HomeLink";

export function OwnChallenges() {
  const app = useApp();
  const text = useText();
  // Seeks are in the lobby's list.
  const open = Object.values(app.challenges).filter(
    (challenge) => (challenge.by.account === app.account && !challenge.seek) || challenge.accepted_by,
  );
  if (open.length === 0) return null;
  return (
    <section class="card own-challenges" aria-label={text.lobby.ownChallenges}>
      <h2>{text.lobby.ownChallenges}</h2>
      <ul class="list">
        {open.map((challenge) => (
          <OpenCall key={challenge.challenge} challenge={challenge} isOwn={challenge.by.account === app.account} />
        ))}
      </ul>
    </section>
  );
}

/** The name of an account, requested when only the id is known; words in its place until then. */
export function useNameOf(account: AccountId | undefined): string {
  const text = useText();
  return useKnownName(account) ?? text.lobby.theOther;
}

/** The same, and null until the name is known. */
export function useKnownName(account: AccountId | undefined): string | null {
  const app = useApp();
  const store = useStore();
  const name = account === undefined ? undefined : app.people.names[account];
  useEffect(() => {
    if (account !== undefined && name === undefined) store.requestName(account);
  }, [account, name]);
  return name ?? null;
}

function OpenCall({ challenge, isOwn }: { challenge: Challenge; isOwn: boolean }) {
  const store = useStore();
  const text = useText();
  const name = useNameOf(challenge.to);
  const terms = termsOf(text, challenge, isOwn ? "owner" : "joiner");
  const about = { challenge: challenge.challenge };
  const words = challenge.accepted_by
    ? isOwn
      ? text.challenge.acceptedBy(challenge.accepted_by.name)
      : text.challenge.waitsFor(challenge.by.name)
    : challenge.to === undefined
      ? text.lobby.audiences.link
      : name;
  const isLink = challenge.to === undefined && !challenge.accepted_by;
  return (
    <li class="challenge-row">
      <div class="seek-words">
        <p>
          <strong>{words}</strong>
        </p>
        <p>
          <PageLink to={{ at: "game", id: challenge.challenge }}>{terms}</PageLink>
        </p>
      </div>
      <div class="row">
        {isLink && <CopyButton label={text.challenge.copy} value={linkOf(challenge)} />}
        <button
          type="button"
          aria-label={text.lobby.withdrawSeek(terms)}
          onClick={() => store.send(isOwn ? { t: "cancel_challenge", d: about } : { t: "decline_challenge", d: about })}
        >
          {text.lobby.withdraw}
        </button>
      </div>
    </li>
  );
}
