/**
 * The page at `/analysis`, and of a finished game at `/analysis/{game}`. Loaded on demand, with its style sheet.
 *
 * Only chooses what there is to analyse: a game that is still played is not.
 */
import { useEffect } from "preact/hooks";
import { isComplete } from "zeitnot-client";
import { NEW_ANALYSIS, analysisOf, analysisOfFen } from "../../state/analysis/analysis";
import { useApp, useText } from "../context";
import { PageLink } from "../HomeLink";
import "../../style/moveTree.css";
import "../../style/analysis.css";
import "../../style/analysisLayout.css";
import "../../style/analysisCharts.css";
import type { AnalysisRoute } from "./AnalysisLoader";
import { AnalysisView } from "./AnalysisView";

export function AnalysisPage({ route }: { readonly route: AnalysisRoute }) {
  const { analysis, link } = useText();
  const id = route.game ?? "";
  const game = useApp((app) => app.games[id] ?? null);
  const isUnknown = useApp((app) => app.gone[id] !== undefined || app.noGame[id] === true);
  useEffect(() => {
    const names = game && analysis.ofGame(game.players.white.name, game.players.black.name);
    document.title = `${names ?? analysis.title} – Zeitnot`;
  }, [game?.id, analysis]);

  if (route.game === null) {
    const begun = route.fen === null ? NEW_ANALYSIS : analysisOfFen(route.fen);
    return <AnalysisView game={null} begun={begun} />;
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
  if (game && isComplete(game)) return <AnalysisView game={game} begun={analysisOf(game, route.ply)} />;
  return (
    <main id="content" class="narrow">
      <h1 class={isUnknown ? "" : "visually-hidden"}>{isUnknown ? analysis.noGame : analysis.title}</h1>
      {isUnknown ? (
        <PageLink to={{ at: "analysis", game: null, ply: null, fen: null }}>{analysis.title}</PageLink>
      ) : (
        <p role="status">{link.connecting}</p>
      )}
    </main>
  );
}
