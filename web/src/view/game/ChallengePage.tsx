/**
 * Before a game: waiting with a link to send, an invitation, and an invitation that has ended.
 *
 * The terms are requested from the server and shown before anybody joins.
 */
import { useState } from "preact/hooks";
import { encode } from "uqr";
import type { Challenge } from "#protocol";
import { type Viewer, termsOf } from "../../text/terms";
import { NotifyMe } from "../calls/NotifyMe";
import { useApp, useStore, useText } from "../context";
import { CopyButton } from "../CopyButton";
import { ChallengeAnswer } from "../home/IncomingChallenges";
import { useNameOf } from "../home/OwnChallenges";
import { HomeLink } from "../HomeLink";
import { PlayerLink } from "../PlayerLink";

export function Waiting({ challenge }: { challenge: Challenge }) {
  const store = useStore();
  const text = useText();
  return (
    <main id="content" class="narrow card waiting">
      <h1>{text.challenge.title}</h1>
      <Terms challenge={challenge} viewer="owner" />
      {challenge.to === undefined ? <LinkToSend challenge={challenge} /> : <OnlyFor account={challenge.to} />}
      <NotifyMe />
      <button
        type="button"
        class="danger"
        onClick={() => store.send({ t: "cancel_challenge", d: { challenge: challenge.challenge } })}
      >
        {text.challenge.cancel}
      </button>
    </main>
  );
}

function OnlyFor({ account }: { account: string }) {
  const text = useText();
  const name = useNameOf(account);
  return (
    <>
      <p>{text.lobby.onlyFor(name)}</p>
      <p class="quiet">{text.challenge.keep}</p>
    </>
  );
}

function LinkToSend({ challenge }: { challenge: Challenge }) {
  const text = useText();
  const url = `${location.origin}/${challenge.challenge}`;
  return (
    <>
      <p>{challenge.seek ? text.lobby.seekText : text.challenge.text}</p>
      <div class="row">
        <input
          class="grow"
          type="text"
          readOnly
          value={url}
          aria-label={text.challenge.link}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton label={text.challenge.copy} value={url} primary />
      </div>
      {"share" in navigator && (
        <button type="button" onClick={() => void navigator.share({ url }).catch(() => undefined)}>
          {text.challenge.share}
        </button>
      )}
      <QrCode url={url} label={text.challenge.qr} />
      {!challenge.seek && <p class="quiet">{text.challenge.keep}</p>}
    </>
  );
}

export function Terms({ challenge, viewer }: { challenge: Challenge; viewer: Viewer }) {
  const text = useText();
  return (
    <>
      <p class="terms">{termsOf(text, challenge, viewer)}</p>
      {viewer === "joiner" && <p class="quiet">{text.profiles[challenge.options.profile].about}</p>}
      {challenge.fen !== undefined && <p class="quiet fen">{challenge.fen}</p>}
    </>
  );
}

function QrCode({ url, label }: { url: string; label: string }) {
  const { data, size } = encode(url, { ecc: "M", border: 2 });
  const dots = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={dots.join("")} fill="#000" />
    </svg>
  );
}

/** An invitation: `challenge` is null when its terms could not be read. */
export function Invitation({ id, challenge }: { id: string; challenge: Challenge | null }) {
  const app = useApp();
  const text = useText();
  const mine = challenge?.to !== undefined && challenge.to === app.account;
  return (
    <main id="content" class="narrow card">
      <h1>{challenge ? text.challenge.invitedBy(challenge.by.name) : text.challenge.invited}</h1>
      {challenge ? <Terms challenge={challenge} viewer="joiner" /> : <p>{text.challenge.invitedText}</p>}
      {challenge && (
        <p class="quiet">
          <PlayerLink player={challenge.by} />
        </p>
      )}
      {mine ? (
        <ChallengeAnswer challenge={challenge} />
      ) : challenge?.to === undefined ? (
        <Join id={id} />
      ) : (
        <p>{text.codes.not_for_you}</p>
      )}
      <HomeLink>{text.site.toHome}</HomeLink>
    </main>
  );
}

function Join({ id }: { id: string }) {
  const store = useStore();
  const app = useApp();
  const text = useText();
  const [asked, setAsked] = useState(false);
  const joining = asked && app.link.outbox.some((pending) => pending.message.t === "accept_challenge");
  const join = (): void => {
    setAsked(true);
    store.acceptChallenge(id);
  };
  return (
    <button type="button" class="primary big" aria-disabled={joining} onClick={() => !joining && join()}>
      {joining ? text.challenge.joining : text.challenge.join}
    </button>
  );
}

/** Neither game nor invitation; or an own challenge that was declined. */
export function Gone({ id }: { id: string }) {
  const app = useApp();
  const text = useText();
  const declined = app.people.declined.find((one) => one.challenge.challenge === id);
  const name = useNameOf(declined?.challenge.to);
  return (
    <main id="content" class="narrow card">
      <h1>{declined ? text.lobby.declinedTitle : text.challenge.gone}</h1>
      <p>{declined ? text.lobby.declinedText(name, text.lobby.reasons[declined.reason]) : text.challenge.goneText}</p>
      <HomeLink>{text.site.toHome}</HomeLink>
    </main>
  );
}
