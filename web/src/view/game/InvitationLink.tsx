/** The link of an invitation: to read, to share, to copy, and as a QR code; and until when it leads to a game. */
import type { Challenge } from "#protocol";
import { useApp, useText } from "../context";
import { CopyButton } from "../CopyButton";
import { showHour } from "../locale";
import { QrCode } from "../QrCode";

export function InvitationLink({ challenge }: { challenge: Challenge }) {
  const text = useText();
  const url = linkOf(challenge);
  const canShare = "share" in navigator;
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
        {canShare && (
          <button
            type="button"
            class="primary big"
            onClick={() => void navigator.share({ url }).catch(() => undefined)}
          >
            {text.challenge.share}
          </button>
        )}
        <CopyButton label={text.challenge.copy} value={url} primary={!canShare} icon />
      </div>
      {!challenge.seek && <OpenUntil challenge={challenge} />}
    </>
  );
}

/** For somebody beside the owner, so it comes after what the owner presses. */
export function InvitationCode({ challenge }: { challenge: Challenge }) {
  const text = useText().challenge;
  return (
    <figure class="scan">
      <QrCode value={linkOf(challenge)} label={text.qr} />
      <figcaption class="quiet">{text.scan}</figcaption>
    </figure>
  );
}

export const linkOf = (challenge: Challenge): string => `${location.origin}/${challenge.challenge}`;

interface OpenProps {
  readonly challenge: Challenge;
  /** The one player who can accept it, as far as the name is known. */
  readonly by?: string | null;
}

/** For the owner: until when it is open, and what happens while they are away. */
export function OpenUntil({ challenge, by = null }: OpenProps) {
  const text = useText();
  const endsAt = useApp().endsAt[challenge.challenge];
  return (
    <div class="quiet">
      {endsAt !== undefined && <p>{text.challenge.until(showHour(text.tag, endsAt))}</p>}
      <p>{text.challenge.keep(by, challenge.time_control.kind === "clock")}</p>
    </div>
  );
}
