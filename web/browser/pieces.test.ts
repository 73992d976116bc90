/**
 * The pieces as the settings have them: the sets, told apart at 36 px; how they move; coordinates; marks of legal moves.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PIECE_SETS } from "../src/state/settings";
import { CELTIC } from "../src/view/board/pieceSets/celtic";
import { CLASSIC } from "../src/view/board/pieceSets/classic";
import { FANTASY } from "../src/view/board/pieceSets/fantasy";
import { GEOMETRIC } from "../src/view/board/pieceSets/geometric";
import { KOSAL } from "../src/view/board/pieceSets/kosal";
import { MODERN } from "../src/view/board/pieceSets/modern";
import { ROUND } from "../src/view/board/pieceSets/round";
import { STAUNTON } from "../src/view/board/pieceSets/staunton";
import { having, sees, square, startGame, type } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const SMALL_PX = 36;

describe.each([
  ["staunton", STAUNTON],
  ["classic", CLASSIC],
  ["celtic", CELTIC],
  ["fantasy", FANTASY],
  ["kosal", KOSAL],
  ["modern", MODERN],
  ["geometric", GEOMETRIC],
  ["round", ROUND],
] as const)("%s", (_, shapes) => {
  test("at 36 px each piece is large, and no two silhouettes are alike", async () => {
    const { page, url } = await server.person();
    await page.goto(url);
    const bodies = Object.entries(shapes).map(([role, { body }]) => [role, [...body]] as const);
    const drawn = await page.evaluate(
      ([pieces, size]) =>
        pieces.map(([role, body]) => {
          const canvas = new OffscreenCanvas(size, size).getContext("2d", { willReadFrequently: true });
          if (!canvas) throw new Error("no canvas");
          canvas.scale(size / 48, size / 48);
          for (const d of body) canvas.fill(new Path2D(d));
          const { data } = canvas.getImageData(0, 0, size, size);
          return { role, inside: Array.from({ length: size * size }, (_, n) => (data[n * 4 + 3] ?? 0) > 127) };
        }),
      [bodies, SMALL_PX] as const,
    );
    expect(drawn.map(({ role }) => role).sort()).toEqual(["b", "k", "n", "p", "q", "r"]);
    for (const { role, inside } of drawn) {
      const columns = inside.flatMap((is, n) => (is ? [n % SMALL_PX] : []));
      const rows = inside.flatMap((is, n) => (is ? [Math.floor(n / SMALL_PX)] : []));
      const span = (places: number[]): number => (Math.max(...places) - Math.min(...places) + 1) / SMALL_PX;
      expect(span(columns), `width of ${role}`).toBeGreaterThanOrEqual(role === "p" ? 0.4 : 0.5);
      expect(span(rows), `height of ${role}`).toBeGreaterThanOrEqual(role === "p" ? 0.7 : 0.75);
    }
    for (const [n, one] of drawn.entries())
      for (const other of drawn.slice(n + 1)) {
        const either = one.inside.filter((is, at) => is || other.inside[at]).length;
        const differs = one.inside.filter((is, at) => is !== other.inside[at]).length;
        expect(differs / either, `${one.role} and ${other.role}`).toBeGreaterThan(0.15);
      }
  });
});

test("each set is drawn on the board; the simple one has the letters of the reader's language", async () => {
  const bodies = new Set<string>();
  for (const pieces of PIECE_SETS) {
    const person = await server.person({ ...having(server, { pieces, language: "de" }) });
    await person.page.goto(person.url);
    await person.page.locator("#piece-k path").first().waitFor({ state: "attached" });
    bodies.add((await person.page.locator("#piece-k path").first().getAttribute("d")) ?? "");
    const letters = await person.page.locator("symbol text").allTextContents();
    expect(letters).toEqual(pieces === "simple" ? ["S", "L", "T", "D", "K"] : []);
    expect(person.errors).toEqual([]);
  }
  expect(bodies.size).toBe(PIECE_SETS.length);
});

test("a set is loaded only when it is wanted; if that fails the pieces stay, and it is said", {
  tags: "nightly",
}, async () => {
  const { page, url } = await server.person();
  const asked: string[] = [];
  await page.route(/(classic|celtic|fantasy|kosal|modern|geometric|round|simple)-[^/]*\.js$/u, (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  await page.goto(url);
  const king = page.locator("#piece-k path").first();
  await king.waitFor({ state: "attached" });
  expect(asked).toEqual([]);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("radio", { name: "Round" }).check({ force: true });
  await page.getByText("These pieces could not be loaded. Try again later.").first().waitFor({ state: "attached" });
  expect(asked.some((file) => file.includes("round"))).toBe(true);
  expect(await king.getAttribute("d")).toBe(STAUNTON.k.body[0]);
});

test("a piece glides to its square, unless the setting or the system says no", async () => {
  for (const [options, glides] of [
    [{}, true],
    [having(server, { animation: false }), false],
    [{ reducedMotion: "reduce" }, false],
  ] as const) {
    const { white, black } = await startGame(server, {}, { white: options });
    await white.page.evaluate(() => {
      const { animate } = Element.prototype;
      Element.prototype.animate = function (...asked) {
        document.documentElement.dataset.glides = "yes";
        return animate.apply(this, asked);
      };
    });
    await type(white.page, "e4");
    await type(black.page, "e5");
    await sees(white.page, "e5", "bp");
    expect(await white.page.locator("html").getAttribute("data-glides"), JSON.stringify(options)).toBe(
      glides ? "yes" : null,
    );
    await white.context.close();
    await black.context.close();
  }
});

test.each([320, 390])(
  "on a board of %i px a square's name has a sharp outline of its square, which ends with it",
  { tags: "nightly" },
  async (width) => {
    const { black } = await startGame(server, {}, { black: { viewport: { width, height: 800 } } });
    const outlines = await black.page.evaluate(() => {
      const cells = [...document.querySelectorAll(".board .cell")];
      const [ranks = [], files = []] = [".ranks span", ".files span"].map((what) => [
        ...document.querySelectorAll(what),
      ]);
      const named = [...ranks.map((name, n) => [name, cells[n * 8]]), ...files.map((name, n) => [name, cells[56 + n]])];
      return named.map(([name, cell]) => {
        const ground = cell ? getComputedStyle(cell).backgroundColor : "";
        const parts = name ? getComputedStyle(name).textShadow.split(/,\s*(?=\w+\()/u) : [];
        const lengths = parts.map((part) => part.replace(ground, "").trim().split(" ").map(Number.parseFloat));
        const [box, square] = [name, cell].map((one) => one?.getBoundingClientRect() ?? new DOMRect());
        return {
          isWithin:
            name !== undefined &&
            getComputedStyle(name).overflow === "hidden" &&
            box !== undefined &&
            square !== undefined &&
            box.left >= square.left - 1 &&
            box.right <= square.right + 1 &&
            box.top >= square.top - 1 &&
            box.bottom <= square.bottom + 1,
          isOfSquare: ground !== "" && parts.every((part) => part.startsWith(ground)),
          blur: Math.max(...lengths.map(([, , blur = 0]) => blur)),
          least: Math.min(...lengths.map(([x = 0, y = 0]) => Math.hypot(x, y))),
        };
      });
    });
    expect(outlines.length).toBe(16);
    for (const { isWithin, isOfSquare, blur, least } of outlines) {
      expect([isWithin, isOfSquare, blur]).toEqual([true, true, 0]);
      expect(least).toBeGreaterThanOrEqual(1.2);
    }
  },
);

test.each([390, 1_440])(
  "the names of squares stand where no piece has a part: %s px",
  { tags: "nightly" },
  async (width) => {
    const { black } = await startGame(server, {}, { black: { viewport: { width, height: 740 } } });
    const met = await black.page.evaluate(() => {
      const board = document.querySelector(".board")?.getBoundingClientRect() ?? new DOMRect();
      const pen = new OffscreenCanvas(1, 1).getContext("2d");
      if (!pen) throw new Error("no canvas");
      const shapes = [...document.querySelectorAll<SVGGeometryElement>(".symbols .shape")];
      const side = board.width / 8;
      return [...document.querySelectorAll(".game .coordinates span")].flatMap((name) => {
        const range = document.createRange();
        range.selectNodeContents(name);
        const box = range.getBoundingClientRect();
        const { fontWeight, fontSize, fontFamily } = getComputedStyle(name);
        pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
        const ink = pen.measureText(name.textContent ?? "");
        const line = box.top + ink.fontBoundingBoxAscent;
        // Where it is in its square, as pieces are drawn: on 48 by 48.
        const at = (px: number, from: number): number => ((((px - from) % side) + side) % side) * (48 / side);
        const [left, top] = [at(box.left, board.left), at(line - ink.actualBoundingBoxAscent + 1, board.top)];
        const [wide, high] = [box.width, ink.actualBoundingBoxAscent - 1].map((px) => (px * 48) / side);
        for (let x = left; x <= left + (wide ?? 0); x += 0.5)
          for (let y = top; y <= top + (high ?? 0); y += 0.5)
            if (shapes.some((shape) => shape.isPointInFill(new DOMPoint(x, y)))) return [name.textContent];
        return [];
      });
    });
    expect(met).toEqual([]);
  },
);

test("coordinates can be off", { tags: "nightly" }, async () => {
  const { white, black } = await startGame(server, {}, { white: having(server, { coordinates: false }) });
  expect(await black.page.locator(".coordinates").count()).toBe(1);
  expect(await white.page.locator(".coordinates").count()).toBe(0);
});

test("where a piece may go is marked, unless that is off, and it goes there all the same", async () => {
  const { white, black } = await startGame(server, {}, { black: having(server, { legalMoves: false }) });
  const marked = (page: Page) => page.locator(".cell.target").count();
  await square(white.page, "e2").click();
  await expect.poll(() => marked(white.page)).toBe(2);
  await square(white.page, "e4").click();
  await sees(black.page, "e4", "wp");
  await square(black.page, "e7").click();
  await black.page.locator(".cell.selected").waitFor();
  expect(await marked(black.page)).toBe(0);
  await square(black.page, "e5").click();
  await sees(white.page, "e5", "bp");
});
