/**
 * Learning from the mistakes of a game, in the place of its analysis: the board before a mistake, turned to the side
 * that made it, what there is to do, and a line to type a move. Apart from that only a wrong move is shown, with the answer to
 * it: anything else would give the better move away.
 *
 * Escape leads back to the analysis; a piece that is picked up by keys is put down first.
 */
import { useEffect, useMemo } from "preact/hooks";
import type { Game } from "zeitnot-client";
import { type Color, other } from "../../chess/square";
import { positionsOn } from "../../state/analysis/analysis";
import { answerOf } from "../../state/analysis/hints";
import { type Lesson, isSolved, placeShown, taskOf, withTry } from "../../state/analysis/learn";
import { useText } from "../context";
import { isForDialog } from "../Dialog";
import { AnalysisBoard } from "./AnalysisBoard";
import { LearnPanel } from "./LearnPanel";
import { type Learning, type LessonGame, useTries } from "./learn";
import { usePosition } from "./position";
import { Side } from "./Side";
import { TypedMove } from "./TypedMove";

interface Props extends LessonGame {
  /** Null if it was not played here; then its players are those of the headers. */
  readonly game: Game | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The side of the reader. */
  readonly own: Color | null;
  readonly lesson: Lesson;
  /** Whether the game is still analysed, so that more mistakes may be found. */
  readonly isGrowing: boolean;
  readonly isWhole: boolean;
  change: Learning["change"];
  leave(): void;
}

export function LearnView({ game, headers, own, lesson, isGrowing, isWhole, change, leave, ...of }: Props) {
  const { learn } = useText().analysis;
  const { moves, chess960 } = of;
  const { color, step } = lesson;
  const { ply } = taskOf(lesson);
  const path = useMemo(() => placeShown(moves, lesson), [moves, lesson]);
  const positions = useMemo(() => positionsOn({ start: moves.startFen, path }), [moves, path]);
  const position = positions.at(-1);
  const before = positions[ply - 1];
  const { facts } = usePosition({ start: moves.startFen, chess960, moves: path });
  useTries(of, lesson, change);
  useEscape(leave);
  useEffect(() => scrollTo(0, 0), []);
  if (!position || !before) return null;
  const wrong = step.kind === "searching" ? step.wrong : undefined;
  const answer = wrong?.after?.line[0];
  const legal = step.kind === "searching" ? facts : null;
  const play = (uci: string): void => change((old) => withTry(old, uci));
  const side = (at: Color) => (
    <Side game={game} moves={moves} headers={headers} color={at} ply={ply - 1} position={position} />
  );
  return (
    <main id="content" class="game analysis learning">
      <h1 class="visually-hidden">{learn.title}</h1>
      <div class="board-column">
        {side(other(color))}
        <AnalysisBoard
          position={position}
          bottom={color}
          last={path.at(-1)}
          facts={legal}
          hints={answer ? answerOf(before, wrong.move.uci, answer.uci) : []}
          beside={null}
          ply={path.length}
          play={play}
          step={() => undefined}
        />
        {side(color)}
      </div>
      <div class="side">
        <LearnPanel
          lesson={lesson}
          isGrowing={isGrowing}
          isWhole={isWhole}
          isOwn={own === color}
          before={before}
          change={change}
          leave={leave}
        >
          {!isSolved(lesson) && (
            <TypedMove position={position} place={path} facts={legal} hint={learn.keys} play={play} />
          )}
        </LearnPanel>
      </div>
    </main>
  );
}

function useEscape(leave: () => void): void {
  useEffect(() => {
    const keys = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented || isForDialog(event)) return;
      const grid = event.target instanceof Element ? event.target.closest("[role=grid]") : null;
      if (grid?.querySelector("[aria-selected=true]")) return;
      event.preventDefault();
      event.stopPropagation();
      leave();
    };
    // Before the board, which keeps its keys to itself.
    addEventListener("keydown", keys, { capture: true });
    return () => removeEventListener("keydown", keys, { capture: true });
  }, [leave]);
}
