/**
 * The frame of every page: header, waiting bar, the page itself, a passing notice, and the live region.
 */
import { useEffect, useRef } from "preact/hooks";
import { pathOf } from "../state/route";
import { showClose } from "../text/words";
import { PieceSymbols } from "./board/pieces";
import { useApp, useStore, useText } from "./context";
import { GamePage } from "./game/GamePage";
import { Header } from "./Header";
import { Home } from "./home/Home";
import { HomeLink } from "./HomeLink";
import { PlayerPage } from "./people/PlayerPage";
import { useAppearance } from "./settings/appearance";
import { WaitingBar } from "./WaitingBar";

const NOTICE_MS = 6_000;

export function Page() {
  const app = useApp();
  const text = useText();
  useAppearance();
  const path = pathOf(app.route);
  const shown = useRef(path);
  // A new page is read from its start, as after loading a document.
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    const content = document.getElementById("content");
    content?.setAttribute("tabindex", "-1");
    content?.focus({ preventScroll: true });
  }, [path]);
  return (
    <>
      <a class="skip" href="#content">
        {text.site.skip}
      </a>
      <PieceSymbols />
      <Header />
      <LinkBanner />
      {app.route.at !== "home" && <WaitingBar />}
      {app.route.at === "home" && <Home />}
      {app.route.at === "player" && <PlayerPage key={app.route.who} who={app.route.who} />}
      {app.route.at === "game" && <GamePage key={app.route.id} id={app.route.id} />}
      {app.route.at === "lost" && <Lost />}
      <PassingNotice />
      <div class="visually-hidden" aria-live="polite" aria-atomic="true" id="announcements">
        <span key={app.announcement.n}>{app.announcement.text}</span>
      </div>
    </>
  );
}

/** Connection problems on pages without a connection line. */
function LinkBanner() {
  const { link, route, games } = useApp();
  const text = useText();
  if (route.at === "game" && games[route.id]) return null;
  const wrong =
    link.phase === "rejected"
      ? showClose(text, link.rejection ?? "")
      : link.phase === "waiting"
        ? text.link.waiting
        : "";
  return (
    <p class={wrong ? "link-banner" : "visually-hidden"} role="status">
      {wrong}
    </p>
  );
}

function Lost() {
  const text = useText();
  return (
    <main id="content" class="narrow card">
      <h1>{text.site.lost}</h1>
      <p>{text.site.lostText}</p>
      <HomeLink>{text.site.toHome}</HomeLink>
    </main>
  );
}

function PassingNotice() {
  const app = useApp();
  const store = useStore();
  const n = app.notice?.n;
  useEffect(() => {
    if (n === undefined) return;
    const timer = setTimeout(() => store.clearNotice(), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [n]);
  // The live region reads it out.
  return (
    <div class={`notice ${app.notice?.kind ?? "none"}`} aria-hidden="true">
      {app.notice?.text}
    </div>
  );
}
