/**
 * After a game against the computer: the next one a level easier or harder, on the same terms and with the same colour. What fits
 * the result comes first.
 */
import type { Game } from "zeitnot-client";
import type { Color } from "../../chess/square";
import { type Computer, challengeAgain, levelsBeside } from "../../state/computer";
import type { Fate } from "../../state/played";
import { useApp, useStore, useText } from "../context";

interface Props {
  readonly game: Game;
  readonly seat: Color;
  readonly computer: Computer;
  readonly fate: Fate;
  /** Whether a press may still be aimed at what stood here before. */
  readonly isArriving: boolean;
}

export function OtherLevels({ game, seat, computer, fate, isArriving }: Props) {
  const store = useStore();
  const { easier, harder } = useText().play.rematch;
  const kept = useApp((app) => app.settings.computer);
  const play = (level: number): void => {
    store.send({ t: "create_challenge", d: challengeAgain(game, seat, level) });
    store.change({ computer: { ...kept, level } });
  };
  return (
    <div class={`other-levels ${isArriving ? "arriving" : ""}`}>
      {levelsBeside(computer, fate).map((level) => (
        <button type="button" key={level} disabled={computer.here === null} onClick={() => play(level)}>
          {(level < computer.level ? easier : harder)(level)}
        </button>
      ))}
    </div>
  );
}
