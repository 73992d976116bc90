/**
 * Before a game: waiting with a link to send, being invited, and an invitation that is no more.
 *
 * What an invitation's terms are is shown where the server says them: to its owner and to the one it is addressed to.
 */
import { useState } from "preact/hooks";
import { encode } from "uqr";
import type { Challenge } from "#protocol";
import type { Catalogue } from "../../text";
import { showControl } from "../../text/words";
import { useApp, useStore, useText } from "../context";
import { CopyButton } from "../CopyButton";
import { HomeLink } from "../HomeLink";

export function Waiting({ challenge }: { challenge: Challenge }) {
  const store = useStore();
  const text = useText();
  const url = `${location.origin}/${challenge.challenge}`;
  return (
    <main id="content" class="narrow card waiting">
      <h1>{text.challenge.title}</h1>
      <Terms challenge={challenge} />
      <p>{text.challenge.text}</p>
      <div class="row">
        <input class="grow" type="text" readOnly value={url} aria-label={text.challenge.link} onFocus={(event) => event.currentTarget.select()} />
        <CopyButton label={text.challenge.copy} value={url} primary />
      </div>
      {"share" in navigator && (
        <button type="button" onClick={() => void navigator.share({ url }).catch(() => undefined)}>
          {text.challenge.share}
        </button>
      )}
      <QrCode url={url} label={text.challenge.qr} />
      <p class="quiet">{text.challenge.keep}</p>
      <button type="button" class="danger" onClick={() => store.send({ t: "cancel_challenge", d: { challenge: challenge.challenge } })}>
        {text.challenge.cancel}
      </button>
    </main>
  );
}

export function termsOf(text: Catalogue, challenge: Challenge): string {
  const color = challenge.color === null ? text.home.random : text.sides[challenge.color];
  const variant = challenge.variant === "chess960" ? "Chess960" : "";
  return [showControl(text, challenge.time_control), color, text.profiles[challenge.options.profile].name, variant].filter(Boolean).join(" · ");
}

function Terms({ challenge }: { challenge: Challenge }) {
  const text = useText();
  return (
    <>
      <p class="terms">{termsOf(text, challenge)}</p>
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

export function Invitation({ id, challenge }: { id: string; challenge: Challenge | null }) {
  const store = useStore();
  const app = useApp();
  const text = useText();
  const [asked, setAsked] = useState(false);
  const joining = asked && app.link.outbox.some((pending) => pending.message.t === "accept_challenge");
  const join = (): void => {
    setAsked(true);
    store.send({ t: "accept_challenge", d: { challenge: id } });
  };
  return (
    <main id="content" class="narrow card">
      <h1>{challenge ? text.challenge.invitedBy(challenge.by.name) : text.challenge.invited}</h1>
      {challenge ? <Terms challenge={challenge} /> : <p>{text.challenge.invitedText}</p>}
      <button type="button" class="primary big" aria-disabled={joining} onClick={() => !joining && join()}>
        {joining ? text.challenge.joining : text.challenge.join}
      </button>
      <HomeLink>{text.site.toHome}</HomeLink>
    </main>
  );
}

export function Gone() {
  const text = useText();
  return (
    <main id="content" class="narrow card">
      <h1>{text.challenge.gone}</h1>
      <p>{text.challenge.goneText}</p>
      <HomeLink>{text.site.toHome}</HomeLink>
    </main>
  );
}
