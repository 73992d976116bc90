/**
 * Before a game: waiting with a link to send, and a challenge or an invitation beside the position that the game begins with.
 *
 * The terms are requested from the server and shown before anybody joins.
 */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Challenge, Player, PlayerView } from "#protocol";
import { START_FEN } from "../../chess/position";
import { other } from "../../chess/square";
import { ratingFor } from "../../state/ratings";
import { isOnline } from "../../state/setup";
import { aboutRules, type Viewer, detailsOf, formatOf, termsOf } from "../../text/terms";
import { AccountButtons } from "../account/AccountButtons";
import { AccountDialog, type AccountDialogName } from "../account/AccountDialog";
import { MiniBoard } from "../board/MiniBoard";
import { NotifyMe } from "../calls/NotifyMe";
import { useApp, useStore, useText } from "../context";
import { FriendDialog } from "../home/FriendDialog";
import { ChallengeAnswer } from "../home/IncomingChallenges";
import { useKnownName } from "../home/OwnChallenges";
import { HomeLink } from "../HomeLink";
import { NameLink, RatingOf } from "../PlayerLink";
import { AskedPresence } from "../people/AskedPresence";
import { useFetched } from "../fetched";
import { ScoreAgainst } from "../people/Score";
import { InvitationCode, InvitationLink, OpenUntil } from "./InvitationLink";
import { showHour } from "../locale";

export function Waiting({ challenge }: { challenge: Challenge }) {
  const { to } = challenge;
  if (to === undefined) return <ByLink challenge={challenge} />;
  return (
    <BesideBoard challenge={challenge} viewer="owner">
      <OnlyFor challenge={challenge} account={to} />
    </BesideBoard>
  );
}

/** An own challenge for whoever gets its link. */
function ByLink({ challenge }: { challenge: Challenge }) {
  return (
    <BesideBoard challenge={challenge} viewer="owner" isByLink>
      <h1>{useText().challenge.title}</h1>
      <Terms challenge={challenge} viewer="owner" />
      <InvitationLink challenge={challenge} />
      <WhileWaiting challenge={challenge} isByLink />
      <InvitationCode challenge={challenge} />
    </BesideBoard>
  );
}

interface WhileWaitingProps {
  readonly challenge: Challenge;
  /** Whether it can be changed: there may be two of them for a moment, as of one to a player there may not. */
  readonly isByLink?: boolean;
}

/** What one may do while nobody has accepted. */
function WhileWaiting({ challenge, isByLink = false }: WhileWaitingProps) {
  const store = useStore();
  const text = useText();
  const [isChanging, change] = useState(false);
  const withdraw = (): void => void store.send({ t: "cancel_challenge", d: { challenge: challenge.challenge } });
  return (
    <div class="row while-waiting">
      <NotifyMe brief />
      {isByLink && (
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={text.challenge.changeTerms}
          onClick={() => change(true)}
        >
          {text.challenge.change}
        </button>
      )}
      <button type="button" class="withdraw danger" onClick={withdraw}>
        {text.challenge.cancel}
      </button>
      {isChanging && <FriendDialog before={challenge} close={() => change(false)} />}
    </div>
  );
}

interface BesideBoardProps {
  readonly challenge: Challenge;
  readonly viewer: Viewer;
  /** The board stands on a desk only: elsewhere the code needs the room. */
  readonly isByLink?: boolean;
  readonly children: ComponentChildren;
}

/** The words of a page, and the position that the game begins with as far as it is known, from the reader's side. */
function BesideBoard({ challenge, viewer, isByLink = false, children }: BesideBoardProps) {
  const { color, variant, fen } = challenge;
  const side = color === null || viewer === "owner" ? color : other(color);
  const isDrawn = variant === "chess960" && fen === undefined;
  const kind = viewer === "owner" ? "waiting" : "invitation";
  const place = isByLink ? " by-link" : isDrawn ? "" : " beside-board";
  return (
    <main id="content" class={`narrow card ${kind}${place}`}>
      <div class="words">{children}</div>
      {!isDrawn && <MiniBoard fen={fen ?? START_FEN} bottom={side ?? "white"} />}
    </main>
  );
}

/** Whom an own challenge waits for, and its terms. Of a player one may have played before, the rating is known. */
function OnlyFor({ challenge, account }: { challenge: Challenge; account: string }) {
  const text = useText();
  const name = useKnownName(account);
  const { fetched } = useFetched<Player>(`/api/players/${account}`);
  const rating = fetched.state === "there" ? ratingFor(fetched.value.ratings ?? [], challenge) : undefined;
  return (
    <>
      <h1>
        {name === null ? text.challenge.title : text.challenge.waitingFor(name)}
        {rating && <RatingOf points={rating.rating} isProvisional={rating.provisional === true} />}
      </h1>
      <Terms challenge={challenge} viewer="owner" />
      <p>{text.lobby.onlyFor(name ?? text.lobby.theOther)}</p>
      <OpenUntil challenge={challenge} by={name} />
      <WhileWaiting challenge={challenge} />
    </>
  );
}

/** A dot stays at the end of a line, and begins none. */
const inLines = (terms: string): string => terms.replaceAll(" · ", "\u00a0· ");

/** Whoever is invited reads what is played in one line, how in the next, and of rules that are not the usual ones what they mean. */
export function Terms({ challenge, viewer }: { challenge: Challenge; viewer: Viewer }) {
  const text = useText();
  const { profile } = challenge.options;
  return (
    <>
      {viewer === "owner" ? (
        <p class="terms">{inLines(termsOf(text, challenge, viewer))}</p>
      ) : (
        <>
          <p class="terms">{inLines(formatOf(text, challenge))}</p>
          <p class="terms-more">{inLines(detailsOf(text, challenge, viewer, false))}</p>
        </>
      )}
      {viewer !== "owner" && profile !== "fide_online" && (
        <p class="quiet">{aboutRules(text, profile, challenge.time_control.kind === "clock")}</p>
      )}
      {challenge.fen !== undefined && <p class="quiet fen">{challenge.fen}</p>}
    </>
  );
}

/** An invitation: `challenge` is null when its terms could not be read. */
export function Invitation({ id, challenge }: { id: string; challenge: Challenge | null }) {
  const app = useApp();
  const text = useText();
  const endsAt = app.endsAt[id];
  if (!challenge) {
    return (
      <main id="content" class="narrow card">
        <h1>{text.challenge.invited}</h1>
        <p>{text.challenge.invitedText}</p>
        <Join id={id} />
        <HomeLink>{text.site.toHome}</HomeLink>
      </main>
    );
  }
  const isOpen = challenge.to === undefined;
  const isMine = !isOpen && challenge.to === app.account;
  const title = isOpen ? text.challenge.invitedBy : isMine ? text.calls.challenged : text.challenge.notYours;
  return (
    <BesideBoard challenge={challenge} viewer="joiner">
      <h1>
        <Sentence of={title} player={challenge.by} />
      </h1>
      <Owner player={challenge.by} />
      {isOpen || isMine ? (
        <Terms challenge={challenge} viewer="joiner" />
      ) : (
        // The colour is somebody else's.
        <p class="terms">{formatOf(text, challenge)}</p>
      )}
      {startsLate(challenge) && <p class="quiet">{text.challenge.clocksStart}</p>}
      {isMine ? (
        <ChallengeAnswer challenge={challenge} isBig />
      ) : isOpen ? (
        <JoinTerms id={id} rated={challenge.rated === true} />
      ) : (
        <p>{text.codes.not_for_you}</p>
      )}
      {app.account !== null && app.account !== challenge.by.account && (
        <ScoreAgainst own={app.account} player={challenge.by} />
      )}
      {endsAt !== undefined && <p class="quiet">{text.challenge.until(showHour(text.tag, endsAt))}</p>}
      {!isOpen && <HomeLink>{text.site.toHome}</HomeLink>}
    </BesideBoard>
  );
}

/** Whether no clock runs before both have moved. */
function startsLate({ time_control: control, options: { profile } }: Challenge): boolean {
  return control.kind === "clock" && isOnline(profile);
}

/** A sentence about a player, whose name leads to the player's page. */
function Sentence({ of, player }: { of(name: string): string; player: PlayerView }) {
  const [before, after] = of("\n").split("\n");
  return (
    <>
      {before}
      <NameLink player={player} />
      {after}
    </>
  );
}

/** What is known of the player who invites, besides the name: whether they are here, and the rating. */
function Owner({ player }: { player: PlayerView }) {
  const { people } = useText();
  return (
    <p class="invites quiet">
      <AskedPresence account={player.account} />
      {player.rating !== undefined && <span>{people.ratingInWords(player.rating, player.provisional === true)}</span>}
    </p>
  );
}

/**
 * A rated game needs a registered account on both sides: whoever has none is told before a tap, and joins from here after it.
 * That any other game needs none is said to whoever has neither that nor a guest's.
 */
function JoinTerms({ id, rated }: { id: string; rated: boolean }) {
  const isRegistered = useApp((app) => app.people.kind === "registered");
  const isNobody = useApp((app) => app.account === null);
  const { home, people } = useText();
  // The dialog shows recovery codes after one has registered, when the buttons are gone.
  const [dialog, show] = useState<AccountDialogName | null>(null);
  return (
    <>
      {!rated || isRegistered ? (
        <>
          <div class="join">
            <Join id={id} />
            <NoThanks />
          </div>
          {isNobody && <p class="quiet">{home.noAccount}</p>}
        </>
      ) : (
        <>
          <p>{people.rated.toJoin}</p>
          <div class="join">
            <AccountButtons show={show} />
            <NoThanks />
          </div>
        </>
      )}
      {dialog && <AccountDialog name={dialog} show={show} />}
    </>
  );
}

/** Others may accept, so nothing is sent. */
function NoThanks() {
  return <HomeLink class="button plain">{useText().challenge.noThanks}</HomeLink>;
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
