/** An invitation that is open no more, or never was: why, and the same once more in one tap. */
import { useEffect } from "preact/hooks";
import { againOf } from "../../state/invitations";
import { FIRST_SETUP, challengeOf } from "../../state/setup";
import { useApp, useStore, useText } from "../context";
import { HomeLink } from "../HomeLink";
import { useNameOf } from "../home/OwnChallenges";
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
  // Whoever may not accept it may not make it again either.
  const isForOthers = !isOwn && terms?.to !== undefined && terms.to !== app.account;
  return (
    <main id="content" class="narrow card">
      <h1>{code === null ? (terms ? closed : gone) : (isOwn ? ended.own : ended.others)[code]}</h1>
      {code === null && <p>{terms ? closedText : goneText}</p>}
      {reason !== undefined && reason !== "no" && isOwn && (
        <p>{text.lobby.declinedText(name, text.lobby.reasons[reason])}</p>
      )}
      {terms && !isForOthers && (
        <>
          <Terms challenge={terms} viewer={isOwn ? "owner" : "joiner"} />
          {rival !== null && isOwn && reason === undefined && <p>{text.challenge.wentTo(name)}</p>}
          {rival === null && !isOwn && <p>{text.challenge.againYours}</p>}
          <button
            type="button"
            class="primary big"
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
      <HomeLink>{text.site.toHome}</HomeLink>
    </main>
  );
}
