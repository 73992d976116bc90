/**
 * Challenges from others that were put away in the header (`ChallengeToast`), to accept, or to decline with a reason. First on
 * the page, because somebody waits.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Challenge, DeclineReason } from "#protocol";
import { isBeingAnswered } from "../../state/openGames";
import { termsOf } from "../../text/terms";
import { useApp, useStore, useText } from "../context";
import { PageLink } from "../HomeLink";
import { PlayerLink } from "../PlayerLink";

export const REASONS: readonly DeclineReason[] = [
  "later",
  "too_fast",
  "too_slow",
  "other_time_control",
  "other_variant",
  "other_rules",
  "other_color",
];

export function IncomingChallenges({ challenges }: { challenges: readonly Challenge[] }) {
  const text = useText();
  if (challenges.length === 0) return null;
  return (
    <section class="card incoming" aria-label={text.lobby.incomingChallenges}>
      <h2>{text.lobby.incomingChallenges}</h2>
      <ul class="list">
        {challenges.map((challenge) => (
          <li key={challenge.challenge} class="challenge-row">
            <div class="seek-words">
              <p>
                <strong>
                  <PlayerLink player={challenge.by} />
                </strong>
              </p>
              <p>
                <PageLink to={{ at: "game", id: challenge.challenge }}>{termsOf(text, challenge, "joiner")}</PageLink>
              </p>
            </div>
            <ChallengeAnswer challenge={challenge} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface AnswerProps {
  readonly challenge: Challenge;
  /** Whether they are what the page is about. */
  readonly isBig?: boolean;
}

/** The answers to a challenge: accept, decline, and decline with a reason, which unfolds the reasons. */
export function ChallengeAnswer({ challenge, isBig = false }: AnswerProps) {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const [asks, setAsks] = useState(false);
  const reasons = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!asks) return;
    // All of them are in sight, and not the one alone that has the focus.
    reasons.current?.querySelector("button")?.focus({ preventScroll: true });
    reasons.current?.scrollIntoView({ block: "nearest" });
  }, [asks]);
  const id = challenge.challenge;
  const isUnderWay = isBeingAnswered(app, id);
  const { name } = challenge.by;
  const decline = (reason?: DeclineReason): void =>
    void store.send({ t: "decline_challenge", d: { challenge: id, ...(reason && { reason }) } });
  return (
    <div class="answer">
      <div class="row">
        <button
          type="button"
          class={isBig ? "primary big grow" : "primary"}
          aria-label={text.lobby.acceptFrom(name)}
          disabled={isUnderWay}
          onClick={() => store.acceptChallenge(id)}
        >
          {text.lobby.accept}
        </button>
        <button
          type="button"
          {...(isBig && { class: "big grow" })}
          aria-label={text.lobby.declineFrom(name)}
          disabled={isUnderWay}
          onClick={() => decline()}
        >
          {text.lobby.decline}
        </button>
        <button
          type="button"
          {...(isBig && { class: "big grow" })}
          aria-expanded={asks}
          disabled={isUnderWay}
          onClick={() => setAsks(!asks)}
        >
          {text.lobby.giveReason}
        </button>
      </div>
      {asks && (
        <div class="reasons" role="group" ref={reasons} aria-label={text.lobby.declineWhy}>
          {REASONS.map((reason) => (
            <button type="button" key={reason} disabled={isUnderWay} onClick={() => decline(reason)}>
              {text.lobby.reasons[reason]}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
