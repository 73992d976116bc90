/**
 * An analysis on the screen: the board with its players, what the rules and the computer say, the tree of moves, the
 * times, and what goes in and out.
 *
 * Keeps the analysis while the page is open. What is legal, and what it is called, are the server's answers.
 */
import { useEffect, useState } from "preact/hooks";
import { type Game, seatOf } from "zeitnot-client";
import { type Color, other } from "../../chess/square";
import {
  type Analysis,
  fenOf,
  plyOf,
  positionsOn,
  withMove,
  withMoves,
  withPromotion,
  withoutMove,
} from "../../state/analysis/analysis";
import { type Path, endOf, forward, isMainLine, withNames } from "../../state/analysis/tree";
import { pathOf } from "../../state/route";
import { useApp, useStore, useText } from "../context";
import { Icon } from "../Icon";
import { AnalysisBoard } from "./AnalysisBoard";
import { useAnnouncements } from "./announce";
import { EvaluationPanel } from "./EvaluationPanel";
import { useEvaluations } from "./evaluation";
import { Exchange } from "./Exchange";
import { useKeys } from "./keys";
import { MoveTree } from "./MoveTree";
import { usePosition } from "./position";
import { PositionFacts } from "./PositionFacts";
import { Side } from "./Side";
import { TimeChart } from "./TimeChart";
import { TypedMove } from "./TypedMove";

interface Props {
  readonly game: Game | null;
  readonly begun: Analysis;
}

export function AnalysisView({ game: from, begun }: Props) {
  const store = useStore();
  const text = useText();
  const { analysis: words } = text;
  const [analysis, set] = useState(begun);
  // Another game that was pasted has nothing to do with the one from which the page began.
  const [game, setGame] = useState(from);
  const account = useApp((app) => app.account);
  const [bottom, setBottom] = useState<Color>((from && seatOf(from, account)) ?? "white");
  const { start, chess960, path, tree } = analysis;
  const positions = positionsOn(analysis);
  const position = positions[positions.length - 1];
  const { facts, trouble } = usePosition({ start, chess960, moves: path });
  const ply = plyOf(analysis, game);
  const evaluations = useEvaluations(game?.id ?? null, ply);
  const go = (to: Path): void => set((old) => ({ ...old, path: to }));
  const flip = (): void => setBottom(other);
  useKeys(analysis, go, flip);
  useAnnouncements(analysis, facts, ply === null ? null : (evaluations[ply] ?? null));
  useEffect(() => {
    if (facts) set((old) => ({ ...old, tree: withNames(old.tree, facts.moves) }));
  }, [facts]);

  if (!position) return null;
  const add = (moves: readonly string[]): void => {
    set((old) => withMoves(old, moves));
    store.say(words.canMate.shown(moves.length));
  };
  const play = (uci: string): void => set((old) => withMove(old, uci));
  const best = ply === null ? null : (evaluations[ply]?.line[0]?.uci ?? null);
  const fen = facts?.fen ?? fenOf(analysis);
  const side = (color: Color) => (
    <Side game={game} headers={analysis.headers} color={color} ply={ply} start={start} position={position} />
  );
  return (
    <main id="content" class="game analysis">
      <h1 class="visually-hidden">
        {game ? words.ofGame(game.players.white.name, game.players.black.name) : words.title}
      </h1>
      <div class="board-column">
        {side(other(bottom))}
        <AnalysisBoard
          position={position}
          bottom={bottom}
          last={path.at(-1)}
          facts={facts}
          best={best}
          ply={path.length}
          play={play}
          step={(by) => go(by > 0 ? forward(tree, path) : path.slice(0, -1))}
        />
        {side(bottom)}
      </div>
      <div class="side">
        <div class="steps" role="group" aria-label={words.moves}>
          {step(text.game.first, "first", () => go([]))}
          {step(text.game.back, "back", () => go(path.slice(0, -1)))}
          {step(text.game.forward, "forward", () => go(forward(tree, path)))}
          {step(text.game.last, "last", () => go(endOf(tree, path)))}
          {step(text.board.flip, "flip", flip)}
        </div>
        <MoveTree analysis={analysis} go={go} />
        <div class="tree-actions">
          <button
            type="button"
            disabled={isMainLine(tree, path)}
            onClick={() => {
              set(withPromotion);
              store.say(words.promoted);
            }}
          >
            {words.promote}
          </button>
          <button
            type="button"
            disabled={path.length === 0}
            onClick={() => {
              set(withoutMove);
              store.say(words.removed);
            }}
          >
            {words.remove}
          </button>
        </div>
        <PositionFacts facts={facts} trouble={trouble} add={add} />
        {game && <EvaluationPanel known={evaluations} ply={ply} plies={game.plyCount} add={add} />}
        <TypedMove position={position} facts={facts} play={play} />
        {game && <TimeChart game={game} ply={ply} step={(to) => go(game.plies.slice(0, to).map(({ uci }) => uci))} />}
        <Exchange
          analysis={analysis}
          fen={fen}
          address={pathOf({
            at: "analysis",
            ...(game && ply !== null ? { game: game.id, ply, fen: null } : { game: null, ply: null, fen }),
          })}
          load={(loaded) => {
            set(loaded);
            setGame(null);
          }}
        />
      </div>
    </main>
  );
}

function step(label: string, icon: "first" | "back" | "forward" | "last" | "flip", act: () => void) {
  return (
    <button type="button" aria-label={label} title={label} onClick={act}>
      <Icon name={icon} />
    </button>
  );
}
