/** By which pieces each player is ahead: shown beside the players, said to screen readers. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import { playOut, startGame } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("what a side has more of stands beside the players, one figure for each piece, and is said", async () => {
  const match = await startGame(server);
  await playOut(match, ["e4", "d5", "exd5", "Qxd5", "Nc3", "Qxg2", "Bxg2"]);
  const { page } = match.black;
  const by = (side: string) => page.getByRole("region", { name: side, exact: true }).locator(".material");
  expect(await by("White").innerText()).toContain("Has a queen more. Ahead by 8.");
  expect(await by("White").locator(".figure.black").count()).toBe(1);
  expect(await by("Black").innerText()).toContain("Has a pawn more.");
  expect(await by("Black").innerText()).not.toContain("Ahead");
  expect(await by("Black").locator(".figure.white").count()).toBe(1);
  await isClean(page, "material");
  // Looking back, it is what had been captured then.
  await page.getByRole("button", { name: "First position" }).click();
  await expect.poll(() => by("White").innerText()).toBe("");
});

test("a name stays where it is when the first piece is captured, on a phone and on a desk", {
  tags: "nightly",
}, async () => {
  const match = await startGame(server, {}, { black: { viewport: { width: 390, height: 740 } } });
  const names = () =>
    Promise.all(
      [match.white, match.black].map(({ page }) =>
        page.locator(".name-line").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top)),
      ),
    );
  const before = await names();
  await playOut(match, ["e4", "d5", "exd5"]);
  for (const { page } of [match.white, match.black]) await page.locator(".material .figure").waitFor();
  expect(await names()).toEqual(before);
});

test("they are large enough, those of different kinds apart from each other, and told from the page in light and dark", {
  tags: "nightly",
}, async () => {
  const fen = "4k3/pppp4/8/8/8/8/8/R1B1KB2 w - - 0 1";
  const match = await startGame(server, { fen });
  const { page } = match.white;
  for (const [width, height] of [
    [320, 568],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    const boxes = await page.locator(".material").evaluateAll((all) =>
      all.map((one) =>
        [...one.querySelectorAll("svg")].map((piece) => {
          const { left, right, height: high } = piece.getBoundingClientRect();
          return { left, right, high, isAgain: piece.classList.contains("again") };
        }),
      ),
    );
    expect(boxes.length).toBe(2);
    for (const pieces of boxes) {
      for (const piece of pieces) expect(piece.high, `${width}x${height}`).toBeGreaterThanOrEqual(20);
      for (const [index, piece] of pieces.slice(1).entries())
        if (!piece.isAgain) expect(piece.left).toBeGreaterThanOrEqual(pieces[index]?.right ?? 0);
    }
  }
  await page.setViewportSize({ width: 390, height: 740 });
  const gaps = await page.locator(".player:has(.material)").evaluateAll((all) =>
    all.map((one) => {
      const [name, figure] = [".name-line", ".figure"].map((part) => one.querySelector(part)?.getBoundingClientRect());
      return (figure?.top ?? 0) - (name?.bottom ?? 0);
    }),
  );
  expect(gaps.length).toBe(2);
  for (const gap of gaps) expect(gap, "between name and pieces").toBeGreaterThanOrEqual(2);
  const figure = page.locator(".material .figure").first();
  expect(await figure.evaluate((one) => getComputedStyle(one).overflow), "no outline is cut").toBe("visible");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const black = page.locator(".material .figure.black").first();
    const shape = await black.evaluate(contrastWithPage, ["--fill"]);
    expect(shape, `the shape of a black one, ${colorScheme}`).toBeGreaterThanOrEqual(3);
    // The discs of both sides look the same on either page: on the page's own colour one of them would be a ring.
    const disc = (side: string) => page.locator(`.player .disc.${side}`);
    const ground = await disc("black").evaluate(contrastWithPage, ["background-color"]);
    expect(ground, `the ground of a disc, ${colorScheme}`).toBeGreaterThanOrEqual(3);
    const looks = await Promise.all(
      ["white", "black"].map((side) =>
        disc(side).evaluate((one) => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor]),
      ),
    );
    expect(looks).toEqual([
      ["rgb(255, 255, 255)", "rgb(138, 129, 118)"],
      ["rgb(18, 16, 13)", "rgb(138, 129, 118)"],
    ]);
    for (const side of ["white", "black"]) {
      const best = await page
        .locator(`.material .figure.${side}`)
        .first()
        .evaluate(contrastWithPage, ["--fill", "--edge"]);
      expect(best, `${side}, ${colorScheme}`).toBeGreaterThanOrEqual(3);
      // The edge of a black one takes nothing of its shape, which would look white.
      const order = await page
        .locator(`.material .figure.${side}`)
        .first()
        .evaluate((one) => getComputedStyle(one).paintOrder);
      expect(order.startsWith("stroke")).toBe(side === "black");
    }
  }
});

test("beside a rating and a large clock on a phone they keep their size, or the sum alone is left", {
  tags: "nightly",
}, async () => {
  const match = await startGame(server, { minutes: "15" });
  const wins = "e4 d5 exd5 Qxd5 Nc3 Qxg2 Bxg2 Nc6 Bxc6 bxc6 Qf3 h6 Qxc6 Kd8 Qxa8";
  await playOut(match, wins.split(" "));
  const { page } = match.white;
  // As of an account that has played rated games.
  await page.evaluate(() => {
    document.documentElement.dataset.largeClocks = "on";
    for (const name of document.querySelectorAll(".player .name-line"))
      name.insertAdjacentHTML("afterend", '<span class="player-rating"> 1500?</span>');
  });
  for (const [width, height, least] of [
    [360, 740, 3],
    [390, 740, 3],
    [320, 568, 0],
  ] as const) {
    await page.setViewportSize({ width, height });
    const lists = await page
      .locator(".material")
      .evaluateAll((all) =>
        all.map((one) => [...one.querySelectorAll("svg")].map((piece) => piece.getBoundingClientRect().width)),
      );
    for (const pieces of lists)
      for (const piece of pieces.filter((wide) => wide > 0)) expect(piece, `${width}x${height}`).toBeGreaterThan(15);
    expect(lists.flat().filter((wide) => wide > 0).length, `${width}x${height}`).toBeGreaterThanOrEqual(least);
    const over = await page
      .locator(".material")
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length);
    expect(over, `too wide at ${width}x${height}`).toBe(0);
  }
});

/** The best contrast of these colours with the page (WCAG 2.2, 1.4.11); runs in the browser. */
function contrastWithPage(figure: Element, names: readonly string[]): number {
  const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const probe = document.createElement("i");
  figure.parentElement?.append(probe);
  const light = (color: string): number => {
    probe.style.color = color;
    if (!pen) throw new Error("there is no canvas");
    pen.fillStyle = getComputedStyle(probe).color;
    pen.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = [...pen.getImageData(0, 0, 1, 1).data].map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const style = getComputedStyle(figure);
  const ground = light("var(--ground)");
  const ratios = names.map((name) => {
    const [low = 0, high = 0] = [light(style.getPropertyValue(name)), ground].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  });
  probe.remove();
  return Math.max(...ratios);
}
