/** A player's points in a series of rematches, beside the name: for the two players, during the game and after it. */
import type { Game } from "zeitnot-client";
import type { Color } from "../../chess/square";
import { seriesOf } from "../../state/series";
import { showPoints } from "../../text/words";
import { useApp, useText } from "../context";

interface Props {
  readonly game: Game;
  /** Whose page it is. */
  readonly seat: Color;
  /** Beside whose name. */
  readonly color: Color;
}

export function SeriesPoints({ game, seat, color }: Props) {
  const { rematch } = useText().play;
  const rematches = useApp((app) => app.rematches);
  const series = seriesOf(rematches, game, seat);
  if (!series) return null;
  const points = showPoints(color === seat ? series.own : series.theirs);
  const words = rematch.points(series.games, points);
  return (
    <span class="series-points" title={words}>
      <span aria-hidden="true">{points}</span>
      <span class="visually-hidden">{words}</span>
    </span>
  );
}
