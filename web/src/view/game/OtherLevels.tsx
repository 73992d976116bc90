/** After a game against the computer: the next one a level easier or harder, on the same terms and with the other colour. */
import type { Game } from "zeitnot-client";
import { type Color, other } from "../../chess/square";
import { challengeAgain, levelOf, levelsBeside } from "../../state/computer";
import { useApp, useStore, useText } from "../context";

export function OtherLevels({ game, seat }: { readonly game: Game; readonly seat: Color }) {
  const store = useStore();
  const { easier, harder } = useText().play.rematch;
  const kept = useApp((app) => app.settings.computer);
  const played = levelOf(game.players[other(seat)]);
  if (played === null) return null;
  const play = (level: number): void => {
    store.send({ t: "create_challenge", d: challengeAgain(game, seat, level) });
    store.change({ computer: { ...kept, level } });
  };
  return (
    <div class="other-levels">
      {levelsBeside(played).map((level) => (
        <button type="button" key={level} onClick={() => play(level)}>
          {(level < played ? easier : harder)(level)}
        </button>
      ))}
    </div>
  );
}
