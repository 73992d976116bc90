/**
 * A game in a frame on another site: the board, both players with their clocks, how it ended, and a link to the page.
 *
 * Watches only: there is nothing here that a click by mistake could do.
 */
import { useEffect, useState } from "preact/hooks";
import { type Game, shown } from "zeitnot-client";
import type { Color } from "../chess/square";
import { TENTHS_BELOW_MS, writeClock } from "../state/clock";
import type { Catalogue } from "../text";
import { showReason, showResult, showSan } from "../text/words";
import { MiniBoard } from "../view/board/MiniBoard";
import { SymbolsOf } from "../view/board/pieces";
import { STAUNTON } from "../view/board/pieceSets/staunton";
import type { Watched } from "./watching";

const TICK_MS = 100;

interface Props extends Watched {
  readonly text: Catalogue;
  /** The side at the bottom. */
  readonly bottom: Color;
}

export function EmbeddedGame({ game, state, text, bottom }: Props) {
  if (state === "unknown") return <p class="embed-note">{text.codes.unknown_game}</p>;
  if (!game) return <p class="embed-note">{text.link.connecting}</p>;
  const top = bottom === "white" ? "black" : "white";
  const last = game.plies.at(-1);
  return (
    <main class="embed">
      <h1 class="visually-hidden">{text.lobby.lookAt(game.players.white.name, game.players.black.name)}</h1>
      <SymbolsOf shapes={STAUNTON} letters={text.letters} />
      <Side game={game} color={top} text={text} />
      <div class="embed-board">
        <MiniBoard fen={game.fen} last={last?.uci} bottom={bottom} />
      </div>
      <Side game={game} color={bottom} text={text} />
      <p class="embed-foot">
        <a href={`/${game.id}`} target="_blank" rel="noopener">
          Zeitnot
        </a>
        <span role="status">{state === "waiting" ? text.link.waiting : said(game, text)}</span>
      </p>
    </main>
  );
}

/** The end of the game, or its last move. */
function said(game: Game, text: Catalogue): string {
  if (game.outcome) return `${showResult(text, game.outcome, null)} · ${showReason(text, game.outcome, null)}`;
  const last = game.plies.at(-1);
  return last ? `${Math.ceil(last.ply / 2)}${last.ply % 2 ? "." : " …"} ${showSan(text, last.san)}` : "";
}

function Side({ game, color, text }: { game: Game; color: Color; text: Catalogue }) {
  const { name, rating, provisional } = game.players[color];
  return (
    <p class="embed-side">
      <span class="embed-name">
        {name}
        {rating !== undefined && rating !== null && ` ${rating}${provisional ? "?" : ""}`}
      </span>
      {game.clocks && <Time game={game} color={color} label={text.game.clockOf(text.sides[color])} />}
    </p>
  );
}

function Time({ game, color, label }: { game: Game; color: Color; label: string }) {
  const [, tick] = useState(0);
  const runs = game.clocks?.running === color;
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => tick((n) => n + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [runs]);
  if (!game.clocks) return null;
  const left = shown(game.clocks, performance.now())[color];
  const low = runs && left < TENTHS_BELOW_MS;
  return (
    <span class={`embed-clock${runs ? " running" : ""}${low ? " low" : ""}`} role="timer" aria-label={label}>
      {writeClock(left)}
    </span>
  );
}
