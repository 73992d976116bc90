/** The header of every page: link home with a badge, account name, sound, theme, language. */
import { useState } from "preact/hooks";
import { seatOf } from "zeitnot-client";
import type { App, Theme } from "../state/app";
import { CATALOGUES, type Language } from "../text";
import { useApp, useStore, useText } from "./context";
import { HomeLink } from "./HomeLink";
import { Icon } from "./Icon";
import { NameDialog } from "./people/NameDialog";

const THEMES: readonly Theme[] = ["auto", "light", "dark"];

export function Header() {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const { theme, sound, language } = app.settings;
  const nextTheme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "auto";
  const news = app.route.at === "home" ? 0 : newsOf(app);
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
      <span class="gap" />
      <You />
      <button
        type="button"
        class="plain"
        aria-label={sound ? text.site.soundOn : text.site.soundOff}
        title={sound ? text.site.soundOn : text.site.soundOff}
        onClick={() => store.change({ sound: !sound })}
      >
        <Icon name={sound ? "sound" : "silence"} />
      </button>
      <button
        type="button"
        class="plain"
        aria-label={text.site.theme[theme]}
        title={text.site.theme[theme]}
        onClick={() => store.change({ theme: nextTheme })}
      >
        <Icon name={theme} />
      </button>
      <select
        class="plain"
        aria-label={text.site.languageLabel}
        value={language}
        onChange={(event) => store.change({ language: event.currentTarget.value as Language })}
      >
        {Object.entries(CATALOGUES).map(([tag, catalogue]) => (
          <option key={tag} value={tag}>
            {catalogue.language}
          </option>
        ))}
      </select>
    </header>
  );
}

/** The number in the badge: incoming challenges, and other games in which it is the player's turn. */
function newsOf({ challenges, games, account, route }: App): number {
  const here = route.at === "game" ? route.id : null;
  const incoming = Object.values(challenges).filter(
    (challenge) => challenge.by.account !== account && challenge.challenge !== here && challenge.rematch_of !== here,
  );
  const moves = Object.values(games).filter(
    (game) => game.turn !== null && game.id !== here && seatOf(game, account) !== null,
  );
  return incoming.length + moves.length;
}

function You() {
  const app = useApp();
  const text = useText();
  const [open, setOpen] = useState(false);
  const { name } = app.people;
  return (
    <>
      <button
        type="button"
        class="plain you"
        aria-haspopup="dialog"
        aria-label={name ? text.lobby.nameOf(name) : text.lobby.nameButton}
        onClick={() => setOpen(true)}
      >
        <Icon name="person" />
        <span class="you-name">{name ?? text.lobby.nameButton}</span>
      </button>
      {open && <NameDialog close={() => setOpen(false)} />}
    </>
  );
}
