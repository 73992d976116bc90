/** The parts of an analysis that are about its position and its tree of moves, whatever is known of them. */
import type { GameId } from "#protocol";
import { START_FEN } from "../../chess/position";
import { fenOf, lastOf } from "../../state/analysis/analysis";
import { canPromote, forward, nodesOn } from "../../state/analysis/tree";
import { pathOf } from "../../state/route";
import { useText } from "../context";
import { PageLink } from "../HomeLink";
import type { OpenAnalysis } from "./analysis";
import type { PartsProps } from "./AnalysisParts";
import { CanMate } from "./CanMate";
import { Exchange } from "./Exchange";
import { Explorer } from "./Explorer";
import { LastKnown } from "./LastKnown";
import { MoreMenu } from "./MoreMenu";
import { MoveTree } from "./MoveTree";
import type { Parts } from "./parts";
import { PlayedHere } from "./PlayedHere";
import { PositionFacts } from "./PositionFacts";
import { StepButtons } from "./StepButtons";
import { TreeActions } from "./TreeActions";
import { TypedMove } from "./TypedMove";

type PositionParts = Pick<
  Parts,
  "steps" | "toGame" | "facts" | "actions" | "typed" | "moves" | "explorer" | "exchange" | "canMate"
>;

export function positionParts(of: PartsProps): PositionParts {
  const { game, shown, found, turned, bottom, isSettled, anew } = of;
  const { analysis, position, facts, over, play, go, add } = shown;
  const { start, chess960, path, tree } = analysis;
  const { moves, marks, took, evaluable, ply, hasEvaluation } = found;
  return {
    steps: <Steps {...of} />,
    toGame: game ? <ToGame id={game.id} /> : evaluable && <PlayedHere headers={analysis.headers} />,
    facts: (
      <PositionFacts
        facts={facts}
        trouble={shown.trouble}
        turn={position.turn}
        isStart={start === START_FEN && path.length === 0}
        isEnd={evaluable !== null && ply === moves?.plyCount}
        isEndSaid={over !== null && hasEvaluation}
      />
    ),
    actions: (
      <TreeActions
        mayPromote={canPromote(tree, path)}
        // What was played in the game stays: it cannot be put in again by hand, with its times.
        mayRemove={path.length > 0 && ply === null}
        promote={shown.promote}
        remove={shown.remove}
      />
    ),
    typed: <TypedMove position={position} place={path} facts={facts} play={play} />,
    moves: <MoveTree analysis={analysis} outcome={game?.outcome ?? null} marks={marks} took={took} go={go} />,
    explorer: !chess960 && <Explorer {...exploredOf(of)} />,
    exchange: (
      <Exchange
        turned={turned}
        bottom={bottom}
        fen={shownFen(shown)}
        chess960={chess960}
        mayPlay={mayPlayFrom(shown)}
        isSettled={isSettled}
        anew={anew}
      />
    ),
    canMate: over === null && <CanMate facts={facts} add={add} />,
  };
}

/** What the explorer is asked about, and how its moves are played. */
export function exploredOf({ game, shown, found }: PartsProps) {
  const { analysis, play, go } = shown;
  const { start, tree, path } = analysis;
  const moves = start === START_FEN ? nodesOn(tree, path).map(({ san, uci }) => san ?? uci) : null;
  // A game without a result is not among those that are counted.
  const own = (game?.outcome?.score ?? "*") === "*" ? 0 : found.from;
  const back = <LastKnown analysis={analysis} own={own} go={go} />;
  return { fen: fenOf(analysis), moves, back, play };
}

/** As the server writes it, once it has said so. */
const shownFen = ({ facts, analysis }: OpenAnalysis): string => facts?.fen ?? fenOf(analysis);

const mayPlayFrom = ({ facts }: OpenAnalysis): boolean => (facts?.legal.length ?? 0) > 0;

function ToGame({ id }: { readonly id: GameId }) {
  return (
    <PageLink class="to-game" to={{ at: "game", id }}>
      {useText().analysis.toGame}
    </PageLink>
  );
}

function Steps({ game, shown, found, isPhone, flip }: PartsProps) {
  const { analysis, go } = shown;
  const { tree, path } = analysis;
  const { ply, noteOf, analyseAnew } = found;
  const fen = shownFen(shown);
  const place = game && ply !== null ? { game: game.id, ply, fen: null } : { game: null, ply: null, fen };
  return (
    <StepButtons
      first={() => go([])}
      back={() => go(path.slice(0, -1))}
      forward={() => go(forward(tree, path))}
      last={() => go(lastOf(analysis))}
      flip={flip}
    >
      <MoreMenu
        hasWays={!isPhone}
        mayPlay={mayPlayFrom(shown)}
        analysis={analysis}
        game={game?.id ?? null}
        noteOf={noteOf}
        analyseAnew={analyseAnew}
        fen={fen}
        address={pathOf({ at: "analysis", ...place })}
      />
    </StepButtons>
  );
}
