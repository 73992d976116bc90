/** One side's bar beside the board of an analysis: colour, name, material, and the clock at the ply shown. */
import { type Game, firstClock } from "zeitnot-client";
import type { Position } from "../../chess/position";
import type { Color } from "../../chess/square";
import { type GameMoves, clockAt } from "../../state/analysis/times";
import { writeClock } from "../../state/clock";
import { useText } from "../context";
import { Material } from "../game/Material";
import { PlayerLink } from "../PlayerLink";

interface Props {
  /** The game that was played here, and the moves whose clocks are known. */
  readonly game: Game | null;
  readonly moves: GameMoves | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly color: Color;
  readonly ply: number | null;
  readonly position: Position;
}

export function Side({ game, moves, headers, color, ply, position }: Props) {
  const text = useText();
  const name = headers[color === "white" ? "White" : "Black"];
  const clock = moves && ply !== null ? clockAt(moves, color, ply) : null;
  const most = (moves && firstClock(moves.control, color)) ?? 0;
  return (
    <section class="player" aria-label={text.sides[color]} data-color={color}>
      <div class="player-line">
        <span class={`disc ${color}`} aria-hidden="true" />
        <span class="who">
          <span class="name">
            {game ? <PlayerLink player={game.players[color]} /> : <span>{name ?? text.sides[color]}</span>}
          </span>
          <Material position={position} color={color} />
        </span>
        <span class="gap" />
        {clock !== null && (
          <span
            class="clock"
            role="timer"
            aria-label={text.game.clockOf(text.sides[color])}
            data-room={writeClock(Math.max(most, clock))}
          >
            {writeClock(clock)}
          </span>
        )}
      </div>
    </section>
  );
}
