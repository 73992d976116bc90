/**
 * Before a game: waiting with a link to send, and an invitation.
 *
 * The terms are requested from the server and shown before anybody joins.
 */
import { useState } from "preact/hooks";
import type { Challenge } from "#protocol";
import { type Viewer, termsOf } from "../../text/terms";
import { NotifyMe } from "../calls/NotifyMe";
import { useApp, useStore, useText } from "../context";
import { ChallengeAnswer } from "../home/IncomingChallenges";
import { useNameOf } from "../home/OwnChallenges";
import { HomeLink } from "../HomeLink";
import { PlayerLink } from "../PlayerLink";
import { InvitationLink, OpenUntil } from "./InvitationLink";
import { showHour } from "../locale";

export function Waiting({ challenge }: { challenge: Challenge }) {
  const store = useStore();
  const text = useText();
  return (
    <main id="content" class="narrow card waiting">
      <h1>{text.challenge.title}</h1>
      <Terms challenge={challenge} viewer="owner" />
      {challenge.to === undefined ? (
        <InvitationLink challenge={challenge} />
      ) : (
        <OnlyFor challenge={challenge} account={challenge.to} />
      )}
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

function OnlyFor({ challenge, account }: { challenge: Challenge; account: string }) {
  const text = useText();
  const name = useNameOf(account);
  return (
    <>
      <p>{text.lobby.onlyFor(name)}</p>
      <OpenUntil challenge={challenge} />
    </>
  );
}

export function Terms({ challenge, viewer }: { challenge: Challenge; viewer: Viewer }) {
  const text = useText();
  const { profile } = challenge.options;
  return (
    <>
      <p class="terms">{termsOf(text, challenge, viewer)}</p>
      {viewer === "joiner" && profile !== "fide_online" && <p class="quiet">{text.profiles[profile].about}</p>}
      {challenge.fen !== undefined && <p class="quiet fen">{challenge.fen}</p>}
    </>
  );
}

/** An invitation: `challenge` is null when its terms could not be read. */
export function Invitation({ id, challenge }: { id: string; challenge: Challenge | null }) {
  const app = useApp();
  const text = useText();
  const endsAt = app.endsAt[id];
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
      {endsAt !== undefined && <p class="quiet">{text.challenge.until(showHour(text.tag, endsAt))}</p>}
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
