/**
 * A game on the screen, for players and spectators: board, players, moves, status, actions, chat.
 *
 * Joins the pure parts: available actions, board input, positions.
 */
import { useEffect, useMemo, useState } from "preact/hooks";
import { type Game, firstClock } from "zeitnot-client";
import { type Color, other } from "../../chess/square";
import { inputOf } from "../../state/app";
import { positionsOf } from "../../state/positions";
import { proofMoves, proofPositions } from "../../state/proof";
import { availableActionsOf } from "../../state/availableActions";
import { attempt, cancel, flip as flipBoard, select, promote, displayed, stepTo, tap } from "../../state/boardInput";
import { showControl } from "../../text/words";
import { Board } from "../board/Board";
import { useApp, useStore, useText } from "../context";
import { Actions, type Question } from "./Actions";
import { Chat, ChatButton } from "./Chat";
import { ConnectionLine } from "./ConnectionLine";
import { MoveList } from "./MoveList";
import { useKeys } from "./keys";
import { useResultCard } from "./openCard";
import { inputModeOf, marksOf } from "./marks";
import { PlayerBar } from "./PlayerBar";
import { ResignQuestion } from "./ResignQuestion";
import { ResultCard } from "./ResultCard";
import { Share } from "./Share";
import { Status } from "./Status";
import { TypedInput } from "./TypedInput";

interface Props {
  readonly game: Game;
  readonly seat: Color | null;
}

export function GameView({ game, seat }: Props) {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const input = inputOf(app, game.id);
  const positions = positionsOf(game);
  const now = positions[positions.length - 1];
  const first = game.plyCount - (positions.length - 1);
  const proof = useMemo(
    () => (input.proof === null || !now ? null : proofPositions(now, proofMoves(game.outcome))),
    [input.proof === null, game],
  );
  const shown =
    proof && input.proof !== null
      ? proof[input.proof]
      : input.cursor === null
        ? now
        : positions[Math.max(0, input.cursor - first)];
  const bottom = input.flipped ? other(seat ?? "white") : (seat ?? "white");
  const mode = inputModeOf(game, seat, input);
  const step = (ply: number): void => store.updateInput(game.id, (old) => stepTo(old, ply, game.plyCount));
  const flip = (): void => store.updateInput(game.id, flipBoard);
  useKeys(game, flip);
  const [asking, ask] = useState<Question | null>(null);
  useEffect(() => ask((what) => (what === "resign" && game.phase === "playing" ? what : null)), [game.on, game.phase]);
  const card = useResultCard(game, seat, input.cursor);

  if (!now || !shown) return null;
  const position = input.cursor === null && proof === null ? displayed(shown, input, game.on) : shown;
  const marks = marksOf(game, input, position, mode);
  const past = pastClocks(game, input.cursor);
  return (
    <main id="content" class="game">
      <h1 class="visually-hidden">
        {game.players.white.name} – {game.players.black.name}
      </h1>
      <div class="board-column">
        <PlayerBar game={game} color={other(bottom)} seat={seat} past={past} />
        <Board
          position={position}
          bottom={bottom}
          marks={marks}
          movable={mode.kind === "look" ? null : mode.color}
          promoting={input.promoting}
          tap={(square) => {
            if (input.cursor !== null && seat !== null && game.phase === "playing") step(game.plyCount);
            else store.applyInput(game, tap(input, position, mode, square));
          }}
          take={(square) =>
            store.updateInput(game.id, (old) => (old.selected === square ? old : select(old, position, mode, square)))
          }
          drop={(from, to) => {
            if (to === null || to === from) return;
            store.applyInput(game, attempt({ ...input, selected: null }, position, mode, from, to));
          }}
          cancel={() => store.updateInput(game.id, cancel)}
          promote={(role) => store.applyInput(game, promote(input, position, mode, role))}
        />
        {card.isOpen && input.proof === null && <ResultCard game={game} seat={seat} close={card.close} />}
        <PlayerBar game={game} color={bottom} seat={seat} past={past} />
      </div>
      <div class="side">
        <p class="details">
          {text.game.details(text.profiles[game.options.profile].name, showControl(text, game.control))}
          {game.variant === "chess960" && " · Chess960"}
          {game.watchers > 0 && <span class="watchers"> · {text.game.watchers(game.watchers)}</span>}
        </p>
        <MoveList game={game} cursor={input.cursor} times={game.phase === "ended"} step={step} flip={flip}>
          <ChatButton game={game} isPlayer={seat !== null} />
        </MoveList>
        {asking === "resign" ? (
          <ResignQuestion game={game.id} close={() => ask(null)} />
        ) : (
          <Status game={game} seat={seat} input={input} position={now} card={card} />
        )}
        <Actions
          game={game}
          seat={seat}
          available={availableActionsOf(game, seat)}
          positions={positions}
          asking={asking}
          ask={ask}
        />
        <TypedInput game={game} seat={seat} mode={mode} position={now} positions={positions} />
        <Share game={game} fen={input.cursor === null && proof === null ? game.fen : null} position={shown} />
        <ConnectionLine game={game} />
      </div>
      <Chat game={game} isPlayer={seat !== null} />
    </main>
  );
}

/** The clocks at an earlier ply of a finished game; null shows the current ones. */
function pastClocks(game: Game, cursor: number | null): { white: number | null; black: number | null } | null {
  if (cursor === null || game.phase !== "ended") return null;
  if (cursor === 0) return { white: firstClock(game.control, "white"), black: firstClock(game.control, "black") };
  const ply = game.plies.find((one) => one.ply === cursor);
  return ply ? { white: ply.white_ms, black: ply.black_ms } : null;
}
