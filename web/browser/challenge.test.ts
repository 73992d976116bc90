/** The challenge link: copied, drawn as a QR code, waiting, withdrawn; and every kind of clock that can be set up. */
import { isClean } from "./axe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LOW_WINDOWS, covering } from "./covering";
import {
  board,
  chooseLanguage,
  createGame,
  having,
  join,
  openFriend,
  openMore,
  openOtherClock,
  registered,
  setUpSeek,
  stopWaiting,
} from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("the link is copied, and the waiting page becomes the game by itself", async () => {
  const white = await server.person();
  const path = await createGame(white);
  await white.page.getByRole("button", { name: "Copy the link" }).click();
  expect(await white.page.evaluate(() => navigator.clipboard.readText())).toBe(white.url + path);
  const code = white.page.getByRole("img", { name: "The link as a QR code" });
  await code.waitFor();
  for (const [width, height] of LOW_WINDOWS) {
    await white.page.setViewportSize({ width, height });
    const box = await code.boundingBox();
    expect(box && box.y + box.height <= height, `the code is whole at ${width}x${height}`).toBe(true);
    expect(await white.page.locator(".mini-board").isVisible()).toBe(false);
  }
  // The home page has it as well.
  await white.page.goto(white.url);
  const row = white.page.getByRole("region", { name: "Your challenges" }).getByRole("listitem");
  await expect.poll(() => row.innerText()).toMatch(/^A friend, by link/u);
  await white.page.evaluate(() => navigator.clipboard.writeText(""));
  await row.getByRole("button", { name: "Copy the link" }).click();
  await expect.poll(() => white.page.evaluate(() => navigator.clipboard.readText())).toBe(white.url + path);
  await row.getByRole("link").click();
  await white.page.getByRole("heading", { name: "Waiting for an opponent" }).waitFor();
  await white.page.reload();
  await white.page.getByRole("heading", { name: "Waiting for an opponent" }).waitFor();
  const black = await server.person();
  await join(black, path);
  await board(white.page).waitFor();
  expect(new URL(white.page.url()).pathname).toBe(path);
});

test("on a desk the owner sees the first position from the own side, beside link and code", {
  tags: "nightly",
}, async () => {
  const owner = await server.person({ viewport: { width: 1366, height: 640 } });
  const { page } = owner;
  await createGame(owner, { color: "Black" });
  const code = await page.getByRole("img", { name: "The link as a QR code" }).boundingBox();
  const first = await page.locator(".mini-board").boundingBox();
  expect(code && code.y + code.height <= 640).toBe(true);
  expect(first && code && first.x > code.x + code.width && first.y + first.height <= 640).toBe(true);
  const lowest = await page
    .locator(".mini-board .figure.black")
    .evaluateAll((all) => Math.max(...all.map((one) => Number(one.getAttribute("y")))));
  expect(lowest).toBe(7);
});

const KINDS = [
  ["Increment", "5+3"],
  ["Delay", "5 min, delay 3 s"],
  ["Bronstein", "5 min, Bronstein 3 s"],
  ["No increment", "5+0"],
  ["Days per move", "3 days per move"],
  ["Unlimited", "Unlimited"],
] as const;

test.each(covering(KINDS, [KINDS[1], KINDS[4]]))("%s", async (kind, shown) => {
  const person = await server.person();
  await createGame(person, { kind });
  await person.page.getByText(`${shown} · you play White`).waitFor();
});

test("time, colour and the button that makes the game are in sight together, and the button while one scrolls", {
  tags: "nightly",
}, async () => {
  const { page, url } = await server.person();
  await page.goto(url);
  await chooseLanguage(page, "de");
  const inSight = (what: string) =>
    page
      .locator(`.new-game ${what}`)
      .first()
      .evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
  for (const [width, height, whole] of [
    [360, 740, true],
    [1366, 768, true],
    [320, 568, false],
    [667, 375, false],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(url);
    await page.getByRole("button", { name: "Mit Freunden spielen" }).click();
    await expect.poll(() => inSight("[type=submit]"), { message: `${width}x${height}` }).toBe(true);
    if (whole) {
      for (const part of [".presets", ".presets ~ .segments", "summary"])
        expect(await inSight(part), `${part} at ${width}x${height}`).toBe(true);
    }
    await page.locator(".new-game summary").click();
    // The page may still grow above it when it has the focus for the first time.
    const focused = async (part: string): Promise<boolean> => {
      await page.locator(".new-game .wide input").blur();
      await page.locator(".new-game .wide input").focus();
      return inSight(part);
    };
    for (const part of ["[type=submit]", ".wide input"]) {
      await expect.poll(() => focused(part), { message: `${part} at ${width}x${height}` }).toBe(true);
    }
    const [field, button] = [page.locator(".new-game .wide input"), page.locator(".new-game [type=submit]")];
    const [one, two] = [await field.boundingBox(), await button.boundingBox()];
    expect((one?.y ?? 0) + (one?.height ?? 0), `${width}x${height}`).toBeLessThanOrEqual(two?.y ?? 0);
  }
});

test("on a desk the form of an open game is whole, and the button that makes it cuts through no line", {
  tags: "nightly",
}, async () => {
  const { page } = await registered(server, "Lists_Games", { viewport: { width: 1440, height: 900 } });
  await setUpSeek(page);
  await page.getByRole("radio", { name: "Rated", exact: true }).waitFor();
  const [more, strip] = [page.locator(".new-game summary"), page.locator(".new-game > .submit")];
  const overlap = async (): Promise<number> => {
    const [above, below] = [await more.boundingBox(), await strip.boundingBox()];
    return above && below ? above.y + above.height - below.y : Number.NaN;
  };
  await expect.poll(overlap).toBeLessThanOrEqual(0);
});

test("on a phone the form for a friend opens over the page, with its button in the first screen, and closes again", {
  tags: "nightly",
}, async () => {
  for (const [width, height] of [
    [390, 740],
    [360, 640],
  ] as const) {
    const { page, url } = await server.person({ viewport: { width, height }, hasTouch: true });
    await page.goto(url);
    const button = page.getByRole("button", { name: "Play a friend" });
    const before = await button.boundingBox();
    const form = await openFriend(page);
    const create = await form.getByRole("button", { name: "Create the link" }).boundingBox();
    expect(create && create.y > 0 && create.y + create.height <= height).toBe(true);
    expect(await page.evaluate(() => scrollY), "nothing has moved").toBe(0);
    expect(await button.boundingBox()).toEqual(before);
    expect(await form.locator(":focus").getAttribute("aria-pressed"), "the clock that is chosen").toBe("true");
    await isClean(page, "the form for a friend");
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
    expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
  }
});

test("on a phone the fields of another clock come into sight", { tags: "nightly" }, async () => {
  const { page, url } = await server.person({ viewport: { width: 360, height: 740 } });
  await page.goto(url);
  const form = await openFriend(page);
  await openOtherClock(form);
  const [minutes, button] = [
    page.getByLabel("Minutes", { exact: true }),
    page.getByRole("button", { name: "Create the link" }),
  ];
  const end = async (): Promise<number> => {
    const [field, create] = [await minutes.boundingBox(), await button.boundingBox()];
    return (field?.y ?? 0) + (field?.height ?? 0) - (create?.y ?? 0);
  };
  await expect.poll(end).toBeLessThanOrEqual(0);
  await form.getByRole("button", { name: "10+5", exact: true }).click();
  expect(await minutes.count()).toBe(0);
});

test("on a phone the whole form for a challenge stands above its button", { tags: "nightly" }, async () => {
  const { page } = await registered(server, "Wholeform", { viewport: { width: 390, height: 740 } });
  await page.getByRole("tab", { name: "Custom game" }).click();
  await page.getByRole("radio", { name: "A player" }).check({ force: true });
  const button = await page.getByRole("button", { name: "Send the challenge" }).boundingBox();
  for (const part of [page.getByRole("radio", { name: "Rated", exact: true }), page.getByText("More: rules")]) {
    const box = await part.boundingBox();
    expect(box && button && box.y + box.height <= button.y).toBe(true);
  }
  // Opened by its tab, too, the form has all that is needed first above its button.
  const color = await page.getByRole("group", { name: "You play" }).boundingBox();
  expect(color && button && color.y > 0 && color.y + color.height <= button.y).toBe(true);
  // A game with takebacks cannot be rated: that is said below the box, which stays under the finger.
  const takebacks = page.getByRole("checkbox", { name: /^Takebacks allowed/u });
  const before = await takebacks.boundingBox();
  await takebacks.check();
  await page.getByText(/^Rated games start from the usual position/u).waitFor();
  expect(await takebacks.boundingBox()).toEqual(before);
  // What the form says less of is still said to a screen reader.
  await page.getByRole("group", { name: "Opponent" }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test("the last of the pools leads to a game against anybody, with the fields of the clock in sight", {
  tags: "nightly",
}, async () => {
  const { page, url } = await server.person({ viewport: { width: 360, height: 740 } });
  await page.goto(url);
  await openOtherClock(page);
  await page.getByRole("heading", { name: "New game" }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("tab-custom");
  const minutes = page.getByLabel("Minutes", { exact: true });
  const list = page.getByRole("button", { name: "Add to the open games" });
  const end = async (): Promise<number> => {
    const [field, button] = [await minutes.boundingBox(), await list.boundingBox()];
    return (field?.y ?? 0) + (field?.height ?? 0) - (button?.y ?? 0);
  };
  await expect.poll(end).toBeLessThanOrEqual(0);
  await minutes.fill("7");
  await list.click();
  await page.locator(".waiting-dock").getByText("Waiting for an opponent: 7+3").waitFor();
  // What one waits for lies over the page, with the way to stop, and no second strip beside it.
  const strip = page.locator(".new-game > .submit");
  expect(await strip.evaluate((one) => getComputedStyle(one).position)).toBe("static");
  await expect.poll(() => list.evaluate((one) => one.matches(".primary"))).toBe(false);
  const stop = await page.locator(".waiting-dock").getByRole("button", { name: "Stop waiting" }).boundingBox();
  expect(stop && stop.y > 0 && stop.y + stop.height <= 740).toBe(true);
  // That for a friend begins anew, and asks for no opponent; the other one stays as it is.
  const form = await openFriend(page);
  expect(await form.getByRole("group", { name: "Opponent" }).count()).toBe(0);
  expect(await form.getByLabel("Minutes", { exact: true }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  expect(await minutes.inputValue()).toBe("7");
});

test("one box of the form allows takebacks, by the rules that have them, and is not offered to anybody who comes", {
  tags: "nightly",
}, async () => {
  const { page, url } = await server.person();
  await page.goto(url);
  const form = await openFriend(page);
  const box = page.getByRole("checkbox", { name: "Takebacks allowed – if the opponent agrees" });
  expect(await box.isChecked()).toBe(false);
  await box.check();
  await openMore(page);
  const rules = page.getByRole("combobox", { name: "Rules" });
  expect(await rules.inputValue()).toBe("casual");
  await box.uncheck();
  expect(await rules.inputValue()).toBe("fide_online");
  // Rules without takebacks stay as they are chosen: the box says that it is not for them.
  for (const [value, name] of [
    ["fide_board", "FIDE, over the board"],
    ["us_chess", "US Chess"],
  ] as const) {
    await rules.selectOption(value);
    const off = page.getByRole("checkbox", { name: `Takebacks allowed – not under the rules “${name}”` });
    expect(await off.isDisabled()).toBe(true);
    expect(await off.isChecked()).toBe(false);
    expect(await rules.inputValue()).toBe(value);
  }
  await rules.selectOption("casual");
  expect(await box.isChecked()).toBe(true);
  await form.getByRole("button", { name: "Close" }).click();
  await page.getByRole("tab", { name: "Custom game" }).click();
  await page.getByRole("radio", { name: "Anybody" }).check({ force: true });
  expect(await box.count()).toBe(0);
});

test("the form begins with the clock of the pool that was joined last, and keeps one that was chosen", {
  tags: "nightly",
}, async () => {
  const { page, url } = await server.person(having(server, { pool: "3+2" }));
  await page.goto(url);
  await page.getByRole("button", { name: "Play 3+2", exact: true }).waitFor();
  await page.getByRole("tab", { name: "Custom game" }).click();
  const form = page.getByRole("form", { name: "New game" });
  const chosen = form.locator(".tiles [aria-pressed=true]");
  expect(await chosen.innerText()).toBe("3+2");
  // It follows the last pool until somebody changes it.
  await page.getByRole("tab", { name: "Quick pairing" }).click();
  await page.getByRole("button", { name: /^2\+1/u }).click();
  await stopWaiting(page);
  await page.getByRole("tab", { name: "Custom game" }).click();
  expect(await chosen.innerText()).toBe("2+1");
  await form.getByRole("button", { name: "10+0", exact: true }).click();
  await page.getByRole("tab", { name: "Quick pairing" }).click();
  await page.getByRole("button", { name: /^5\+0/u }).click();
  await stopWaiting(page);
  await page.getByRole("tab", { name: "Custom game" }).click();
  expect(await chosen.innerText()).toBe("10+0");
  await form.getByRole("radio", { name: "A friend, by link" }).check({ force: true });
  await form.getByRole("button", { name: "Create the link" }).click();
  await page.getByText(/10\+0/u).first().waitFor();
});

test("what cannot be in a field that is not shown is shown", { tags: "nightly" }, async () => {
  const { page, url } = await server.person();
  await page.goto(url);
  await page.getByRole("button", { name: "Play a friend" }).click();
  await openMore(page);
  await page.getByLabel("Rules").selectOption({ label: "FIDE, over the board" });
  const first = page.getByLabel("No draw offers before move");
  await first.fill("999");
  await openMore(page);
  expect(await first.isVisible()).toBe(false);
  await page.getByRole("button", { name: "Create the link" }).click();
  await first.waitFor();
});

test("several periods, unequal clocks, Chess960, and a position that cannot be", { tags: "nightly" }, async () => {
  const { page, url } = await server.person();
  await page.goto(url);
  await openOtherClock(await openFriend(page));
  await page.getByLabel("Several periods").check();
  await page.getByLabel("Different clocks").check();
  await openMore(page);
  await page.getByLabel("Chess960").check();
  await page.getByRole("group", { name: "Period 1" }).first().getByLabel("Minutes").fill("90");
  await page.getByRole("textbox", { name: "Start position" }).fill("8/8/8/8/8/8/8/8 w - - 0 1");
  await page.getByRole("button", { name: "Create the link" }).click();
  // The form stays, and the reason is said over it.
  await page.locator("dialog > .notice").getByText("A game cannot start from this position.").waitFor();
  await page.getByRole("textbox", { name: "Start position" }).fill("");
  await page.getByRole("button", { name: "Create the link" }).click();
  await page
    .getByText(
      "Casual · Chess960 · Classical · 40 moves in 90+3, then 15+3 against 40 moves in 5+3, then 15+3 · random colour",
    )
    .waitFor();
});

test("nobody joins what was withdrawn, and a wrong address says so", async () => {
  const white = await server.person();
  const path = await createGame(white);
  await white.page.getByRole("button", { name: "Withdraw" }).click();
  await white.page.getByRole("heading", { name: "The invitation was withdrawn" }).waitFor();
  const black = await server.person();
  await black.page.goto(black.url + path);
  await black.page.getByRole("heading", { name: "This invitation was withdrawn" }).waitFor();
  await black.page.goto(`${black.url}/NothingHere1`);
  await black.page.getByRole("heading", { name: "There is no game or invitation here" }).waitFor();
  const answer = await black.page.goto(`${black.url}/nothing-here`);
  expect(answer?.status()).toBe(404);
});

test("the terms stand before one joins, with the colour that is left; an invitation that is withdrawn meanwhile says so", async () => {
  const white = await server.person();
  const path = await createGame(white, { minutes: "7", rules: "FIDE, over the board", color: "White" });
  const black = await server.person();
  await black.page.goto(black.url + path);
  await black.page.getByText("Casual · Rapid · 7+3").waitFor();
  // What the rules mean is said once, and their name says less.
  expect(await black.page.locator(".terms-more").innerText()).toMatch(/^you play Black$/iu);
  await black.page.getByText("FIDE tournament rules: a draw by repetition").waitFor();
  // Looking made no guest.
  expect((await black.context.cookies()).length).toBe(0);
  await black.page.getByText(/^Open until \w+ \d+ \w+ at \d\d:\d\d\.$/u).waitFor();
  // A page that nobody looks at does not ask whether it is still open.
  await black.page.evaluate(() => Object.defineProperty(document, "visibilityState", { get: () => "hidden" }));
  await white.page.getByRole("button", { name: "Withdraw" }).click();
  await white.page.getByRole("heading", { name: "The invitation was withdrawn" }).waitFor();
  await black.page.getByRole("button", { name: "Join the game" }).click();
  await black.page.getByRole("heading", { name: "This invitation was withdrawn" }).waitFor();
  // In one tap the other way round: whoever was invited invites, with the colour they would have had.
  await black.page.getByRole("button", { name: "Make it again" }).click();
  await black.page.getByRole("heading", { name: "Waiting for an opponent" }).waitFor();
  await black.page.getByText("7+3 · you play Black · FIDE, over the board").waitFor();
});

test("who joins too late watches the game that has begun", async () => {
  const white = await server.person();
  const path = await createGame(white);
  const late = await server.person();
  await late.page.goto(late.url + path);
  await late.page.getByRole("button", { name: "Join the game" }).waitFor();
  // The press comes before the page has asked again.
  await late.page.route("**/api/challenges/*", () => undefined);
  await join(await server.person(), path);
  await late.page.getByRole("button", { name: "Join the game" }).click();
  await board(late.page).waitFor();
  await late.page.getByText("White to move").waitFor();
});
