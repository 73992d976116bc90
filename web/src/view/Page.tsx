/**
 * The frame of every page: header with a passing notice, waiting bar, the page itself, and the live region.
 */
import { useEffect, useRef } from "preact/hooks";
import { pageOf, pathOf } from "../state/route";
import { showClose } from "../text/words";
import { AnotherGame } from "./AnotherGame";
import { PieceSymbols } from "./board/PieceSets";
import { useCallMarks } from "./calls/marks";
import { useApp, useText } from "./context";
import { focusContent, useFocusKept } from "./focus";
import { GamePage } from "./game/GamePage";
import { Header } from "./Header";
import { Home } from "./home/Home";
import { HomeLink } from "./HomeLink";
import { PageLoader } from "./PageLoader";
import { useScrollbarWidth } from "./scrollbar";
import { useAppearance } from "./settings/appearance";
import { WaitingBar } from "./WaitingBar";

export function Page() {
  const route = useApp((app) => app.route);
  const text = useText();
  useAppearance();
  useScrollbarWidth();
  useCallMarks();
  const path = pathOf(route);
  const page = pageOf(route);
  const shown = useRef(page);
  // A new page is read from its start, as after loading a document.
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    focusContent();
  }, [page]);
  useFocusKept();
  return (
    <>
      <a class="skip" href="#content">
        {text.site.skip}
      </a>
      <PieceSymbols />
      <Header />
      <LinkBanner />
      {route.at !== "home" && <WaitingBar />}
      {route.at === "home" && <Home />}
      {route.at === "player" && (
        <PageLoader
          key="player"
          of={route.who}
          title={text.lobby.loading}
          props={route}
          load={async () => (await import("./people/PlayerPage")).PlayerPage}
        />
      )}
      {route.at === "game" && <GamePage key={route.id} id={route.id} />}
      {route.at === "games" && (
        <PageLoader
          key="games"
          of="games"
          title={text.archive.title}
          props={{}}
          load={async () => (await import("./archive/GamesPage")).GamesPage}
        />
      )}
      {route.at === "account" && (
        <PageLoader
          key="account"
          of="account"
          title={text.account.page.title}
          props={{}}
          load={async () => (await import("./account/page/OwnAccount")).OwnAccount}
        />
      )}
      {route.at === "analysis" && (
        <PageLoader
          key="analysis"
          of={path}
          title={text.analysis.title}
          props={{ route }}
          load={async () => (await import("./analysis/AnalysisPage")).AnalysisPage}
        />
      )}
      {route.at === "lost" && <Lost />}
      <AnotherGame />
      <Announcement />
    </>
  );
}

/** The live region: what screen readers say unasked. */
function Announcement() {
  const { text, n } = useApp((app) => app.announcement);
  return (
    <div class="visually-hidden" aria-live="polite" aria-atomic="true" id="announcements">
      <span key={n}>{text}</span>
    </div>
  );
}

/** Connection problems on pages without a connection line. */
function LinkBanner() {
  const link = useApp((app) => app.link);
  const isOnGame = useApp(({ route, games }) => route.at === "game" && games[route.id] !== undefined);
  const text = useText();
  if (isOnGame) return null;
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
