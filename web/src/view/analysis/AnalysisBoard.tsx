/** The board of an analysis: both sides move, by the server's list of legal moves. */
import { useState } from "preact/hooks";
import type { PositionAnalysis } from "#protocol";
import type { Position } from "../../chess/position";
import { type Color, type Square, readUci } from "../../chess/square";
import {
  type BoardInput,
  type InputMode,
  type InputResult,
  NO_INPUT,
  attempt,
  cancel,
  markedTargets,
  promote,
  select,
  tap,
} from "../../state/boardInput";
import type { Drawing } from "../../state/drawing";
import type { ComponentChildren } from "preact";
import { Board } from "../board/Board";
import { useApp } from "../context";

interface Props {
  readonly position: Position;
  readonly bottom: Color;
  /** The move that led here. */
  readonly last: string | undefined;
  readonly facts: PositionAnalysis | null;
  /** What is drawn on it for the computer. */
  readonly hints: readonly Drawing[];
  /** What stands beside the board. */
  readonly beside: ComponentChildren;
  /** How many moves led here. */
  readonly ply: number;
  play(uci: string): void;
  step(by: number): void;
}

export function AnalysisBoard({ position, bottom, last, facts, hints, beside, ply, play, step }: Props) {
  const [input, change] = useInput(position);
  const settings = useApp((app) => app.settings);
  const { coordinates, animation, autoQueen } = settings;
  const mode: InputMode = facts
    ? { kind: "move", legal: facts.legal, color: position.turn, autoQueen }
    : { kind: "look" };
  const apply = ({ input: next, play: uci }: InputResult): void => {
    change(() => next);
    if (uci !== undefined) play(uci);
  };
  const move = last === undefined ? null : readUci(last);
  const press = (square: Square): void => apply(tap(input, position, mode, square));
  const king = position.board.findIndex((piece) => piece?.role === "k" && piece.color === position.turn);
  return (
    <Board
      position={position}
      bottom={bottom}
      marks={{
        lastMove: move ? [move.from, move.to] : [],
        check: facts?.check ? king : null,
        selected: input.selected,
        targets: markedTargets(position, mode, input.selected, settings),
        premoves: [],
      }}
      movable={facts ? position.turn : null}
      promoting={input.promoting}
      coordinates={coordinates}
      animation={animation}
      ply={ply}
      beside={beside}
      hints={hints}
      tap={press}
      enter={press}
      cancelPremoves={() => false}
      step={step}
      take={(square) => change((old) => (old.selected === square ? old : select(old, position, mode, square)))}
      drop={(from, to) => {
        if (to !== null && to !== from) apply(attempt({ ...input, selected: null }, position, mode, from, to));
      }}
      cancel={() => change(cancel)}
      promote={(role) => apply(promote(input, position, mode, role))}
    />
  );
}

/** What has been begun on the board in this position: in another one nothing has. */
function useInput(position: Position): [BoardInput, (change: (old: BoardInput) => BoardInput) => void] {
  const [begun, begin] = useState({ position, input: NO_INPUT });
  const here = (of: typeof begun): BoardInput => (of.position === position ? of.input : NO_INPUT);
  return [here(begun), (change) => begin((old) => ({ position, input: change(here(old)) }))];
}
