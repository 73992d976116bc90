/** How own challenges ended, an earlier visit's too: the owner is told once, and may make each again. */
import type { Challenge } from "#protocol";
import { type EndCode, againOf } from "../../state/invitations";
import { termsOf } from "../../text/terms";
import { showOwnEnd } from "../../text/words";
import { useApp, useStore, useText } from "../context";
import { PageLink } from "../HomeLink";
import { useNameOf } from "./OwnChallenges";

export function EndedChallenges({ ids }: { ids: readonly string[] }) {
  const app = useApp();
  const text = useText();
  if (ids.length === 0) return null;
  return (
    <section class="card" aria-label={text.challenge.endedTitle}>
      <h2>{text.challenge.endedTitle}</h2>
      <ul class="list">
        {ids.map((id) => {
          const { code, terms } = app.gone[id] ?? {};
          return code && terms && <Ended key={id} code={code} terms={terms} />;
        })}
      </ul>
    </section>
  );
}

function Ended({ code, terms }: { code: EndCode; terms: Challenge }) {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const name = useNameOf(terms.to);
  const id = terms.challenge;
  const isLink = terms.to === undefined;
  const words = showOwnEnd(text, { code, reason: app.gone[id]?.reason }, isLink ? null : name);
  const isNamed = isLink || code === "challenge_declined";
  const about = [isNamed ? "" : text.lobby.to(name), termsOf(text, terms, "owner")].filter(Boolean).join(" · ");
  const again = isLink ? text.challenge.again : text.challenge.againTo(name);
  return (
    <li class="challenge-row">
      <div class="seek-words">
        <p>
          <PageLink to={{ at: "game", id }}>{words}</PageLink>
        </p>
        <p class="quiet">{about}</p>
      </div>
      <div class="row">
        {code !== "challenge_taken" && (
          <button
            type="button"
            aria-label={`${again}: ${about}`}
            onClick={() => {
              store.told(id);
              store.send({ t: "create_challenge", d: againOf(terms, app.account) });
            }}
          >
            {again}
          </button>
        )}
        <button type="button" aria-label={`${text.lobby.dismiss}: ${about}`} onClick={() => store.told(id)}>
          {text.lobby.dismiss}
        </button>
      </div>
    </li>
  );
}
