/**
 * The board of a game: what is drawn on it, and what becomes of drags, taps and keys.
 *
 * Renders at every touch of the board, and nothing around it does.
 */
import type { Game } from "zeitnot-client";
import type { Position } from "../../chess/position";
import type { Color } from "../../chess/square";
import { inputOf } from "../../state/app";
import { attempt, cancel, confirm, displayed, promote, select, stepTo, tap } from "../../state/boardInput";
import { endPremoves } from "../../state/premove";
import { Board } from "../board/Board";
import { useApp, useStore } from "../context";
import { stepped } from "./keys";
import { inputModeOf, marksOf } from "./marks";

interface Props {
  readonly game: Game;
  readonly seat: Color | null;
  readonly bottom: Color;
  readonly position: Position;
  /** Whether the position is the one that is played in, not an earlier one and not of a proof. */
  readonly isNow: boolean;
}

export function GameBoard({ game, seat, bottom, position: shown, isNow }: Props) {
  const store = useStore();
  const input = useApp((app) => inputOf(app, game.id));
  const settings = useApp((app) => app.settings);
  const mode = inputModeOf(game, seat, input, settings);
  const position = isNow ? displayed(shown, input, game.on, settings.premoves === "several") : shown;
  const isPlaying = seat !== null && game.phase === "playing";
  const press = (square: number): void => {
    if (input.cursor !== null && isPlaying)
      store.updateInput(game.id, (old) => stepTo(old, game.plyCount, game.plyCount));
    else store.applyInput(game, tap(input, position, mode, square));
  };
  return (
    <Board
      position={position}
      bottom={bottom}
      marks={marksOf(game, input, position, mode, settings)}
      movable={mode.kind === "look" ? null : mode.color}
      promoting={input.promoting}
      coordinates={settings.coordinates}
      animation={settings.animation}
      ply={input.cursor ?? game.plyCount}
      tap={press}
      enter={(square) => {
        if (input.confirming) store.applyInput(game, confirm(input));
        else press(square);
      }}
      take={(square) =>
        store.updateInput(game.id, (old) => (old.selected === square ? old : select(old, position, mode, square)))
      }
      drop={(from, to) => {
        if (to === null || to === from) return;
        store.applyInput(game, attempt({ ...input, selected: null }, position, mode, from, to));
      }}
      cancel={() => store.updateInput(game.id, cancel)}
      cancelPremoves={() => {
        if (input.premoves.length === 0) return false;
        store.updateInput(game.id, endPremoves);
        return true;
      }}
      step={(by) => store.updateInput(game.id, (old) => stepped(old, game, by))}
      promote={(role) => store.applyInput(game, promote(input, position, mode, role))}
    />
  );
}
