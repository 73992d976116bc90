/** After a game: a rematch with colours swapped, asked for and answered in every way; and the way to another opponent. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import { LANGUAGES } from "../src/text";
import {
  FLAGGED,
  type Match,
  ended,
  announces,
  chooseLanguage,
  createGame,
  having,
  join,
  openFriend,
  playOut,
  plies,
  setUpSeek,
  startGame,
  type,
  resign,
} from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function finished(): Promise<Match> {
  const match = await startGame(server);
  await resign(match.white.page);
  for (const { page } of [match.white, match.black]) await ended(page, /resigned$/u);
  return match;
}

const rematch = (person: Match["white"]) => person.page.getByRole("button", { name: /^Rematch\b/u });
const offered = (person: Match["white"]) => person.page.getByRole("group", { name: /offers a rematch/u });

/** Both are at the same new game, with colours swapped. */
async function swapped({ white, black, path }: Match): Promise<void> {
  await announces(white.page, "The game begins. You play Black.");
  await announces(black.page, "The game begins. You play White.");
  const [one, two] = [white, black].map(({ page }) => new URL(page.url()).pathname);
  expect(one).toBe(two);
  expect(one).not.toBe(path);
  await playOut({ white: black, black: white, path }, ["e4", "e5"]);
}

test("offered, declined, offered again, withdrawn, offered, accepted: both are at the new game", async () => {
  const match = await startGame(server);
  const { white, black } = match;
  await playOut(match, ["e4", "e5"]);
  await resign(white.page);
  for (const { page } of [white, black]) await ended(page, /resigned$/u);
  await white.page.setViewportSize({ width: 360, height: 740 });
  // On a phone too everything else stays, and where it was.
  const ways = () =>
    white.page.locator(".status.result").evaluate((card) => {
      const top = card.getBoundingClientRect().y;
      const parts = [...card.querySelectorAll(":scope .to-rematch, :scope .another, :scope .after > a")];
      const boxes = parts.map((one) => one.getBoundingClientRect());
      return [card.clientHeight, ...boxes.flatMap((box) => [box.x, box.y - top, box.width].map(Math.round))];
    });
  const before = await ways();
  expect(before.length).toBe(10);
  await rematch(white).click();
  await ended(white.page, "Rematch offered");
  expect(await ways()).toEqual(before);
  // It is drawn as an offer that stands, though for a moment it cannot be withdrawn.
  const own = white.page.locator(".rematch > .offered");
  expect(await own.evaluate((one) => getComputedStyle(one).opacity)).toBe("1");
  await offered(black).waitFor();
  await announces(black.page, /offers a rematch\.$/u);
  for (const told of ["Rematch?", "You win", "Opponent resigned"]) await ended(black.page, told);
  const size = (part: string) => black.page.locator(part).evaluate((one) => getComputedStyle(one).fontSize);
  expect(await size(".result-offer")).toBe(await size(".headline > strong"));
  await isClean(black.page, "a rematch offered");
  // Once it has been there for a moment: New opponent was in its place.
  await offered(black).getByRole("button", { name: "Decline", disabled: false }).click();
  for (const told of ["declined", "You lose", "You resigned"]) await ended(white.page, told);
  expect(await ways()).toEqual(before);
  for (const { page } of [white, black]) await announces(page, "The rematch was declined.");
  expect(await white.page.locator(".rematch > .primary").allInnerTexts()).toEqual(["New opponent"]);
  const weight = await white.page.locator(".rematch > .primary").evaluate((one) => getComputedStyle(one).fontWeight);
  expect(weight, "as bold as the rematch was").toBe("600");
  await rematch(white).click();
  await offered(black).waitFor();
  await white.page.getByRole("button", { name: "Withdraw" }).click();
  await offered(black).waitFor({ state: "detached" });
  for (const { page } of [white, black]) await announces(page, "The offer of a rematch no longer stands.");
  await rematch(black).click();
  await offered(white).getByRole("button", { name: "Accept rematch" }).click();
  await swapped(match);
  // The finished game is behind one, and from there the way leads on.
  await white.page.goBack();
  await ended(white.page, /resigned$/u);
  await white.page.getByRole("link", { name: "To the rematch" }).click();
  await plies(white.page, 2);
  expect([...white.errors, ...black.errors]).toEqual([]);
});

test("an opponent who plays somebody else, and then has left: the button says so, and New opponent stands out", {
  tags: "nightly",
}, async () => {
  const match = await finished();
  const { white, black } = match;
  const third = await server.person();
  const button = white.page.locator(".to-rematch");
  const mark = white.page.locator(".player[data-color=black] .presence");
  await rematch(white).waitFor();
  await expect.poll(() => mark.innerText()).toBe("online");
  // Not by colour alone: a full dot, half of one, and a ring. On a desk the word stands beside it.
  const form = () =>
    mark.locator(".dot").evaluate((dot) => {
      const { backgroundColor, backgroundImage } = getComputedStyle(dot);
      return backgroundImage !== "none" ? "half" : backgroundColor === "rgba(0, 0, 0, 0)" ? "ring" : "full";
    });
  expect(await form()).toBe("full");
  expect((await mark.locator(".presence-word").boundingBox())?.width).toBeGreaterThan(20);
  const width = (await button.boundingBox())?.width;
  // At rest at the board, a game of days keeps nobody.
  await join(third, await createGame(black, { kind: "Days per move" }));
  await white.page.reload();
  await rematch(white).waitFor();
  expect(await button.locator("small").count()).toBe(0);
  await join(third, await createGame(black));
  // One decides on a rematch within seconds.
  await button.getByText("in another game").waitFor({ timeout: 5_000 });
  expect(await mark.innerText()).toBe("in another game");
  expect(await form()).toBe("half");
  expect(await white.page.locator(".rematch > .primary").allInnerTexts()).toEqual(["New opponent"]);
  expect((await button.boundingBox())?.width).toBe(width);
  await isClean(white.page, "the opponent plays somebody else");
  await black.page.close();
  await button.getByText("offline").waitFor();
  expect(await mark.innerText()).toBe("offline");
  expect(await form()).toBe("ring");
  // It can be offered all the same, and is there when the opponent comes back.
  await rematch(white).click();
  await button.getByText("Withdraw").waitFor();
  await button.getByText("offline").waitFor();
});

test("both ask at once, by typing: one game begins, and after it the score of both is told", async () => {
  const match = await finished();
  expect(await match.white.page.locator(".series").count()).toBe(0);
  await Promise.all([type(match.white.page, "rematch"), type(match.black.page, "rematch")]);
  await swapped(match);
  const { page } = match.white;
  const points = () => page.locator(".series-points > [aria-hidden]").allInnerTexts();
  // White of the first game, who has lost it, is nearer.
  expect(await points()).toEqual(["1", "0"]);
  await page.reload();
  await expect.poll(points).toEqual(["1", "0"]);
  await page.getByText("Points after one game: 0").waitFor({ state: "attached" });
  await type(match.black.page, "draw");
  await announces(page, /offers a draw/u);
  await type(page, "accept");
  await ended(page, /^You ½ – 1½ Guest-\w+$/u);
  await ended(match.black.page, /^You 1½ – ½ Guest-\w+$/u);
  await page.reload();
  await ended(page, /^You ½ – 1½ Guest-\w+$/u);
  expect(await points()).toEqual(["1½", "½"]);
  // On a phone in short behind the result, and the points behind the name.
  await page.setViewportSize({ width: 390, height: 740 });
  const short = page.locator(".result-short");
  expect(await short.innerText()).toBe("2 games: ½ – 1½");
  // Beside an offer too, which the buttons say there.
  await rematch(match.black).click();
  await page.locator(".rematch.offered").waitFor();
  expect(await short.innerText()).toBe("2 games: ½ – 1½");
  expect(await short.isVisible()).toBe(true);
  const tops = await page
    .locator('.player[data-color="black"] :is(.name-line, .series-points)')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ y, height }) => y + height / 2));
  expect(Math.abs((tops[0] ?? 0) - (tops[1] ?? 99))).toBeLessThan(4);
  // After a game that was none nothing is said that might be taken for its result.
  await page.getByRole("button", { name: "Accept rematch" }).click();
  for (const one of [page, match.black.page]) await announces(one, /^The game begins/u);
  await expect.poll(points).toEqual(["1½", "½"]);
  await type(match.black.page, "abort");
  await ended(page, "No result");
  expect([await points(), await short.count(), await page.locator(".series").count()]).toEqual([[], 0, 0]);
});

test("on a phone an offered rematch leaves the way to another opponent, in one line in every language, and moves nothing", {
  tags: "nightly",
}, async () => {
  const match = await startGame(server);
  await playOut(match, ["e4", "e5"]);
  await resign(match.white.page);
  const { page } = match.black;
  await ended(page, /resigned$/u);
  const phone = { width: 390, height: 740 };
  await page.setViewportSize(phone);
  const ways = page.locator(".status.result :is(.rematch, .after) > *:visible");
  const height = () => page.locator(".status.result").evaluate((card) => card.clientHeight);
  const before = await height();
  await rematch(match.white).click();
  await offered(match.black).waitFor();
  expect(await height()).toBe(before);
  await offered(match.black).getByRole("button", { name: "New opponent" }).waitFor();
  for (const language of LANGUAGES) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await chooseLanguage(page, language);
    for (const width of [384, phone.width]) {
      await page.setViewportSize({ ...phone, width });
      const boxes = await ways.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
      const at = `${language} at ${width}`;
      expect(new Set(boxes.map(({ y }) => Math.round(y))).size, at).toBe(1);
      expect(boxes.length, at).toBe(4);
      expect(Math.min(...boxes.flatMap((box) => [box.width, box.height])), at).toBeGreaterThanOrEqual(44);
      expect(Math.max(...boxes.map((box) => box.height)), at).toBeLessThan(46);
    }
  }
});

test("on another page of a phone a bar below the header says that a rematch is asked for, with which clock and colour", {
  tags: "nightly",
}, async () => {
  const match = await finished();
  const { page } = match.black;
  await page.setViewportSize({ width: 390, height: 740 });
  await page.getByRole("link", { name: "Zeitnot, home" }).click();
  await rematch(match.white).click();
  const words = page.locator(".toast-words");
  await expect.poll(() => words.innerText()).toMatch(/asks for a rematch\s+Casual · Blitz · 5\+3 · you play White$/u);
  await isClean(page, "a rematch that is asked for on the home page");
});

test("an offer outlives a reload on both sides", async () => {
  const match = await finished();
  const { white, black } = match;
  await rematch(white).click();
  await offered(black).waitFor();
  await black.page.reload();
  await white.page.reload();
  await ended(white.page, "Rematch offered");
  await offered(black).getByRole("button", { name: "Accept rematch" }).click();
  await swapped(match);
});

test("whoever waits elsewhere for another game is led to the rematch that is accepted meanwhile", async () => {
  for (const wait of ["link", "lobby"] as const) {
    const match = await finished();
    const { white, black } = match;
    await rematch(white).click();
    await offered(black).waitFor();
    await white.page.getByRole("link", { name: /^Zeitnot/u }).click();
    if (wait === "link") {
      const dialog = await openFriend(white.page);
      await dialog.getByRole("button", { name: "Create the link" }).click();
      await white.page.getByRole("heading", { name: "Waiting for an opponent" }).waitFor();
    } else {
      await setUpSeek(white.page);
      await white.page.getByRole("button", { name: "Add to the open games" }).click();
      await white.page
        .getByRole("button", { name: /^Withdraw/u })
        .first()
        .waitFor();
    }
    await offered(black).getByRole("button", { name: "Accept rematch" }).click();
    await swapped(match);
    expect([...white.errors, ...black.errors]).toEqual([]);
  }
});

test("whoever presses twice has offered a rematch, and whoever looks for another opponent withdraws it", async () => {
  const { white, black } = await finished();
  await rematch(white).dblclick();
  await offered(black).waitFor();
  await ended(white.page, "Rematch offered");
  await announces(white.page, "Rematch offered");
  // Pressed once more in the same place, as by somebody who taps slowly: nothing was pressed there as "Withdraw".
  const withdraw = white.page.getByRole("button", { name: "Withdraw" });
  await withdraw.click({ force: true });
  await white.page.waitForTimeout(300);
  expect(await offered(black).count()).toBe(1);
  expect(await withdraw.evaluate((one) => one === document.activeElement)).toBe(true);
  await white.page.getByRole("button", { name: "New opponent" }).click();
  await offered(black).waitFor({ state: "detached" });
  await white.page.getByRole("button", { name: /^5\+3/u, pressed: true }).waitFor();
  expect([...white.errors, ...black.errors]).toEqual([]);
});

test.each([
  [390, 740],
  [1440, 900],
] as const)(
  "in a window of %i by %i an offer and its end move nothing, nor the open reason",
  { tags: "nightly" },
  async (width, height) => {
    const { white, black } = await startGame(server, FLAGGED, { white: { viewport: { width, height } } });
    await ended(white.page, /out of time$/u);
    await white.page.getByRole("button", { name: "Why this result?" }).click();
    const places = () =>
      white.page
        .locator(".status.result, .because, .rematch > button, .after > a")
        .evaluateAll((all) => all.map((one) => [one.getBoundingClientRect().y + scrollY, one.clientHeight]));
    const before = await places();
    await rematch(white).click();
    await ended(white.page, "Rematch offered");
    expect(await places()).toEqual(before);
    await offered(black).getByRole("button", { name: "Decline" }).click();
    await ended(white.page, "declined");
    expect(await places()).toEqual(before);
  },
);

test.each(LANGUAGES)("in %s the ways on have one line each at 360 px", { tags: "nightly" }, async (language) => {
  const { white, black } = await startGame(
    server,
    {},
    { white: { viewport: { width: 360, height: 740 }, ...having(server, { language }) } },
  );
  await resign(black.page);
  const { page } = white;
  const lines = (what: string) =>
    page.locator(what).evaluate((button) => {
      const range = document.createRange();
      range.selectNodeContents(button);
      return range.getClientRects().length;
    });
  const words = page.locator(".status.result");
  const high = (): Promise<number> => words.evaluate((one) => one.clientHeight);
  const before = await high();
  await page.locator(".to-rematch").click();
  await page.locator(".rematch small").waitFor();
  expect(await high(), "with an offer").toBe(before);
  const told = await page.locator(".rematch small").innerText();
  await black.page.locator(".rematch.offered button").nth(1).click();
  await expect.poll(() => page.locator(".rematch small").innerText()).not.toBe(told);
  expect(await high(), "with one that was declined").toBe(before);
  await type(black.page, "rematch");
  await page.locator(".rematch.offered").waitFor();
  expect(await high(), "with one to accept").toBe(before);
  await page.locator(".rematch .primary").click();
  await announces(black.page, /The game begins/u);
  await page.goBack();
  await page.locator(".rematch a").waitFor();
  expect(await lines(".rematch a"), "to the rematch").toBe(1);
});

test("whoever is offered a rematch and looks for another opponent declines it", { tags: "nightly" }, async () => {
  const { white, black } = await finished();
  await rematch(white).click();
  await offered(black).getByRole("button", { name: "New opponent" }).click();
  await black.page.getByText("Waiting for an opponent: 5+3").waitFor();
  await ended(white.page, "declined");
});

test("after a game with moves the rematch stands out, after one without the next opponent", {
  tags: "nightly",
}, async () => {
  const main = (person: Match["white"]) => person.page.locator(".rematch > .primary").allInnerTexts();
  const played = await startGame(server);
  await playOut(played, ["e4", "e5"]);
  await resign(played.white.page);
  await ended(played.black.page, /resigned$/u);
  expect(await main(played.black)).toEqual(["Rematch"]);
  const { black, white } = await finished();
  expect(await main(black)).toEqual(["New opponent"]);
  await rematch(white).click();
  await offered(black).waitFor();
  expect(await main(black)).toEqual(["Accept rematch"]);
});

test("without a pool of such games the button says that it leads to the home page", { tags: "nightly" }, async () => {
  const { white } = await startGame(server, { minutes: "4", seconds: "7" });
  await resign(white.page);
  await ended(white.page, /resigned$/u);
  expect(await white.page.getByRole("button", { name: "New opponent" }).count()).toBe(0);
  // Nobody has moved: it stands out.
  expect(await white.page.locator(".rematch > .primary").allInnerTexts()).toEqual(["Home page"]);
  await white.page.getByRole("button", { name: "Home page" }).click();
  await expect.poll(() => new URL(white.page.url()).pathname).toBe("/");
  expect(await white.page.getByText("Waiting for an opponent").count()).toBe(0);
});

test("a new opponent is looked for in the pool of such games; spectators are offered neither", {
  tags: "nightly",
}, async () => {
  const { white, path } = await finished();
  const third = await server.person();
  await third.page.goto(third.url + path);
  await ended(third.page, /resigned$/u);
  expect([
    await rematch(third).count(),
    await third.page.getByRole("button", { name: "New opponent" }).count(),
  ]).toEqual([0, 0]);
  await white.page.getByRole("button", { name: "New opponent" }).click();
  await white.page.getByRole("button", { name: /^5\+3/u, pressed: true }).waitFor();
  expect(new URL(white.page.url()).pathname).toBe("/");
  await third.page.goto(third.url);
  await third.page.getByRole("button", { name: /^5\+3/u }).click();
  for (const { page } of [white, third]) await announces(page, /The game begins/u);
  expect(new URL(white.page.url()).pathname).toBe(new URL(third.page.url()).pathname);
});

test("an offer of a rematch takes no answer that was aimed at what stood in its place", async () => {
  const { white, black } = await startGame(server);
  await resign(white.page);
  await ended(black.page, "Opponent resigned");
  await black.page.clock.install();
  await rematch(white).click();
  const decline = (disabled: boolean) => offered(black).getByRole("button", { name: "Decline", disabled });
  await decline(true).waitFor();
  expect(await decline(true).evaluate((one) => getComputedStyle(one).opacity), "it looks as usual").toBe("1");
  await decline(true).dispatchEvent("click");
  await black.page.clock.fastForward(700);
  await decline(false).waitFor();
  expect(await offered(black).count(), "it was not declined").toBe(1);
});

test.each([
  [390, 740],
  [1440, 900],
] as const)(
  "in a window of %i by %i an offer after a game that was none takes a press on Rematch as consent",
  { tags: "nightly" },
  async (width, height) => {
    const match = await startGame(server, {}, { white: { viewport: { width, height } } });
    const { white, black } = match;
    await resign(black.page);
    await ended(white.page, "Opponent resigned");
    const another = white.page.locator(".rematch > .another");
    const placeOf = async (button: typeof another) => {
      const { x, y } = (await button.boundingBox()) ?? { x: 0, y: 0 };
      return [Math.round(x), Math.round(y)];
    };
    const before = await placeOf(another);
    const { x, y } = (await rematch(white).boundingBox()) ?? { x: 0, y: 0 };
    await rematch(black).click();
    await offered(white).waitFor();
    if (await another.isVisible()) expect(await placeOf(another), "it stays").toEqual(before);
    await white.page.mouse.click(x + 30, y + 22);
    await swapped(match);
  },
);

test("when an offer is withdrawn what comes back takes no press that was aimed at the answers", {
  tags: "nightly",
}, async () => {
  const { white, black } = await finished();
  await rematch(white).click();
  await offered(black).waitFor();
  const withdraw = white.page.getByRole("button", { name: "Withdraw", disabled: false });
  await withdraw.waitFor();
  await black.page.clock.install();
  await withdraw.click();
  const back = (name: string, disabled: boolean) => black.page.getByRole("button", { name, exact: true, disabled });
  await back("Rematch", true).waitFor();
  await black.page.locator(".rematch").evaluate((ways) => {
    for (const way of ways.querySelectorAll("button")) way.click();
  });
  await black.page.clock.fastForward(700);
  for (const name of ["Rematch", "New opponent"]) await back(name, false).waitFor();
  expect(await offered(white).count(), "nothing was offered").toBe(0);
});
