/** An invitation that is open no more, or never was: why, and the same once more in one tap, or to the same player with other terms. */
import { useEffect, useState } from "preact/hooks";
import type { AccountId, Challenge, Player } from "#protocol";
import { getJson } from "../../net/api";
import { againOf } from "../../state/invitations";
import { FIRST_SETUP, challengeOf, setupOfChallenge } from "../../state/setup";
import { showOwnEnd } from "../../text/words";
import { useApp, useStore, useText } from "../context";
import { HomeLink } from "../HomeLink";
import { useNameOf } from "../home/OwnChallenges";
import { ChallengeDialog } from "../people/ChallengeDialog";
import { useOpened } from "../fetched";
import { Terms } from "./ChallengePage";

export function EndedChallengePage({ id }: { id: string }) {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const { code = null, terms = null, reason } = app.gone[id] ?? {};
  const isOwn = terms !== null && terms.by.account === app.account;
  const name = useNameOf(isOwn ? terms.to : undefined);
  const rival = terms?.to === undefined ? null : isOwn ? name : terms.by.name;
  useEffect(() => store.told(id), [id, code]);
  // Of an invitation that one has seen open no link is incomplete.
  const { ended, closed, closedText, gone, goneText } = text.challenge;
  const isDeclined = isOwn && rival !== null && code === "challenge_declined";
  // Whoever may not accept it may not make it again either.
  const isForOthers = !isOwn && terms?.to !== undefined && terms.to !== app.account;
  return (
    <main id="content" class="narrow card">
      <h1>
        {code === null
          ? terms
            ? closed
            : gone
          : isOwn
            ? showOwnEnd(text, { code, reason }, rival)
            : ended.others[code]}
      </h1>
      {code === null && <p>{terms ? closedText : goneText}</p>}
      {terms && !isForOthers && (
        <>
          <Terms challenge={terms} viewer={isOwn ? "owner" : "late"} />
          {rival !== null && isOwn && !isDeclined && <p>{text.challenge.wentTo(name)}</p>}
          {rival === null && !isOwn && (
            <p>
              {(code === "challenge_cancelled" ? `${text.challenge.replaced(terms.by.name)} ` : "") +
                text.challenge.againYours}
            </p>
          )}
          {isOwn && terms.to !== undefined && <ChangeTerms to={terms.to} terms={terms} isFirst={isDeclined} />}
          <button
            type="button"
            class={isDeclined ? "big" : "primary big"}
            onClick={() => store.send({ t: "create_challenge", d: againOf(terms, app.account) })}
          >
            {rival === null
              ? text.challenge.again
              : (isOwn ? text.challenge.againTo : text.lobby.challengePlayer)(rival)}
          </button>
        </>
      )}
      {!terms && code !== null && (
        <>
          <p>{text.challenge.newText}</p>
          <button
            type="button"
            class="primary big"
            onClick={() => store.send({ t: "create_challenge", d: challengeOf(FIRST_SETUP) })}
          >
            {text.challenge.newOne}
          </button>
        </>
      )}
      {isDeclined ? (
        <HomeLink class="button big">{text.challenge.somebodyElse}</HomeLink>
      ) : (
        <HomeLink>{text.site.toHome}</HomeLink>
      )}
    </main>
  );
}

interface ChangeTermsProps {
  readonly to: AccountId;
  readonly terms: Challenge;
  /** Whether it is the first thing to do. */
  readonly isFirst: boolean;
}

/** Opens the form for a challenge to the same player, as it was. */
function ChangeTerms({ to, terms, isFirst }: ChangeTermsProps) {
  const text = useText();
  const [isOpen, open] = useState(false);
  return (
    <>
      <button type="button" class={isFirst ? "primary big" : "big"} aria-haspopup="dialog" onClick={() => open(true)}>
        {text.challenge.changeTerms}
      </button>
      {isOpen && <ChangedTerms to={to} terms={terms} close={() => open(false)} />}
    </>
  );
}

function ChangedTerms({ to, terms, close }: Omit<ChangeTermsProps, "isFirst"> & { close(): void }) {
  const player = useOpened(() => getJson<Player>(`/api/players/${to}`), to, close);
  return player && <ChallengeDialog player={player} first={setupOfChallenge(terms)} close={close} />;
}
