/**
 * The page at `/analysis`, and of a finished game at `/analysis/{game}`. Loaded on demand, with its style sheet.
 *
 * Only chooses what there is to analyse: a game that is still played is not.
 */
import { useEffect, useState } from "preact/hooks";
import { isComplete } from "zeitnot-client";
import { type Analysis, NEW_ANALYSIS, analysisOf, analysisOfFen, lastToPlay } from "../../state/analysis/analysis";
import { loadPgn } from "../../net/keptPgns";
import { ANALYSIS_BOARD, type AnalysisRoute } from "../../state/route";
import { useApp, useText } from "../context";
import { PageLink } from "../HomeLink";
import "../../style/moveTree.css";
import "../../style/analysis.css";
import "../../style/analysisLayout.css";
import "../../style/analysisTabs.css";
import "../../style/analysisCharts.css";
import "../../style/learn.css";
import { AnalysisView } from "./AnalysisView";
import { loadText } from "./loadText";

export function AnalysisPage({ route }: { readonly route: AnalysisRoute }) {
  const { analysis, link } = useText();
  const id = route.game ?? "";
  const game = useApp((app) => app.games[id] ?? null);
  const isUnknown = useApp((app) => app.gone[id] !== undefined || app.noGame[id] === true);
  useEffect(() => {
    const names = game && analysis.ofGame(game.players.white.name, game.players.black.name);
    document.title = `${names ?? analysis.title} – Zeitnot`;
  }, [game?.id, analysis]);

  // What is loaded may have the address that the page has already: then it begins anew.
  const [round, setRound] = useState(0);
  const common = { turned: route.bottom ?? null, anew: () => setRound((n) => n + 1) };
  if (route.pgn !== undefined) return <KeptPgn key={round} {...common} pgn={route.pgn} />;
  if (route.game === null) {
    const begun = route.fen === null ? NEW_ANALYSIS : analysisOfFen(route.fen);
    return <AnalysisView key={round} {...common} game={null} begun={begun} />;
  }
  if (game && game.phase !== "ended") {
    return (
      <main id="content" class="narrow card">
        <h1>{analysis.notOver}</h1>
        <p>{analysis.notOverText}</p>
        <PageLink to={{ at: "game", id: game.id }}>{analysis.toGame}</PageLink>
      </main>
    );
  }
  if (game && isComplete(game)) {
    const begins = route.begins === true;
    const begun = analysisOf(game, route.ply ?? (begins ? lastToPlay(game) : null));
    return <AnalysisView key={round} {...common} game={game} begun={begun} begins={begins} />;
  }
  return (
    <main id="content" class="narrow">
      <h1 class={isUnknown ? "" : "visually-hidden"}>{isUnknown ? analysis.noGame : analysis.title}</h1>
      {isUnknown ? <PageLink to={ANALYSIS_BOARD}>{analysis.title}</PageLink> : <p role="status">{link.connecting}</p>}
    </main>
  );
}

interface KeptProps {
  /** Its key. */
  readonly pgn: string;
  readonly turned: "black" | null;
  anew(): void;
}

/** A PGN that this tab has kept; or why it is not there. */
function KeptPgn({ pgn, ...others }: KeptProps) {
  const text = useText();
  const { analysis } = text;
  const [loaded, set] = useState<Analysis | string | null>(null);
  useEffect(() => {
    const kept = loadPgn(sessionStorage, pgn);
    if (kept === null) set(analysis.exchange.notKept);
    else void loadText(kept, text).then(set);
  }, []);
  if (loaded !== null && typeof loaded !== "string") return <AnalysisView {...others} game={null} begun={loaded} />;
  return (
    <main id="content" class="narrow">
      <h1 class="visually-hidden">{analysis.title}</h1>
      <p role="status">{loaded ?? analysis.loading}</p>
      {loaded !== null && <PageLink to={ANALYSIS_BOARD}>{analysis.exchange.restart}</PageLink>}
    </main>
  );
}
