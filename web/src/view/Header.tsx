/**
 * The header of every page: link home with a badge, games, analysis, what is said for a moment, account menu, sound on and off, settings.
 *
 * On a desk the links stand at the left, so that whatever the right side says moves none of them. On a phone the sound is only
 * in the settings, and on a narrow one the games are in the menu.
 */
import { useState } from "preact/hooks";
import type { App } from "../state/app";
import { called, waitingFor } from "../state/calls";
import { AccountMenu } from "./account/AccountMenu";
import { ANALYSIS_BOARD } from "../state/route";
import { ChallengeToast } from "./calls/ChallengeToast";
import { useApp, useStore, useText } from "./context";
import { LeaveZen } from "./game/zen";
import { HomeLink, PageLink } from "./HomeLink";
import { Icon } from "./Icon";
import { PassingNotice } from "./PassingNotice";
import { LaterSettings } from "./settings/LaterSettings";

export function Header() {
  const sound = useApp((app) => app.settings.sound);
  const news = useApp(newsOf);
  const store = useStore();
  const text = useText();
  const [isOpen, open] = useState(false);
  return (
    <header class="top">
      <HomeLink class="brand" {...(news ? {} : { label: text.site.home })}>
        Zeitnot
        {news > 0 && (
          <>
            <span class="badge" aria-hidden="true">
              {news}
            </span>
            <span class="visually-hidden">, {text.lobby.news(news)}</span>
          </>
        )}
      </HomeLink>
      <PageLink class="plain to-games" to={{ at: "games" }}>
        {text.archive.title}
      </PageLink>
      <PageLink class="plain to-analysis" to={ANALYSIS_BOARD}>
        {text.analysis.title}
      </PageLink>
      <ChallengeToast />
      <PassingNotice />
      <AccountMenu />
      <button
        type="button"
        class="plain to-sound"
        aria-label={sound ? text.settings.soundOn : text.settings.soundOff}
        title={sound ? text.settings.soundOn : text.settings.soundOff}
        onClick={() => store.change({ sound: !sound })}
      >
        <Icon name={sound ? "sound" : "silence"} />
      </button>
      <button
        type="button"
        class="plain"
        aria-haspopup="dialog"
        aria-label={text.settings.title}
        title={text.settings.title}
        onClick={() => open(true)}
      >
        <Icon name="settings" />
      </button>
      <LeaveZen />
      {isOpen && <LaterSettings close={() => open(false)} />}
    </header>
  );
}

/** The number in the badge. The home page shows itself what waits, but challenges behind the one that is shown. */
function newsOf(app: App): number {
  const { route } = app;
  return route.at === "home" ? called(app).length : waitingFor(app, route.at === "game" ? route.id : null);
}
