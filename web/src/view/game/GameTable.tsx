/**
 * A game on the screen: board, players, moves, what is open and what can be done; for players and spectators alike.
 *
 * Joins the pure parts: what may be done (`rights`), what the hand does (`table`), what was played (`line`).
 */
import { useEffect, useMemo, useState } from "preact/hooks";
import { type Color, other } from "../../chess/square";
import { tableOf } from "../../state/app";
import type { Game } from "../../state/game";
import { firstClock } from "../../state/clock";
import { lineOf } from "../../state/line";
import { proofMoves, proofPositions } from "../../state/proof";
import { rightsOf } from "../../state/rights";
import { aim, cancel, pick, promote, seen, stepTo, tap } from "../../state/table";
import { showControl } from "../../text/words";
import { Board } from "../board/Board";
import { useApp, useStore, useText } from "../context";
import { Actions, type Question } from "./Actions";
import { Chat, ChatButton } from "./Chat";
import { ConnectionLine } from "./ConnectionLine";
import { MoveList } from "./MoveList";
import { useKeys } from "./keys";
import { handOf, marksOf } from "./marks";
import { PlayerBar } from "./PlayerBar";
import { ResignQuestion } from "./ResignQuestion";
import { Share } from "./Share";
import { Status } from "./Status";
import { TypedInput } from "./TypedInput";

interface Props {
  readonly game: Game;
  readonly seat: Color | null;
}

export function GameTable({ game, seat }: Props) {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const table = tableOf(app, game.id);
  const line = lineOf(game);
  const now = line[line.length - 1];
  const first = game.plyCount - (line.length - 1);
  const proof = useMemo(() => (table.proof === null || !now ? null : proofPositions(now, proofMoves(game.outcome))), [table.proof === null, game]);
  const shown = proof && table.proof !== null ? proof[table.proof] : table.cursor === null ? now : line[Math.max(0, table.cursor - first)];
  const bottom = table.flipped ? other(seat ?? "white") : (seat ?? "white");
  const hand = handOf(game, seat, table);
  const step = (ply: number): void => store.table(game.id, (old) => stepTo(old, ply, game.plyCount));
  const flip = (): void => store.table(game.id, (old) => ({ ...old, flipped: !old.flipped }));
  useKeys(game, flip);
  const [asking, ask] = useState<Question | null>(null);
  useEffect(() => ask((what) => (what === "resign" && game.phase === "playing" ? what : null)), [game.on, game.phase]);

  if (!now || !shown) return null;
  const position = table.cursor === null && proof === null ? seen(shown, table, game.on) : shown;
  const marks = marksOf(game, table, position, hand);
  const past = pastClocks(game, table.cursor);
  return (
    <main id="content" class="game">
      <h1 class="unseen">
        {game.players.white.name} – {game.players.black.name}
      </h1>
      <div class="table">
        <PlayerBar game={game} color={other(bottom)} seat={seat} past={past} />
        <Board
          position={position}
          bottom={bottom}
          marks={marks}
          hand={hand.kind === "look" ? null : hand.color}
          promoting={table.promoting}
          tap={(square) => {
            if (table.cursor !== null && seat !== null && game.phase === "playing") step(game.plyCount);
            else store.step(game, tap(table, position, hand, square));
          }}
          take={(square) => store.table(game.id, (old) => (old.picked === square ? old : pick(old, position, hand, square)))}
          drop={(from, to) => {
            if (to === null || to === from) return;
            store.step(game, aim({ ...table, picked: null }, position, hand, from, to));
          }}
          cancel={() => store.table(game.id, cancel)}
          promote={(role) => store.step(game, promote(table, position, hand, role))}
        />
        <PlayerBar game={game} color={bottom} seat={seat} past={past} />
      </div>
      <div class="side">
        <p class="details">
          {text.game.details(text.profiles[game.options.profile].name, showControl(text, game.control))}
          {game.variant === "chess960" && " · Chess960"}
          {game.watchers > 0 && <span class="watchers"> · {text.game.watchers(game.watchers)}</span>}
        </p>
        <MoveList game={game} cursor={table.cursor} times={game.phase === "ended"} step={step} flip={flip}>
          <ChatButton game={game} isPlayer={seat !== null} />
        </MoveList>
        {asking === "resign" ? <ResignQuestion game={game.id} close={() => ask(null)} /> : <Status game={game} seat={seat} table={table} position={now} />}
        <Actions game={game} seat={seat} rights={rightsOf(game, seat)} line={line} asking={asking} ask={ask} />
        <TypedInput game={game} seat={seat} hand={hand} position={now} line={line} />
        <Share game={game} fen={table.cursor === null && proof === null ? game.fen : null} position={shown} />
        <ConnectionLine game={game} />
      </div>
      <Chat game={game} isPlayer={seat !== null} />
    </main>
  );
}

/** The clocks at an earlier ply of a finished game; a game in progress shows its running ones. */
function pastClocks(game: Game, cursor: number | null): { white: number | null; black: number | null } | null {
  if (cursor === null || game.phase !== "ended") return null;
  if (cursor === 0) return { white: firstClock(game.control, "white"), black: firstClock(game.control, "black") };
  const ply = game.plies.find((one) => one.ply === cursor);
  return ply ? { white: ply.white_ms, black: ply.black_ms } : null;
}
