/** The card with the result: it opens over the board, says why, closes and comes back, and never takes the focus from a place. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import { covering } from "./covering";
import { announces, board, ended, playOut, startGame, type } from "./steps";
import { type Person, type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const card = ({ page }: Person) => page.locator(".result-card");
const close = (person: Person) => card(person).getByRole("button", { name: "Close the card" });
const details = ({ page }: Person) => page.getByRole("button", { name: "Result card" });

test("opens for both players over the board, is said once, closes and comes back", async () => {
  const match = await startGame(server);
  const { white, black } = match;
  await playOut(match, ["f3", "e5", "g4", "Qh4"]);
  for (const person of [white, black]) await card(person).waitFor();
  await announces(white.page, "You lose. Checkmate.");
  await ended(white.page, "Checkmate");
  expect(await white.page.getByRole("group", { name: "The game is over" }).count()).toBe(1);
  // The line in which the player types keeps the focus.
  expect(await black.page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
  await isClean(white.page, "the card with the result");
  const [onBoard, onCard] = [await board(white.page).boundingBox(), await card(white).boundingBox()];
  expect(onCard && onBoard && onCard.x >= onBoard.x && onCard.y >= onBoard.y).toBe(true);
  await close(white).click();
  await card(white).waitFor({ state: "detached" });
  await ended(white.page, "Checkmate");
  await details(white).click();
  await card(white).waitFor();
  await close(white).focus();
  await white.page.keyboard.press("Escape");
  await card(white).waitFor({ state: "detached" });
  await expect.poll(() => details(white).evaluate((button) => button === document.activeElement)).toBe(true);
  // Whoever looks at an earlier position does not look at the card.
  await black.page.getByRole("button", { name: "One move back" }).click();
  await card(black).waitFor({ state: "detached" });
  expect([...white.errors, ...black.errors]).toEqual([]);
});

test("a lost focus goes to the card, and a rematch is one tap away", async () => {
  const match = await startGame(server);
  const { white, black } = match;
  await playOut(match, ["e4", "e5"]);
  await black.page.getByRole("button", { name: "Offer a draw" }).click();
  const accept = white.page.getByRole("button", { name: "Accept" });
  await accept.focus();
  await white.page.keyboard.press("Enter");
  await ended(white.page, "Draw by agreement");
  await expect.poll(() => card(white).evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await card(white).getByRole("button", { name: "Rematch" }).click();
  await card(black).getByRole("button", { name: "Accept the rematch" }).click();
  await announces(white.page, "The game begins. You play Black.");
  expect([...white.errors, ...black.errors]).toEqual([]);
});

test("a proof that decided stands beside the result, one that did not is for whoever asks why", async () => {
  const decided = await startGame(server, { fen: "8/8/8/4k3/8/8/3P4/3K4 w - - 0 1" });
  await type(decided.black.page, "resign");
  await type(decided.black.page, "resign");
  await ended(decided.black.page, "Resignation");
  const confirmed = await startGame(server, { fen: "8/8/8/8/8/5k2/7q/5K2 w - - 0 1" });
  await type(confirmed.white.page, "resign");
  await type(confirmed.white.page, "resign");
  const how = card(confirmed.black).getByRole("button", { name: "Show how" });
  await card(confirmed.black).waitFor();
  expect(await how.isVisible()).toBe(false);
  await card(confirmed.black).getByText("Why?").click();
  await card(confirmed.black)
    .getByText(/^Checkmate was still possible/u)
    .waitFor();
  await how.waitFor();
  await isClean(confirmed.black.page, "the card with its reason");
});

test("spectators and whoever comes later have the result without the card, until they ask for it", async () => {
  const match = await startGame(server);
  const third = await server.person();
  await third.page.goto(third.url + match.path);
  await board(third.page).waitFor();
  await type(match.white.page, "resign");
  await type(match.white.page, "resign");
  await ended(third.page, "Resignation");
  expect(await card(third).count()).toBe(0);
  await details(third).click();
  await card(third).getByText("Black wins").waitFor();
  await match.black.page.reload();
  await ended(match.black.page, "Resignation");
  expect(await card(match.black).count()).toBe(0);
});

const WINDOWS = covering(
  [
    [320, 568],
    [667, 375],
    [360, 740],
  ] as const,
  [[320, 568]],
);

test.each(WINDOWS)("in a window of %i by %i everything on the card can be reached", async (width, height) => {
  const viewport = { width, height };
  const match = await startGame(server, {}, { white: { viewport }, black: { viewport } });
  const german = JSON.stringify({ language: "de", hideChat: true });
  await match.black.page.evaluate((settings) => localStorage.setItem("zeitnot.settings", settings), german);
  await match.black.page.reload();
  await board(match.black.page).waitFor();
  await type(match.white.page, "resign");
  await type(match.white.page, "resign");
  for (const person of [match.white, match.black]) {
    await card(person).waitFor();
    const outside = await card(person).evaluate((element) => {
      const box = element.getBoundingClientRect();
      const cut = [...element.querySelectorAll("button, a, p")].filter((one) => one.scrollWidth > one.clientWidth + 1);
      return [box.left < 0, box.right > innerWidth, box.top < 0, box.bottom > innerHeight, cut.length > 0];
    });
    expect(outside).toEqual([false, false, false, false, false]);
    const small = await card(person)
      .locator("button, a")
      .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.textContent));
    expect(small).toEqual([]);
    expect(await person.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});
