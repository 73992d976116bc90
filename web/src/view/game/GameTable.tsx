/**
 * A game on the screen: board, players, moves, what is open and what can be done; for players and spectators alike.
 *
 * Joins the pure parts: what may be done (`rights`), what the hand does (`table`), what was played (`line`).
 */
import { useEffect } from "preact/hooks";
import { squareOf } from "../../chess/square";
import { type Color, other, readUci } from "../../chess/square";
import { castlingOf } from "../../chess/position";
import { tableOf } from "../../state/app";
import type { Game } from "../../state/game";
import { lineOf } from "../../state/line";
import { rightsOf } from "../../state/rights";
import { type Hand, aim, cancel, pick, promote, seen, stepTo, tap, targets } from "../../state/table";
import { showControl } from "../../text/words";
import { Board, type Marks } from "../board/Board";
import { useApp, useStore, useText } from "../context";
import { Actions } from "./Actions";
import { ConnectionLine } from "./ConnectionLine";
import { MoveList } from "./MoveList";
import { PlayerBar } from "./PlayerBar";
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
  const shown = table.cursor === null ? now : line[Math.max(0, table.cursor - first)];
  const bottom = table.flipped ? other(seat ?? "white") : (seat ?? "white");
  const hand = handOf(game, seat, table.sent !== null, table.cursor !== null);
  const step = (ply: number): void => store.table(game.id, (old) => stepTo(old, ply, game.plyCount));
  const flip = (): void => store.table(game.id, (old) => ({ ...old, flipped: !old.flipped }));

  useEffect(() => {
    const keys = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (/^(INPUT|SELECT|TEXTAREA)$/u.test(target.tagName) || target.closest("[role=dialog]")) return;
      const far = game.plyCount;
      const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -far, ArrowDown: far, Home: -far, End: far }[event.key];
      if (by !== undefined) store.table(game.id, (old) => stepTo(old, Math.max(0, (old.cursor ?? far) + by), far));
      else if (event.key === "f") flip();
      else if (event.key === "Escape") store.table(game.id, cancel);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, [game, table]);

  if (!now || !shown) return null;
  const position = table.cursor === null ? seen(shown, table, game.on) : shown;
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
        <MoveList game={game} cursor={table.cursor} times={game.phase === "ended"} step={step} flip={flip} />
        <Status game={game} seat={seat} table={table} position={now} />
        <Actions game={game} seat={seat} rights={rightsOf(game, seat)} line={line} />
        <TypedInput game={game} seat={seat} hand={hand} position={now} line={line} />
        <Share game={game} fen={table.cursor === null ? game.fen : null} position={shown} />
        <ConnectionLine game={game} />
      </div>
    </main>
  );
}

/** What the hand may do: the server's moves in one's turn, wishes in the other's, nothing while looking back. */
function handOf(game: Game, seat: Color | null, isSent: boolean, looksBack: boolean): Hand {
  if (seat === null || game.phase !== "playing" || looksBack) return { kind: "look" };
  if (game.turn && !isSent) return { kind: "move", legal: game.turn.legal, color: seat };
  const theirs = (game.fen.split(" ")[1] === "w") !== (seat === "white");
  return theirs || isSent ? { kind: "premove", color: seat } : { kind: "look" };
}

function marksOf(game: Game, table: ReturnType<typeof tableOf>, position: Parameters<typeof targets>[0], hand: Hand): Marks {
  const live = table.cursor === null;
  const ply = live ? game.plies[game.plies.length - 1] : game.plies.find((one) => one.ply === table.cursor);
  const uci = live && table.sent?.on === game.on ? table.sent.uci : ply?.uci;
  const san = ply?.san ?? "";
  const isCheck = live ? game.check !== null && !table.sent : /[+#]$/u.test(san);
  return {
    lastMove: squaresOf(uci),
    check: isCheck ? kingOf(position) : null,
    picked: table.picked,
    targets: table.picked === null ? [] : targets(position, hand, table.picked),
    premove: live ? squaresOf(table.premove ?? undefined) : [],
  };
}

function squaresOf(uci: string | undefined): number[] {
  const move = uci === undefined ? null : readUci(uci);
  return move ? [move.from, move.to] : [];
}

function kingOf(position: Parameters<typeof castlingOf>[0]): number | null {
  const at = position.board.findIndex((piece) => piece?.role === "k" && piece.color === position.turn);
  return at < 0 ? squareOf("") : at;
}

/** The clocks at an earlier ply of a finished game; a game in progress shows its running ones. */
function pastClocks(game: Game, cursor: number | null): { white: number | null; black: number | null } | null {
  if (cursor === null || game.phase !== "ended") return null;
  const ply = game.plies.find((one) => one.ply === cursor);
  return ply ? { white: ply.white_ms, black: ply.black_ms } : null;
}
