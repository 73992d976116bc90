/**
 * Clocks, for tests: what a page shows and what the server says, made comparable.
 *
 * Looks are taken at slightly different instants, so what is compared is when the flag would fall.
 */
import type { Page } from "playwright-core";

export type Color = "white" | "black";

export interface ServerClock {
  readonly running: Color | null;
  readonly white_ms: number;
  readonly black_ms: number;
  /** When the running clock's flag falls, in ms of Unix time; null when none runs. */
  readonly falls: number | null;
  /** By how much that may be wrong: half of the time from the question to the answer, which is taken for its middle. */
  readonly within: number;
}

/** The server's own word, asked for on a connection of its own. */
export function serverClock(page: Page, game: string): Promise<ServerClock> {
  return page.evaluate(
    (id) =>
      new Promise<ServerClock>((done, failed) => {
        const socket = new WebSocket(`${location.origin.replace("http", "ws")}/ws`);
        const patience = setTimeout(() => failed(new Error("the server did not say clock")), 10_000);
        socket.onclose = () => failed(new Error("the server closed the connection"));
        const clock = () => performance.timeOrigin + performance.now();
        let asked = 0;
        socket.onopen = () => {
          asked = clock();
          socket.send('{"t":"hello","d":{}}');
          socket.send(JSON.stringify({ t: "watch", d: { game: id } }));
        };
        socket.onmessage = (event: MessageEvent) => {
          const within = (clock() - asked) / 2;
          const now = asked + within;
          const { t, d } = JSON.parse(String(event.data)) as {
            t: string;
            d: { running: Color | null; white_ms: number; black_ms: number; stands_ms?: number; code?: string };
          };
          if (t === "rejected") failed(new Error(d.code));
          if (t !== "clock") return;
          clearTimeout(patience);
          socket.onclose = null;
          socket.close();
          const { running, white_ms, black_ms, stands_ms = 0 } = d;
          done({
            running,
            white_ms,
            black_ms,
            within,
            falls: running && now + stands_ms + (running === "white" ? white_ms : black_ms),
          });
        };
      }),
    game,
  );
}

export interface PageClock {
  readonly isRunning: boolean;
  readonly falls: number | null;
  /** What is written, in ms, and the least difference that can be written. */
  readonly written: number;
  readonly grain: number;
  /** What should be written at that instant. */
  readonly due: number;
}

/** A clock as a page shows it. */
export function pageClock(page: Page, color: Color): Promise<PageClock> {
  return page.evaluate((side) => {
    const clock = document.querySelector<HTMLElement>(`[data-color=${side}] [role=timer]`);
    const text = clock?.innerText ?? "";
    const parts = text.split(":").map(Number);
    const written = parts.reduce((sum, part) => sum * 60 + part, 0) * 1000;
    const falls = clock?.dataset.falls === undefined ? null : Number(clock.dataset.falls);
    const due =
      falls === null
        ? written
        : Math.min(falls - performance.timeOrigin - performance.now(), Number(clock?.dataset.stands ?? Infinity));
    return {
      isRunning: clock?.classList.contains("running") ?? false,
      falls,
      written,
      grain: text.includes(".") ? 100 : 1000,
      due,
    };
  }, color);
}
