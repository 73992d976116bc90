/** The link of an invitation: to read, to copy, to share and as a QR code; and until when it leads to a game. */
import type { Challenge } from "#protocol";
import { useApp, useText } from "../context";
import { CopyButton } from "../CopyButton";
import { showHour } from "../locale";
import { QrCode } from "../QrCode";

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
      <div class="row link-ways">
        <CopyButton label={text.challenge.copy} value={url} primary icon />
        {"share" in navigator && (
          <button type="button" class="big" onClick={() => void navigator.share({ url }).catch(() => undefined)}>
            {text.challenge.share}
          </button>
        )}
      </div>
      <QrCode value={url} label={text.challenge.qr} />
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
