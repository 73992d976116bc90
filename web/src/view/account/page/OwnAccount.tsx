/**
 * What is on the page of one's own account: who one is, and a section for each thing that can be changed.
 *
 * A guest has few of them; a browser without an account gets the ways to one.
 */
import { useEffect, useState } from "preact/hooks";
import type { Profile } from "../../../state/account";
import { useApp, useText } from "../../context";
import { PageLink } from "../../HomeLink";
import { useFetched } from "../../fetched";
import { AccountButtons } from "../AccountButtons";
import { AccountDialog, type AccountDialogName } from "../AccountDialog";
import { BlockedSection } from "./BlockedSection";
import { BotSection, ClosingSection, DataSection } from "./LastingSections";
import { ChallengeSection } from "./ChallengeSection";
import { DevicesSection } from "./DevicesSection";
import { PasswordSection } from "./PasswordSection";
import { RecoverySection } from "./RecoverySection";
import { SecondFactorSection } from "./SecondFactorSection";
import { TokensSection } from "./TokensSection";
import { showDay } from "../../locale";
import "../../../style/choice.css";
import "../../../style/playerPage.css";

export function OwnAccount() {
  const account = useApp((app) => app.account);
  const kind = useApp((app) => app.people.kind);
  const phase = useApp((app) => app.link.phase);
  const text = useText();
  useEffect(() => {
    document.title = `${text.account.page.title} – Zeitnot`;
  }, [text]);
  if (account !== null) return <Known key={`${account} ${kind}`} />;
  const isUnknown = phase === "connecting" || phase === "waiting";
  return (
    <main id="content" class="narrow card">
      <h1>{isUnknown ? text.account.page.title : text.account.page.nobody}</h1>
      {isUnknown ? (
        <p role="status">{text.lobby.loading}</p>
      ) : (
        <>
          <p>{text.account.page.nobodyText}</p>
          <Ways />
        </>
      )}
    </main>
  );
}

function Known() {
  const text = useText();
  const { page } = text.account;
  const { lobby } = text;
  const { fetched, again } = useFetched<Profile>("/api/account/profile");
  if (fetched.state !== "there") {
    return (
      <main id="content" class="narrow card">
        <h1>{page.title}</h1>
        <p role="status">{fetched.state === "loading" ? lobby.loading : lobby.failed}</p>
        {fetched.state !== "loading" && (
          <button type="button" onClick={again}>
            {lobby.again}
          </button>
        )}
      </main>
    );
  }
  const profile = fetched.value;
  return (
    <main id="content" class="account-page">
      <Head profile={profile} />
      {profile.kind === "guest" ? (
        <section class="card" aria-labelledby="guest-title">
          <h2 id="guest-title">{page.guestTitle}</h2>
          <p>{page.guestText}</p>
          <Ways />
        </section>
      ) : (
        <>
          <DevicesSection />
          <PasswordSection profile={profile} changed={again} />
          <SecondFactorSection profile={profile} changed={again} />
          <RecoverySection profile={profile} changed={again} />
        </>
      )}
      <ChallengeSection />
      <BlockedSection />
      {profile.kind !== "guest" && <TokensSection />}
      <DataSection />
      {profile.kind === "registered" && <BotSection />}
      {profile.kind !== "guest" && <ClosingSection name={profile.name} />}
    </main>
  );
}

function Head({ profile }: { profile: Profile }) {
  const text = useText();
  const { page, kinds } = text.account;
  return (
    <div class="player-head">
      <h1>
        {page.title}: {profile.name}
      </h1>
      <p class="quiet">
        {kinds[profile.kind]} {page.since(showDay(text, profile.made))}
      </p>
      {profile.muted_until !== null && <p class="wrong">{page.mutedUntil(showDay(text, profile.muted_until))}</p>}
      <PageLink to={{ at: "player", who: profile.account }}>{page.yourPage}</PageLink>
    </div>
  );
}

/** The ways to an account. */
function Ways() {
  const [dialog, show] = useState<AccountDialogName | null>(null);
  return (
    <>
      <AccountButtons show={show} />
      {dialog && <AccountDialog name={dialog} show={show} />}
    </>
  );
}
