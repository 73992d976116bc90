/** The way from a finished game to its analysis. */
import type { GameId } from "#protocol";
import { useText } from "../context";
import { PageLink } from "../HomeLink";

export function AnalyseLink({ game }: { readonly game: GameId }) {
  const { analysis } = useText();
  return (
    <PageLink class="button" to={{ at: "analysis", game, ply: null, fen: null }}>
      {analysis.open}
    </PageLink>
  );
}
