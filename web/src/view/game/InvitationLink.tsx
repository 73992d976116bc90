/** The link of an invitation: to read, to copy, to share and as a QR code; and until when it leads to a game. */
import { encode } from "uqr";
import type { Challenge } from "#protocol";
import { useApp, useText } from "../context";
import { CopyButton } from "../CopyButton";
import { showHour } from "../locale";

export function InvitationLink({ challenge }: { challenge: Challenge }) {
  const text = useText();
  const url = `${location.origin}/${challenge.challenge}`;
  return (
    <>
      <p>{challenge.seek ? text.lobby.seekText : text.challenge.text}</p>
      <p class="link-field">
        <span class="visually-hidden">{text.challenge.link}: </span>
        {/* One click selects all of it. The code is what differs from link to link, so it stands out and is whole. */}
        <span class="link-text">
          <span class="link-host">{location.origin}/</span>
          <wbr />
          <strong>{challenge.challenge}</strong>
        </span>
      </p>
      <div class="row">
        <CopyButton label={text.challenge.copy} value={url} primary />
        {"share" in navigator && (
          <button type="button" onClick={() => void navigator.share({ url }).catch(() => undefined)}>
            {text.challenge.share}
          </button>
        )}
      </div>
      <QrCode url={url} label={text.challenge.qr} />
      {!challenge.seek && <OpenUntil challenge={challenge} />}
    </>
  );
}

/** For the owner: until when it is open, and what happens while they are away. */
export function OpenUntil({ challenge }: { challenge: Challenge }) {
  const text = useText();
  const endsAt = useApp().endsAt[challenge.challenge];
  return (
    <div class="quiet">
      {endsAt !== undefined && <p>{text.challenge.until(showHour(text.tag, endsAt))}</p>}
      <p>{text.challenge.keep}</p>
    </div>
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
