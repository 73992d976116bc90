/** The result after a game: it says what was decided and why, covers nothing, and never takes the focus from a place. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import { covering } from "./covering";
import { FLAGGED, announces, board, ended, offerDraw, pieceOn, playOut, startGame, type, resign } from "./steps";
import { type Person, type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const result = ({ page }: Person) => page.getByRole("group", { name: "The game is over" });

const reason = ({ page }: Person) => page.getByRole("group", { name: "Why this result?" });

/** Which of the board and the players the result covers, where they are at one instant: the page may be scrolling. */
const covered = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const box = document.querySelector(".status.result")?.getBoundingClientRect() ?? new DOMRect();
    return [...document.querySelectorAll(".board-frame, .player")]
      .filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return (
          Math.min(right, box.right) - Math.max(left, box.left) > 1 &&
          Math.min(bottom, box.bottom) - Math.max(top, box.top) > 1
        );
      })
      .map((one) => one.className);
  });

test("both players have the result beside the board; it is said once, and stays while the game is looked at", async () => {
  const match = await startGame(server);
  const { white, black } = match;
  await playOut(match, ["f3", "e5", "g4"]);
  const back = black.page.getByRole("button", { name: "One move back" });
  const during = await back.boundingBox();
  await playOut(match, ["Qh4"], 3);
  await announces(white.page, "You lose. Checkmate.");
  expect(await back.boundingBox(), "the button that steps back").toEqual(during);
  for (const person of [white, black]) {
    await ended(person.page, "Checkmate");
    expect(await covered(person.page)).toEqual([]);
  }
  // The line in which the player types keeps the focus.
  expect(await black.page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
  const ways = () =>
    white.page
      .locator(".side :is(.moves, .status) :is(button, a)")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
  const before = await ways();
  await result(white).getByRole("button", { name: "Why this result?" }).click();
  await reason(white)
    .getByText(/^White's king is attacked/u)
    .waitFor();
  expect(await ways()).toEqual(before);
  await isClean(white.page, "the result");
  // It lies in the place of what stands below it, of which no half is left.
  const isBelow = () =>
    white.page
      .locator(".side > :is(.typed, .connection)")
      .evaluateAll((all) => all.map((one) => one.checkVisibility({ visibilityProperty: true })));
  expect(await isBelow()).toEqual([false, false]);
  await white.page.keyboard.press("Escape");
  await reason(white).waitFor({ state: "detached" });
  expect(await isBelow()).toEqual([true, true]);
  const why = result(white).getByRole("button", { name: "Why this result?" });
  expect(await why.evaluate((one) => one === document.activeElement)).toBe(true);
  await black.page.getByRole("button", { name: "One move back" }).click();
  await ended(black.page, "Checkmate");
  expect([...white.errors, ...black.errors]).toEqual([]);
});

test("a lost focus goes to the result, and a rematch is one tap away", { tags: "nightly" }, async () => {
  const match = await startGame(server);
  const { white, black } = match;
  await playOut(match, ["e4", "e5"]);
  await offerDraw(black.page);
  await black.page.getByText(/Draw offered until the opponent moves$/u).waitFor();
  const accept = white.page.getByRole("button", { name: "Accept", disabled: false });
  await accept.focus();
  await white.page.keyboard.press("Enter");
  await ended(white.page, "By agreement");
  await expect.poll(() => result(white).evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await result(white).getByRole("button", { name: "Rematch" }).click();
  const acceptIt = result(black).getByRole("button", { name: "Accept rematch" });
  await acceptIt.waitFor();
  const lines = await acceptIt.evaluate((button) => {
    const range = document.createRange();
    range.selectNodeContents(button);
    return range.getClientRects().length;
  });
  expect(lines, "lines of the button that accepts").toBe(1);
  await acceptIt.click();
  await announces(white.page, "The game begins. You play Black.");
  expect([...white.errors, ...black.errors]).toEqual([]);
});

test("a proof that decided stands beside the result, one that did not is for whoever asks why", {
  tags: "nightly",
}, async () => {
  const decided = await startGame(server, { fen: "8/8/8/4k3/8/8/3P4/3K4 w - - 0 1" });
  await resign(decided.white.page);
  await ended(decided.black.page, "Resignation");
  await ended(
    decided.black.page,
    "One side gave the game up, but the other cannot checkmate: a draw. The material left does not allow it.",
  );
  expect(await result(decided.black).getByRole("button", { name: "Why this result?" }).count()).toBe(0);
  const fen = "8/8/8/8/8/5k2/7q/5K2 w - - 0 1";
  const resigned = await startGame(server, { fen });
  await resign(resigned.white.page);
  await ended(resigned.black.page, "Opponent resigned");
  expect(
    await result(resigned.black).getByRole("button", { name: "Why this result?" }).count(),
    "nobody doubts it",
  ).toBe(0);
  const confirmed = await startGame(server, { fen, ...FLAGGED });
  const how = reason(confirmed.black).getByRole("button", { name: "Show how" });
  await ended(confirmed.black.page, /out of time$/u);
  expect(await how.isVisible()).toBe(false);
  await result(confirmed.black).getByRole("button", { name: "Why this result?" }).click();
  await reason(confirmed.black)
    .getByText(/^White ran out of time\. Checkmate was still possible/u)
    .waitFor();
  await how.waitFor();
  await isClean(confirmed.black.page, "the result with its reason");
});

test("a game without a result shows no score, and nobody is asked for a move any more", {
  tags: "nightly",
}, async () => {
  const match = await startGame(server);
  const line = ({ page }: Person) => page.locator("#typed-line");
  const asks = async (one: Person) => [
    await line(one).getAttribute("aria-label"),
    await line(one).getAttribute("placeholder"),
  ];
  expect(await asks(match.white)).toEqual(["Type a move or a command", "Type a move"]);
  const third = await server.person();
  await third.page.goto(third.url + match.path);
  await board(third.page).waitFor();
  const answer = match.white.page.locator(".typed .answer");
  await type(match.white.page, "help");
  await expect.poll(() => answer.innerText()).toMatch(/^Nf3, exd5, O-O, e8=Q, e2e4 plays a move\./u);
  await type(match.white.page, "abort");
  await ended(match.white.page, "No result");
  await expect.poll(() => answer.innerText()).toBe("");
  expect(await result(match.white).locator(".score").count()).toBe(0);
  for (const one of [match.white, third]) {
    expect(await asks(one)).toEqual(["Type a command", "Type “help”"]);
    await type(one.page, "help");
    await announces(one.page, /^clock: reads both clocks\./u);
  }
});

test("spectators and whoever comes later have the result too", { tags: "nightly" }, async () => {
  const match = await startGame(server, { profile: "fide_board" });
  const third = await server.person();
  await third.page.goto(third.url + match.path);
  await board(third.page).waitFor();
  await resign(match.white.page);
  await ended(third.page, "White resigned");
  await ended(third.page, "Black wins");
  await match.black.page.reload();
  await ended(match.black.page, "You win");
  // When it was played has a line of its own.
  const day = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
  await third.page.locator(".details").getByText(day).waitFor();
  const cut = await third.page
    .locator(".details")
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent));
  expect(cut).toEqual([]);
});

test("on a phone the reason comes into sight, with the moves at which a repeated position stood", async () => {
  const viewport = { width: 390, height: 664 };
  const match = await startGame(server, {}, { white: { viewport } });
  const { page } = match.white;
  const shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"];
  await playOut(match, shuffle);
  await page.locator(".status").getByText("Position repeated · a third time is a draw").waitFor();
  await page.locator(".status").getByText("Your turn").waitFor();
  await playOut(match, shuffle, 4);
  await ended(page, "Threefold repetition");
  const share = page.getByRole("button", { name: "Share and save" });
  expect((await share.boundingBox())?.y, "in sight without scrolling").toBeLessThan(620);
  await page.setViewportSize({ width: 390, height: 740 });
  const row = page.locator(".moves");
  await expect
    .poll(() => row.evaluate((one) => one.getBoundingClientRect().bottom), { message: "the end of the row of moves" })
    .toBeLessThanOrEqual(740);
  await share.click();
  await page.getByRole("button", { name: "Copy PGN" }).waitFor();
  await page.keyboard.press("Escape");
  for (const [width, height] of [
    [667, 375],
    [390, 664],
  ] as const) {
    await page.setViewportSize({ width, height });
    const over = () =>
      page.locator(".moves [aria-current]").evaluate((move) => {
        const line = move.closest("ol")?.getBoundingClientRect().right ?? 0;
        return move.getBoundingClientRect().right - line;
      });
    await expect.poll(over, { message: `how far the last move is cut at ${width}x${height}` }).toBeLessThanOrEqual(1);
    const cut = await page.locator(".moves ol").evaluate((line) => {
      const edge = line.getBoundingClientRect().left;
      const parts = [...line.querySelectorAll(".number, .ply:not(.none)")].map((one) => one.getBoundingClientRect());
      return parts.filter(({ left, right }) => left < edge - 1 && right > edge + 1).length;
    });
    expect(cut, "moves and numbers that are cut at the beginning of the line").toBe(0);
  }
  const asks = page.getByRole("button", { name: "Why this result?" });
  await page.keyboard.press("Tab");
  await asks.focus();
  // Its ring is within it, and nothing lies over it.
  const covers = await asks.evaluate((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return [top + 1, bottom - 1].map((y) => document.elementFromPoint((left + right) / 2, y)?.id);
  });
  expect(covers).toEqual(["why", "why"]);
  // Board and moves stay in sight beside it, where there is room for all.
  await page.setViewportSize({ width: 390, height: 740 });
  await page.evaluate(() => scrollTo(0, 0));
  await asks.click();
  const sight = () =>
    page.locator(".board-frame, .moves, .because").evaluateAll((all) =>
      all.map((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      }),
    );
  await expect.poll(sight).toEqual([true, true, true]);
  await asks.click();
  await page.setViewportSize({ width: 390, height: 664 });
  await asks.click();
  const why = page.getByText(/It stood at the beginning and after 2… Ng8 and 4… Ng8\.$/u);
  await expect.poll(() => why.evaluate((one) => one.getBoundingClientRect().bottom)).toBeLessThanOrEqual(664);
  // The moves that can be pressed make no line of it higher.
  const lines = await why.evaluate((one) => one.clientHeight / Number.parseFloat(getComputedStyle(one).lineHeight));
  expect(Math.abs(lines - Math.round(lines))).toBeLessThan(0.1);
  const shown = page.locator(".because [aria-current]");
  expect(await shown.innerText(), "the last position").toBe("4… Ng8");
  await page.getByRole("button", { name: "2… Ng8" }).click();
  await expect.poll(() => shown.innerText()).toBe("2… Ng8");
  const plies = page.locator(".moves .ply");
  await expect
    .poll(() => plies.nth(3).getAttribute("aria-current"), { message: "the fourth ply is shown" })
    .toBe("step");
  await page.getByRole("button", { name: "at the beginning" }).click();
  await expect.poll(() => shown.innerText()).toBe("at the beginning");
  expect(await pieceOn(page, "g8")).toBe("bn");
  expect(await page.locator(".board-frame").evaluate((one) => one.getBoundingClientRect().top)).toBeGreaterThanOrEqual(
    0,
  );
});

test.each([
  [360, 740],
  [390, 740],
  [412, 915],
] as const)(
  "on a phone of %i by %i the moves stay where they were when the game ends",
  { tags: "nightly" },
  async (width, height) => {
    const match = await startGame(server, {}, { white: { viewport: { width, height } } });
    const { page } = match.white;
    await playOut(match, ["e4", "e5"]);
    const place = async () => Math.round((await page.locator(".moves").boundingBox())?.y ?? 0);
    const before = await place();
    await resign(match.black.page);
    await ended(page, /resigned$/u);
    expect(Math.abs((await place()) - before)).toBeLessThanOrEqual(1);
  },
);

const WINDOWS = covering(
  [
    [320, 568],
    [667, 375],
    [412, 420],
    [360, 640],
    [360, 740],
    [390, 664],
    [820, 1180],
    [1440, 900],
  ] as const,
  [
    [320, 568],
    [412, 420],
    [820, 1180],
  ],
);

test.each(WINDOWS)(
  "in a window of %i by %i the board stays as it was, and everything of the result is in sight",
  { tags: "nightly" },
  async (width, height) => {
    const viewport = { width, height };
    const match = await startGame(server, {}, { white: { viewport }, black: { viewport } });
    const german = JSON.stringify({ language: "de", hideChat: true });
    await match.black.page.evaluate((settings) => localStorage.setItem("zeitnot.settings", settings), german);
    await match.black.page.reload();
    await board(match.black.page).waitFor();
    const stands = () => match.black.page.locator(".board-frame").boundingBox();
    const before = await stands();
    await resign(match.white.page);
    for (const { page } of [match.white, match.black]) {
      const place = page.locator(".status.result");
      await place.waitFor();
      const outside = await place.evaluate((element) => {
        const isOut = (one: Element | null) => {
          const box = one?.getBoundingClientRect() ?? new DOMRect(-1);
          return box.left < 0 || box.right > innerWidth || box.top < 0 || box.bottom > innerHeight;
        };
        const parts = [...element.querySelectorAll("button, a, p")].filter((one) => one.checkVisibility());
        const cut = parts.filter((one) => one.scrollWidth > one.clientWidth + 1);
        return [isOut(document.querySelector(".board-frame")), ...parts.map(isOut), cut.length > 0].filter(Boolean);
      });
      expect(outside).toEqual([]);
      expect(await covered(page)).toEqual([]);
      const small = await place
        .locator("button, a")
        .evaluateAll((all) =>
          all.filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.textContent),
        );
      expect(small).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBeLessThanOrEqual(0);
    }
    expect(await stands()).toEqual(before);
    const words = () => match.black.page.locator(".outcome").evaluate((one) => one.getBoundingClientRect().height);
    const high = await words();
    // Both answers to a rematch too.
    await type(match.white.page, "rematch");
    const answers = match.black.page.locator(".rematch.offered button");
    await answers.first().waitFor();
    // The words say the result too, and not the disc alone.
    const clip = match.black.page.locator(".outcome strong").evaluate((one) => getComputedStyle(one).clipPath);
    expect(await clip).toBe("none");
    const ends = await answers.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));
    expect(Math.max(...ends)).toBeLessThanOrEqual(height);
    expect(await stands()).toEqual(before);
    // Beside the reason, which stays.
    await match.black.page.locator(".outcome").getByText("Revanche?").waitFor();
    expect(await words()).toBe(high);
  },
);
