/** The open games of the lobby, where there are any: one tap joins, own ones are marked and can be withdrawn. */
import type { Challenge } from "#protocol";
import { speedOf } from "../../state/lobby";
import { isBeingAnswered } from "../../state/openGames";
import { detailsOf, showRated, termsOf } from "../../text/terms";
import { showControl } from "../../text/words";
import { useApp, useStore, useText } from "../context";
import { PlayerLink } from "../PlayerLink";

export function Seeks() {
  const app = useApp();
  const text = useText();
  const seeks = app.lobby?.seeks ?? [];
  if (seeks.length === 0) return null;
  return (
    <section class="card seeks" aria-labelledby="seeks-title">
      <h2 id="seeks-title">{text.lobby.seeks}</h2>
      <ul class="list scrolls">
        {[...seeks].reverse().map((seek) => (
          <Seek key={seek.challenge} seek={seek} />
        ))}
      </ul>
    </section>
  );
}

function Seek({ seek }: { seek: Challenge }) {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const isMine = seek.by.account === app.account;
  const isUnderWay = isBeingAnswered(app, seek.challenge);
  const terms = termsOf(text, seek, isMine ? "owner" : "joiner");
  return (
    <li class={isMine ? "seek mine" : "seek"}>
      <div class="seek-words">
        <p>
          <strong>{showControl(text, seek.time_control)}</strong>{" "}
          <span class="quiet">
            {[
              showRated(text, seek.rated),
              text.lobby.speeds[speedOf(seek.time_control)],
              seek.variant === "chess960" ? text.lobby.chess960 : "",
            ]
              .filter(Boolean)
              .join(" · ")}
          </span>
        </p>
        <p class="quiet">
          {isMine ? <span class="mine-mark">{text.lobby.yourSeek}</span> : <PlayerLink player={seek.by} />} ·{" "}
          {detailsOf(text, seek, isMine ? "owner" : "joiner")}
        </p>
      </div>
      {isMine ? (
        <button
          type="button"
          aria-label={text.lobby.withdrawSeek(terms)}
          disabled={isUnderWay}
          onClick={() => store.send({ t: "cancel_challenge", d: { challenge: seek.challenge } })}
        >
          {text.lobby.withdraw}
        </button>
      ) : (
        <button
          type="button"
          class="primary"
          aria-label={text.lobby.joinSeek(seek.by.name, terms)}
          disabled={isUnderWay}
          onClick={() => store.acceptChallenge(seek.challenge)}
        >
          {text.lobby.join}
        </button>
      )}
    </li>
  );
}
