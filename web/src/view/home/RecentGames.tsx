/**
 * The own last games as small boards that lead to them, with what each did to the rating, and the way to all of them. Nothing
 * for whoever has played none.
 */
import type { RecentGame } from "../../state/recentGames";
import { playedFormat } from "../../text/terms";
import { showReason } from "../../text/words";
import { MiniBoard } from "../board/MiniBoard";
import { useApp, useText } from "../context";
import { PageLink } from "../HomeLink";
import { showAgo } from "../locale";
import { Gained } from "../people/Gained";
import type { Recent } from "./recent";

export function RecentGames({ games, places }: Pick<Recent, "games" | "places">) {
  const text = useText();
  const account = useApp((app) => app.account);
  if (games.length + places === 0) return null;
  return (
    <section class="card recent" aria-labelledby="recent-title">
      <div class="card-head">
        <h2 id="recent-title">{text.home.recent}</h2>
        {account !== null && <PageLink to={{ at: "player", who: account, games: true }}>{text.home.allGames}</PageLink>}
      </div>
      <ul class="own-boards">
        {games.map((game) => (
          <li key={game.id}>
            <Card game={game} />
          </li>
        ))}
        {Array.from({ length: places }, (_, n) => (
          <li key={`place ${n}`} class="own-game recent-place" aria-hidden="true">
            <span class="mini-board" />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Card({ game: { id, seat, opponent, fate, ending, step, fen, last, format, at } }: { game: RecentGame }) {
  const text = useText();
  return (
    <PageLink class="own-game" to={{ at: "game", id }}>
      <MiniBoard fen={fen} last={last} bottom={seat} />
      <span class="own-words">
        <span class="live-name">
          <span class="visually-hidden">{text.lobby.against}</span>
          {opponent.name}
        </span>
        <span>
          <span class={`fate-mark ${fate}`}>{text.archive.fates[fate]}</span> {step && <Gained step={step} isShort />}{" "}
          <span class="quiet">{showReason(text, ending, seat)}</span>
        </span>
        <span class="quiet">{playedFormat(text, format, fate)}</span>
        <span class="quiet">{showAgo(text, at)}</span>
      </span>
    </PageLink>
  );
}
