/**
 * The contrast of everything that is marked on a board, computed from the colours of the style sheets as the browser
 * resolves them: every board, light and dark. Marks and pieces have 3:1 at least, the names of squares 4.5:1.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BOARD_COLORS } from "../src/state/settings";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

type Rgb = readonly [number, number, number];

/** The cell, and what it has to be told from: an edge, a ring, a dot, a piece or a name upon it. */
const FILLS = ["", "last", "premove", "selected", "check"] as const;
const EDGES = { last: "--last-edge", premove: "--premove-edge", selected: "--mark", check: "--check-edge" } as const;
const DRAWN = ["--drawn-green", "--drawn-red", "--drawn-blue", "--drawn-yellow"] as const;
/** The `fill-opacity` of `.drawings path`. */
const DRAWN_OPACITY = 0.9;

/**
 * Resolves what style sheets say to colours: cells by their classes, and custom properties. A cell with a grain has two
 * fills: without it, and where it is darkest.
 */
async function colours(page: Page, cells: readonly string[], properties: readonly string[]) {
  const found = await page.evaluate(
    async ([classes, names]) => {
      const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
      const rgb = (colour: string): [number, number, number] => {
        if (!canvas) throw new Error("no canvas");
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [r = 0, g = 0, b = 0] = canvas.getImageData(0, 0, 1, 1).data;
        return [r, g, b];
      };
      const darkest = async (grain: string, fill: string): Promise<[number, number, number]> => {
        const image = new Image();
        image.src = grain;
        await image.decode();
        const { width, height } = image;
        const pen = new OffscreenCanvas(width, height).getContext("2d");
        if (!pen) throw new Error("no canvas");
        pen.fillStyle = fill;
        pen.fillRect(0, 0, width, height);
        pen.drawImage(image, 0, 0);
        const { data } = pen.getImageData(0, 0, width, height);
        const sums = Array.from({ length: width * height }, (_, n) =>
          data.slice(4 * n, 4 * n + 3).reduce((sum, part) => sum + part, 0),
        );
        const at = 4 * sums.indexOf(sums.reduce((least, sum) => Math.min(least, sum)));
        return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
      };
      const probe = document.createElement("div");
      document.body.append(probe);
      const cellColours = [];
      for (const name of classes) {
        probe.className = name;
        const { backgroundColor, backgroundImage } = getComputedStyle(probe);
        // The check is a gradient: its middle is what lies under the king and the edge of the square under the edge.
        const [middle] = backgroundImage.match(/rgba?\([^)]*\)|color\([^)]*\)/u) ?? [];
        const [, grain] = backgroundImage.match(/url\("([^"]*)"\)/u) ?? [];
        const fills = [rgb(backgroundColor)];
        if (grain) fills.push(await darkest(grain, backgroundColor));
        cellColours.push({ fills, middles: middle ? [rgb(middle)] : fills });
      }
      probe.className = "";
      const values = names.map((name) => {
        probe.style.color = `var(${name})`;
        return rgb(getComputedStyle(probe).color);
      });
      probe.remove();
      return { cellColours, values };
    },
    [[...cells], [...properties]] as const,
  );
  return {
    cell: (name: string) => found.cellColours[cells.indexOf(name)] ?? { fills: [BLACK], middles: [BLACK] },
    value: (name: string): Rgb => found.values[properties.indexOf(name)] ?? BLACK,
  };
}

const BLACK: Rgb = [0, 0, 0];

/** The parts of an sRGB colour as shares of light. */
function linear(colour: Rgb): Rgb {
  return colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
}

/** WCAG 2.2, relative luminance and contrast ratio. */
function luminance(colour: Rgb): number {
  const [r, g, b] = linear(colour);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const over = (top: Rgb, share: number, below: Rgb): Rgb =>
  top.map((part, n) => part * share + (below[n] ?? 0) * (1 - share)) as unknown as Rgb;

test("the measure itself: black on white is 21:1, a colour on itself 1:1", () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
  expect(contrast([120, 130, 140], [120, 130, 140])).toBe(1);
});

test.each(["light", "dark"] as const)("everything on every board can be told apart: %s", async (colorScheme) => {
  const { page, url } = await server.person({ colorScheme });
  await page.goto(url);
  const low: string[] = [];
  for (const board of BOARD_COLORS) {
    await page.evaluate((name) => {
      document.documentElement.dataset.boardColors = name;
    }, board);
    const cells = ["light", "dark"].flatMap((shade) => FILLS.map((fill) => `cell ${shade} ${fill}`.trim()));
    const pieces = ["--white-fill", "--white-line", "--black-fill", "--black-detail"];
    const { cell, value } = await colours(page, cells, [
      ...Object.values(EDGES),
      ...DRAWN,
      ...pieces,
      "--drawn-halo",
      "--square-name",
      "--square-light",
      "--square-dark",
    ]);
    const want = (least: number, what: string, one: Rgb, other: Rgb): void => {
      const ratio = contrast(one, other);
      if (ratio < least) low.push(`${board}: ${what}: ${ratio.toFixed(2)} of ${least}`);
    };
    for (const name of cells) {
      const { fills, middles } = cell(name);
      for (const middle of middles) {
        want(3, `a target on ${name}`, value("--mark"), middle);
        want(3, `a white piece on ${name}`, value("--white-line"), middle);
        want(3, `a black piece on ${name}`, value("--black-fill"), middle);
      }
      for (const [mark, edge] of Object.entries(EDGES))
        for (const fill of fills) if (name.endsWith(mark)) want(3, `the edge of ${name}`, value(edge), fill);
      for (const fill of fills) want(4.5, `the name of ${name}`, value("--square-name"), fill);
      for (const fill of fills)
        for (const drawn of DRAWN) {
          const core = over(value(drawn), DRAWN_OPACITY, fill);
          const line = value("--drawn-halo");
          // Dark within a light line: one of the two is told from any square.
          want(3, `${drawn} on ${name}`, contrast(core, fill) > contrast(line, fill) ? core : line, fill);
          want(3, `${drawn} beside its line on ${name}`, core, line);
        }
    }
    want(3, "lines on white pieces", value("--white-line"), value("--white-fill"));
    want(3, "lines on black pieces", value("--black-detail"), value("--black-fill"));
    want(4.5, "the number of a premove", [255, 255, 255], value("--premove-edge"));
    want(3, "white and black pieces", value("--white-fill"), value("--black-fill"));
    want(1.8, "the squares", value("--square-light"), value("--square-dark"));
  }
  expect(low).toEqual([]);
});

test("the king in check has a thicker edge than other marks: a wide piece covers the middle", async () => {
  const { page, url } = await server.person();
  await page.goto(url);
  const edges = await page.evaluate(() =>
    ["cell dark last", "cell dark check"].map((name) => {
      const probe = document.createElement("div");
      probe.className = name;
      document.body.append(probe);
      const { boxShadow } = getComputedStyle(probe);
      probe.remove();
      return Math.max(...(boxShadow.match(/[\d.]+(?=px)/gu) ?? []).map(Number));
    }),
  );
  expect(edges[1]).toBeGreaterThanOrEqual(1.5 * (edges[0] ?? Number.NaN));
  expect(edges[1]).toBeGreaterThanOrEqual(2.5);
});

/** How far apart two colours are to the eye: their distance in Oklab. */
function distance(one: Rgb, other: Rgb): number {
  const [a, b] = [oklab(one), oklab(other)];
  return Math.hypot(...a.map((part, n) => part - (b[n] ?? 0)));
}

function oklab(colour: Rgb): readonly number[] {
  const [r, g, b] = linear(colour);
  const l = Math.cbrt(0.4122 * r + 0.5363 * g + 0.0514 * b);
  const m = Math.cbrt(0.2119 * r + 0.6807 * g + 0.1074 * b);
  const s = Math.cbrt(0.0883 * r + 0.2817 * g + 0.63 * b);
  return [
    0.2105 * l + 0.7936 * m - 0.0041 * s,
    1.978 * l - 2.4286 * m + 0.4506 * s,
    0.0259 * l + 0.7828 * m - 0.8087 * s,
  ];
}

test.each(["light", "dark"] as const)(
  "no two boards with the same grain look alike: %s",
  { tags: "nightly" },
  async (colorScheme) => {
    const { page, url } = await server.person({ colorScheme });
    await page.goto(url);
    const seen: (readonly [string, Rgb, Rgb, string])[] = [];
    for (const board of BOARD_COLORS) {
      await page.evaluate((name) => {
        document.documentElement.dataset.boardColors = name;
      }, board);
      const { cell } = await colours(page, ["cell light", "cell dark"], []);
      const [[light = BLACK], [dark = BLACK]] = [cell("cell light").fills, cell("cell dark").fills];
      const grain = await page.locator("html").evaluate((html) => getComputedStyle(html).getPropertyValue("--grain"));
      seen.push([board, light, dark, grain]);
    }
    const alike = seen.flatMap(([one, light, dark, grain], n) =>
      seen
        .slice(n + 1)
        .filter((other) => other[3] === grain)
        .filter((other) => Math.max(distance(light, other[1]), distance(dark, other[2])) < 0.05)
        .map(([other]) => `${one} and ${other}`),
    );
    expect(alike).toEqual([]);
  },
);
