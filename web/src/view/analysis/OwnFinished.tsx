/**
 * One's own last finished games beside a free board, each with the way to its analysis, which begins at once. Whoever has none is
 * led to those of everybody.
 */
import { useText } from "../context";
import type { RecentGame } from "../../state/recentGames";
import { useRecentGames } from "../home/recent";
import { PageLink } from "../HomeLink";
import { showAgo } from "../locale";

export function OwnFinished() {
  const { analysis, home } = useText();
  const { games, places } = useRecentGames();
  if (games.length + places === 0) {
    return (
      <PageLink class="to-game" to={{ at: "games" }}>
        {analysis.evaluation.choose}
      </PageLink>
    );
  }
  return (
    <section aria-labelledby="own-finished">
      <h3 id="own-finished">{home.recent}</h3>
      <ul class="own-finished">
        {games.map((game) => (
          <Row key={game.id} {...game} />
        ))}
        {/* The room of those that are asked for: what stands below does not move when they come. */}
        {Array.from({ length: places }, (_, at) => (
          <li key={at} aria-hidden="true" />
        ))}
      </ul>
    </section>
  );
}

function Row({ id, opponent, fate, at }: RecentGame) {
  const text = useText();
  const against = `${text.lobby.against.trim()} ${opponent.name}`;
  return (
    <li>
      <span class={`fate-mark ${fate}`}>{text.archive.fates[fate]}</span>
      <span class="own-opponent">
        {against} <span class="quiet">{showAgo(text, at)}</span>
      </span>
      <PageLink
        class="button"
        to={{ at: "analysis", game: id, ply: null, fen: null, begins: true }}
        label={`${text.analysis.open}: ${against}`}
      >
        {text.analysis.open}
      </PageLink>
    </li>
  );
}
