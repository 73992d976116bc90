/**
 * The moves of a game and the time that each took, with buttons to step through them. In small windows the same list is one
 * scrolling line, which has the times after the game.
 *
 * One tab stop; the arrow keys step from there.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { PlyView } from "#protocol";
import { type Game, isComplete, startTurn } from "zeitnot-client";
import { showFraction } from "../../text/numbers";
import { showSan, speakSan } from "../../text/words";
import { useText } from "../context";
import { Icon } from "../Icon";
import { hasModifier } from "../modifiers";

interface Props {
  readonly game: Game;
  readonly cursor: number | null;
  /** Further buttons of the row. */
  readonly children?: ComponentChildren;
  step(ply: number): void;
  flip(): void;
}

interface Row {
  readonly number: number;
  readonly white: PlyView | null;
  readonly black: PlyView | null;
}

function rowsOf(game: Game): Row[] {
  const blackFirst = startTurn(game) === "black";
  const base = Number(game.startFen.split(" ")[5] ?? "1") || 1;
  const rows: { number: number; white: PlyView | null; black: PlyView | null }[] = [];
  for (const ply of game.plies) {
    const half = ply.ply - 1 + (blackFirst ? 1 : 0);
    const number = base + Math.floor(half / 2);
    let row = rows[rows.length - 1];
    if (row?.number !== number) {
      row = { number, white: null, black: null };
      rows.push(row);
    }
    row[half % 2 === 0 ? "white" : "black"] = ply;
  }
  return rows;
}

/**
 * Scrolls the current move into the middle, or the last one to the end. The one line of a small window begins with a whole
 * move: of a number that is cut, as of 11, another one is read.
 */
function showCurrent(box: HTMLElement): void {
  const now = box.querySelector<HTMLElement>("[aria-current]");
  if (!now) {
    box.scrollTo(0, 0);
    return;
  }
  const starts = [...box.querySelectorAll<HTMLElement>("li, .ply:last-child")];
  const last = starts[starts.length - 1] ?? now;
  const end = last.offsetLeft + last.offsetWidth;
  const wanted = Math.min(now.offsetLeft + (now.offsetWidth - box.clientWidth) / 2, end - box.clientWidth);
  const left = starts.find(({ offsetLeft }) => offsetLeft >= wanted)?.offsetLeft ?? wanted;
  box.style.setProperty("--after", `${Math.max(0, left + box.clientWidth - end)}px`);
  box.scrollTo({ top: now.offsetTop - box.clientHeight / 2, left });
}

export function MoveList({ game, cursor, children, step, flip }: Props) {
  const text = useText();
  const list = useRef<HTMLOListElement>(null);
  const at = cursor ?? game.plyCount;
  useEffect(() => {
    const box = list.current;
    if (!box) return;
    const show = (): void => showCurrent(box);
    show();
    const observer = new ResizeObserver(show);
    observer.observe(box);
    return () => observer.disconnect();
  }, [at, game.plyCount, game.phase]);

  const ply = (view: PlyView | null) => {
    if (!view) return <span class="ply none">…</span>;
    return (
      <button
        type="button"
        class="ply"
        tabIndex={view.ply === at || (at === 0 && view.ply === 1) ? 0 : -1}
        aria-current={view.ply === at ? "step" : undefined}
        onClick={() => step(view.ply)}
      >
        <span aria-hidden="true">{showSan(text, view.san)}</span>
        <span class="visually-hidden">{speakSan(text, view.san)}</span>
        {view.took !== null && <Took ms={view.took} />}
      </button>
    );
  };
  const keys = (event: KeyboardEvent): void => {
    const next = {
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      Home: 0,
      End: game.plyCount,
    }[event.key];
    if (next === undefined || hasModifier(event)) return;
    event.preventDefault();
    event.stopPropagation();
    step(Math.max(0, next));
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("[aria-current]")?.focus());
  };
  return (
    <section class={game.phase === "ended" ? "moves" : "moves playing"} aria-label={text.game.moves}>
      <ol ref={list} onKeyDown={keys}>
        {!isComplete(game) && <li class="quiet">{text.game.loadingMoves}</li>}
        {game.plyCount === 0 && <li class="quiet">{text.game.noMoves}</li>}
        {rowsOf(game).map((row) => (
          <li key={row.number}>
            <span class="number">{row.number}.</span>
            {ply(row.white)}
            {row.black ? ply(row.black) : <span class="ply none" />}
          </li>
        ))}
      </ol>
      <div class="steps">
        <button type="button" aria-label={text.game.first} title={text.game.first} onClick={() => step(0)}>
          <Icon name="first" />
        </button>
        <button
          type="button"
          aria-label={text.game.back}
          title={text.game.back}
          onClick={() => step(Math.max(0, at - 1))}
        >
          <Icon name="back" />
        </button>
        <button type="button" aria-label={text.game.forward} title={text.game.forward} onClick={() => step(at + 1)}>
          <Icon name="forward" />
        </button>
        <button type="button" aria-label={text.game.last} title={text.game.last} onClick={() => step(game.plyCount)}>
          <Icon name="last" />
        </button>
        <button type="button" aria-label={text.board.flip} title={text.board.flip} onClick={flip}>
          <Icon name="flip" />
        </button>
        {children}
      </div>
    </section>
  );
}

/** What a move took, behind it. */
export function Took({ ms }: { ms: number }) {
  const text = useText();
  const seconds = showFraction(text.tag, ms / 1000, 1);
  return (
    <>
      <span class="took" aria-hidden="true">
        {seconds}
      </span>
      <span class="visually-hidden">, {text.game.tookTime(seconds)}</span>
    </>
  );
}
