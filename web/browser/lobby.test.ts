/** The home page with a lobby behind it: pools, open games, games in progress; by mouse, finger, keys and typing. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ask } from "./ask";
import { isClean } from "./axe";
import {
  announces,
  board,
  chooseInMenu,
  openMore,
  openOtherClock,
  playOut,
  resign,
  sees,
  setUpSeek,
  startGame,
  stopWaiting,
} from "./steps";
import { type TestServer, type Person, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
/** The button that makes an open game. */
const LIST = "Add to the open games";
const quiet = (...people: Person[]): void => expect(people.flatMap((person) => person.errors)).toEqual([]);

async function home(options: Parameters<TestServer["person"]>[0] = {}): Promise<Person> {
  const person = await server.person(options);
  await person.page.goto(person.url);
  await person.page.getByRole("heading", { name: "Play chess" }).waitFor();
  return person;
}

const pool = (page: Page, name: string) =>
  page.getByRole("button", { name: new RegExp(`^${name.replace("+", "\\+")} (Bullet|Blitz|Rapid|Classical)`, "u") });

/** Lists a game in the lobby by the form. */
async function seek(page: Page, minutes: string): Promise<void> {
  await setUpSeek(page);
  await openOtherClock(page);
  await page.getByLabel("Minutes").fill(minutes);
  await page.getByRole("button", { name: LIST }).click();
  await page.locator(".waiting-dock").getByText(`Waiting for an opponent: ${minutes}+3`).waitFor();
}

describe("a pool", () => {
  test("pairs two people who tap the same clock, and the others see how many wait", async () => {
    const [one, two, third] = [await home(), await home(), await home()];
    await pool(one.page, "3+2").click();
    await one.page.getByText("Waiting for an opponent: 3+2").waitFor();
    await third.page.getByRole("button", { name: "3+2 Blitz 1 waiting" }).waitFor();
    // The number covers neither clock nor speed.
    const tile = pool(third.page, "3+2");
    const parts = [".pool-count", ".pool-clock", ".pool-speed"].map((part) => tile.locator(part).boundingBox());
    const [count, clock, speed] = await Promise.all(parts);
    expect(count && clock && speed && count.y + count.height <= clock.y && clock.y < speed.y).toBe(true);
    // It is within its tile, and touches no other one.
    const box = await tile.boundingBox();
    expect(box && count && count.y >= box.y && count.x >= box.x && count.x + count.width <= box.x + box.width).toBe(
      true,
    );
    // Looking at the lobby made no guest.
    expect((await third.context.cookies()).length).toBe(0);
    await isClean(one.page, "waiting in a pool");
    await pool(two.page, "3+2").click();
    for (const { page } of [one, two]) {
      await board(page).waitFor();
      await page.locator(".details").getByText("3+2").waitFor();
      await announces(page, /The game begins\. You play (White|Black)\./u);
    }
    expect(new URL(one.page.url()).pathname).toBe(new URL(two.page.url()).pathname);
    await third.page.getByRole("button", { name: "3+2 Blitz", exact: true }).waitFor();
    quiet(one, two, third);
  });

  test("is left by a second tap and by the button; another one is joined instead", { tags: "nightly" }, async () => {
    const one = await home();
    const { page } = one;
    const says = page.locator(".waiting-for > [role=status]");
    await pool(page, "10+0").click();
    await says.getByText("Waiting for an opponent: 10+0").waitFor();
    await pool(page, "10+5").click();
    await says.getByText("Waiting for an opponent: 10+5").waitFor();
    expect(await pool(page, "10+0").getAttribute("aria-pressed")).toBe("false");
    await pool(page, "10+5").click();
    await expect.poll(() => says.innerText()).toBe("");
    await pool(page, "10+5").click();
    await says.getByText("Waiting for an opponent: 10+5").waitFor();
    await stopWaiting(page);
    await expect.poll(() => says.innerText()).toBe("");
    quiet(one);
  });

  test("tells whoever has just played in how many seconds they may meet again, and lets a phone stop in words", {
    tags: "nightly",
  }, async () => {
    const [one, two] = [await server.person(PHONE), await home()];
    const { page } = one;
    // The page sees somebody else wait, whom the server does not pair with it meanwhile.
    await page.routeWebSocket(/\/ws/u, (socket) => {
      const far = socket.connectToServer();
      const [alone, both] = [1, 2].map((waiting) => JSON.stringify({ pool: "1+0", waiting }));
      far.onMessage((message) => socket.send(String(message).replace(alone ?? "", both ?? "")));
    });
    await page.clock.install();
    await page.goto(one.url);
    for (const person of [one, two]) await pool(person.page, "1+0").click();
    for (const person of [one, two]) await board(person.page).waitFor();
    await resign(two.page);
    await page.getByRole("button", { name: "New opponent" }).waitFor();
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
    await page.getByRole("button", { name: "New opponent" }).click();
    const dock = page.locator(".waiting-dock");
    const again = dock
      .locator(".offers [aria-hidden=true]")
      .getByText(/^In [12] s you may get your last opponent again/u);
    const passes = async (): Promise<boolean> => {
      await page.clock.runFor(100);
      return again.isVisible();
    };
    await expect.poll(passes).toBe(true);
    expect(await dock.locator(".offers .visually-hidden").innerText()).toMatch(/^In 2 s/u);
    await page.clock.resume();
    // Where the main button, which ends the wait, is out of sight.
    const stop = dock.getByText("Stop", { exact: true });
    await expect.poll(() => stop.isVisible()).toBe(false);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect.poll(() => stop.isVisible()).toBe(true);
    await dock.getByRole("button", { name: "Stop waiting" }).tap();
    await expect.poll(() => dock.innerText()).toBe("");
    quiet(one, two);
  });

  test("pairs two who have just played with each other again where nobody else waits", {
    tags: "nightly",
  }, async () => {
    const [one, two] = [await home(), await home()];
    for (const { page } of [one, two]) await pool(page, "1+0").click();
    for (const { page } of [one, two]) await board(page).waitFor();
    const first = new URL(one.page.url()).pathname;
    await resign(two.page);
    for (const { page } of [one, two]) await page.getByRole("button", { name: "New opponent" }).click();
    for (const { page } of [one, two])
      await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/[\dA-Za-z]{12}$/u);
    for (const { page } of [one, two]) await board(page).waitFor();
    expect(new URL(one.page.url()).pathname).not.toBe(first);
    quiet(one, two);
  });

  test("is waited in while one looks at another page, which says so and leads to the game", {
    tags: "nightly",
  }, async () => {
    const one = await home();
    await pool(one.page, "15+10").click();
    await one.page.getByText("Waiting for an opponent: 15+10").waitFor();
    await chooseInMenu(one.page, "Your games and ratings");
    await one.page.locator(".waiting-bar").getByText("Waiting for an opponent: 15+10").waitFor();
    const two = await home();
    await pool(two.page, "15+10").click();
    for (const { page } of [one, two]) await board(page).waitFor();
  });

  test("a lost connection loses the place, says so, and joins again by itself", async () => {
    const one = await home({ wired: true });
    await pool(one.page, "30+0").click();
    await one.page.getByText("Waiting for an opponent: 30+0").waitFor();
    const watcher = await home();
    await watcher.page.getByRole("button", { name: "30+0 Classical 1 waiting" }).waitFor();
    server.wire.hangUp();
    await watcher.page.getByRole("button", { name: "30+0 Classical", exact: true }).waitFor({ timeout: 25_000 });
    await one.page
      .getByText("30+0: connection lost. You will be waiting again once it is back.")
      .waitFor({ timeout: 15_000 });
    server.wire.mend();
    await one.page.getByText("Waiting for an opponent: 30+0").waitFor({ timeout: 25_000 });
    await watcher.page.getByRole("button", { name: "30+0 Classical 1 waiting" }).waitFor();
    await pool(watcher.page, "30+0").click();
    for (const { page } of [one, watcher]) await board(page).waitFor();
  });
});

test("a reload ends no wait: not in a pool, nor for an open game", async () => {
  const one = await home();
  await seek(one.page, "14");
  await one.page.getByRole("tab", { name: "Quick pairing" }).click();
  await pool(one.page, "30+20").click();
  await one.page.getByText("Waiting for an opponent: 30+20").waitFor();
  await one.page.reload();
  await one.page.getByText("Waiting for an opponent: 30+20").waitFor();
  const two = await home();
  await two.page.getByRole("button", { name: /^Join Guest-\w+: Casual · Rapid · 14\+3/u }).waitFor();
  await pool(two.page, "30+20").click();
  for (const { page } of [one, two]) await board(page).waitFor();
  quiet(one, two);
});

describe("an open game", () => {
  test("is listed with its terms in words, joined in one tap, and gone for the others", async () => {
    const [one, two, third] = [await home(), await home(), await home()];
    await setUpSeek(one.page);
    await one.page.getByRole("radio", { name: "White" }).check({ force: true });
    await openOtherClock(one.page);
    await one.page.getByLabel("Minutes").fill("7");
    await openMore(one.page);
    await one.page.getByLabel("Chess960").check();
    await one.page.getByLabel("Rules").selectOption({ label: "FIDE, over the board" });
    await one.page.getByLabel("No draw offers before move").fill("30");
    await one.page.getByRole("button", { name: LIST }).click();
    await one.page
      .getByRole("button", { name: "Withdraw your game: Casual · Chess960 · Rapid · 7+3 · you play White" })
      .waitFor();
    expect(new URL(one.page.url()).pathname).toBe("/");
    await isClean(two.page, "open games");
    await third.page.getByRole("button", { name: /^Join Guest-/u }).waitFor();
    await two.page
      .getByRole("button", {
        name: /^Join Guest-\w+: Casual · Chess960 · Rapid · 7\+3 · you play Black · FIDE, over the board · no draw offers before move 30/u,
      })
      .click();
    for (const { page } of [one, two]) await board(page).waitFor();
    await announces(one.page, "The game begins. You play White.");
    await announces(two.page, "The game begins. You play Black.");
    await third.page.getByRole("button", { name: /^Join Guest-/u }).waitFor({ state: "detached" });
    quiet(one, two, third);
  });

  test("is joined out of the pool in which just that is played", { tags: "nightly" }, async () => {
    const [one, two] = [await home(), await home()];
    await setUpSeek(one.page);
    await one.page.getByRole("button", { name: LIST }).click();
    await two.page.getByRole("button", { name: "5+3 Blitz 1 open" }).click();
    for (const { page } of [one, two]) await board(page).waitFor();
    quiet(one, two);
  });

  test("that asks for a colour is offered to whoever waits in the pool with its clock", {
    tags: "nightly",
  }, async () => {
    const [one, two] = [await home(), await home(PHONE)];
    await setUpSeek(one.page);
    await one.page.getByRole("radio", { name: "White" }).check({ force: true });
    await one.page.getByRole("button", { name: LIST }).click();
    await two.page.getByRole("button", { name: "5+3 Blitz 1 open" }).tap();
    const dock = two.page.locator(".waiting-dock");
    await dock.getByText(/^Guest-\w+ has an open game: 5\+3 · Casual · you play Black$/u).waitFor();
    expect(await dock.getByText("Nobody else is waiting yet.").count()).toBe(0);
    expect(await two.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await isClean(two.page, "an open game is offered");
    await dock.getByRole("button", { name: /^Join Guest-/u }).tap();
    for (const { page } of [one, two]) await board(page).waitFor();
    await announces(two.page, "The game begins. You play Black.");
    quiet(one, two);
  });

  test("is waited for as in a pool, and withdrawn by whoever stops waiting", { tags: "nightly" }, async () => {
    const [one, two] = [await home(), await home()];
    await seek(one.page, "16");
    const listed = two.page.getByRole("button", { name: /^Join Guest-\w+: Casual · Rapid · 16\+3/u });
    await listed.waitFor();
    const dock = one.page.locator(".waiting-dock");
    await isClean(one.page, "waiting with an open game");
    await dock.getByRole("button", { name: "Stop waiting" }).click();
    await listed.waitFor({ state: "detached" });
    await expect.poll(() => dock.innerText()).toBe("");
    quiet(one, two);
  });

  test("is withdrawn by its owner, and goes with the owner's page", { tags: "nightly" }, async () => {
    const [one, two] = [await home(), await home()];
    await seek(one.page, "8");
    const listed = two.page.getByRole("button", { name: /^Join Guest-\w+: Casual · Rapid · 8\+3/u });
    await listed.waitFor();
    await one.page.getByRole("button", { name: /^Withdraw your game: Casual · Rapid · 8\+3/u }).click();
    await listed.waitFor({ state: "detached" });
    await seek(one.page, "9");
    const second = two.page.getByRole("button", { name: /^Join Guest-\w+: Casual · Rapid · 9\+3/u });
    await second.waitFor();
    await one.context.close();
    await second.waitFor({ state: "detached" });
  });
});

describe("games in progress", () => {
  test("stand on the home page as boards that follow the game and lead to it", async () => {
    const match = await startGame(server, { minutes: "11" });
    const third = await home();
    const link = third.page.getByRole("link", {
      name: /^Watch Guest-\w+ against Guest-\w+ ?, Casual · Rapid · 11\+3/u,
    });
    await link.waitFor();
    await playOut(match, ["e4"]);
    await third.page.getByRole("link", { name: /11\+3.*, move 1$/u }).waitFor();
    await isClean(third.page, "games in progress");
    await link.click();
    await board(third.page).waitFor();
    expect(new URL(third.page.url()).pathname).toBe(match.path);
    await sees(third.page, "e4", "wp");
    quiet(third);
  });

  test("besides the large one are counted as they are shown, with whole names, and fill their rows", {
    tags: "nightly",
  }, async () => {
    const own = await startTestServer();
    onTestFinished(() => own.close());
    for (const minutes of ["11", "12"]) await playOut(await startGame(own, { minutes }), ["e4", "e5"]);
    const { page, url } = await own.person();
    await page.goto(url);
    await page
      .locator(".here")
      .getByText(/2 games in progress$/u)
      .waitFor();
    const live = page.getByRole("region", { name: "Games in progress" });
    await live.getByRole("heading", { name: "1 more game in progress" }).waitFor();
    expect(await live.getByRole("link").count()).toBe(1);
    for (const width of [360, 800, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const names = live.locator(".live-name");
      expect(await names.evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth))).toEqual([0, 0]);
      // In another column they are there anew.
      const isBeside = async () => {
        const [board, name] = [await live.locator(".mini-board").boundingBox(), await names.first().boundingBox()];
        return board !== null && name !== null && name.x > board.x + board.width;
      };
      await expect.poll(isBeside, { message: `${width}` }).toBe(true);
    }
    // On a desk they stand beside the large one, before what is said of the site.
    const places = [live, page.locator(".featured"), page.locator(".apart")].map((part) => part.boundingBox());
    const [boards, large, apart] = await Promise.all(places);
    expect(boards && large && boards.x > large.x + large.width && boards.y === large.y).toBe(true);
    expect(boards && apart && apart.x === boards.x && apart.y > boards.y + boards.height).toBe(true);
    await isClean(page, "one more game in progress");
  });

  test("one's own are the first to return to", { tags: "nightly" }, async () => {
    const match = await startGame(server);
    const { page } = match.white;
    await page.getByRole("link", { name: "Zeitnot, home" }).click();
    // With its board and both clocks, and nowhere else: neither among one's games nor among those to watch.
    const back = page.getByRole("link", { name: /^Back to the game against Guest-\w+ your move$/u });
    expect(await back.innerText()).toMatch(/^Back to the game against Guest-\w+\s*your move · [45]:\d\d – 5:\d\d$/iu);
    await back.locator(".mini-board").waitFor();
    // On the smallest phone three lines: where it leads, against whom, and the clocks.
    await page.setViewportSize({ width: 320, height: 640 });
    const words = back.locator(".back-words");
    const lines = await words.evaluate(
      (one) => one.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(one).lineHeight),
    );
    expect(Math.round(lines)).toBeLessThanOrEqual(3);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.locator(".featured").waitFor();
    expect(await page.locator(`a[href="${match.path}"]`).count()).toBe(1);
    expect(await page.getByRole("region", { name: "Your games" }).count()).toBe(0);
    // No second game is begun from there.
    expect(await page.getByRole("button", { name: /^Play \d/u }).count()).toBe(0);
    await isClean(page, "the home page while one plays");
    await back.click();
    await board(page).waitFor();
    await match.black.page.getByRole("link", { name: "Zeitnot, home" }).click();
    await playOut({ ...match, black: match.white }, []);
    await page.getByRole("textbox", { name: "Type a move or a command" }).fill("e4");
    await page.keyboard.press("Enter");
    await match.black.page.getByRole("link", { name: /^Back to the game.* your move$/u }).waitFor();
  });

  test("one's own besides the first stand beside the rest on a desk, and in a narrower window no wider than they need", {
    tags: "nightly",
  }, async () => {
    const match = await startGame(server);
    const { page } = match.white;
    const terms = { time_control: { kind: "days", days: 3 }, color: "white" } as const;
    const { challenge } = await ask(match.white, { t: "create_challenge", d: terms }, "challenge");
    await ask(match.black, { t: "accept_challenge", d: { challenge } }, "ok");
    // A page that is home by then would open the game that starts.
    await page.getByText("One of your games has started.").first().waitFor();
    await page.locator("a.brand").click();
    await page.getByRole("link", { name: /^Back to the game/u }).waitFor();
    const games = page.getByRole("region", { name: "Your games" });
    await games
      .getByRole("link", { name: /^Your game against Guest-\w+ Casual · Correspondence · 3 days per move your move$/u })
      .waitFor();
    expect(await games.getByRole("link").count()).toBe(1);
    // It pushes nothing down.
    await page.setViewportSize({ width: 1440, height: 900 });
    const play = page.locator("section.play");
    const box = async (part: typeof games) => (await part.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };
    await expect.poll(async () => (await box(games)).y).toBe((await box(play)).y);
    expect((await box(games)).x).toBeGreaterThan((await box(page.locator(".featured"))).x);
    await isClean(page, "two own games");
    await page.setViewportSize({ width: 1024, height: 768 });
    await expect.poll(async () => (await box(games)).y).toBeLessThan((await box(play)).y);
    expect((await box(games)).width).toBeLessThan(400);
  });
});

test("a pool is asked about while the clocks of an own game run", { tags: "nightly" }, async () => {
  const { white, path } = await startGame(server);
  const { page } = white;
  await page.getByRole("link", { name: "Zeitnot, home" }).click();
  await pool(page, "2+1").click();
  const question = page.getByRole("dialog", { name: /^Your game against Guest-\w+ is running\.$/u });
  await question.waitFor();
  await isClean(page, "the question whether to play another game");
  // On a phone its answers are as wide as it, and about as high as each other.
  await page.setViewportSize({ width: 390, height: 740 });
  const answers = await question
    .locator(".row > button")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map((box) => box.toJSON() as DOMRect));
  expect(new Set(answers.map(({ width }) => Math.round(width))).size).toBe(1);
  expect(answers.length).toBe(2);
  expect(Math.max(...answers.map(({ height }) => height))).toBeLessThan(64);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  expect(await pool(page, "2+1").getAttribute("aria-pressed")).toBe("false");
  await pool(page, "2+1").click();
  await question.getByRole("button", { name: "Back to the game" }).click();
  await board(page).waitFor();
  expect(new URL(page.url()).pathname).toBe(path);
  await page.getByRole("link", { name: "Zeitnot, home" }).click();
  await pool(page, "2+1").click();
  await question.getByRole("button", { name: "Play another one" }).click();
  await page.getByText("Waiting for an opponent: 2+1").waitFor();
  // The main button is the way back to the game.
  await page.locator(".waiting-dock").getByRole("button", { name: "Stop waiting" }).click();
  await page.getByText("Waiting for an opponent: 2+1").waitFor({ state: "detached" });
  quiet(white);
});

test("the lobby by keys and typing alone", async () => {
  const [one, two] = [await home(), await home()];
  const say = async (page: Page, text: string, answer?: string | RegExp): Promise<void> => {
    await page.getByRole("textbox", { name: "Link or code, or a command" }).fill(text);
    await page.keyboard.press("Enter");
    if (answer !== undefined) await announces(page, answer);
  };
  await say(one.page, "help", /3\+2: looks for an opponent with this clock\./u);
  await say(one.page, "5+3", "Joining 5+3 …");
  await one.page.getByText("Waiting for an opponent: 5+3").waitFor();
  await say(one.page, "status", "Waiting for an opponent: 5+3");
  await say(one.page, "cancel", "You are no longer waiting.");
  await say(one.page, "status", "You are not waiting for a game.");
  await seek(one.page, "12");
  await two.page.getByRole("button", { name: /^Join Guest-\w+: Casual · Rapid · 12\+3/u }).waitFor();
  await say(two.page, "seeks", /1: Guest-\w+, Casual · Rapid · 12\+3 · you get a random colour/u);
  await say(two.page, "join 9", "There is no open game with that number.");
  await say(two.page, "nonsense", "“nonsense” is not a link, code or command.");
  await say(two.page, "join 1");
  for (const { page } of [one, two]) await announces(page, /The game begins/u);
  await two.page.getByRole("link", { name: "Zeitnot, home" }).focus();
  await two.page.keyboard.press("Enter");
  await pool(two.page, "2+1").focus();
  await two.page.keyboard.press("Space");
  await two.page.getByRole("button", { name: "Play another one" }).focus();
  await two.page.keyboard.press("Enter");
  await two.page.getByText("Waiting for an opponent: 2+1").waitFor();
});

test("the lobby by touch on a phone: a pool, and an open game", async () => {
  const [one, two] = [await home(PHONE), await home(PHONE)];
  await pool(one.page, "3+0").tap();
  await one.page.getByText("Waiting for an opponent: 3+0").waitFor();
  expect(await one.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await isClean(one.page, "a phone's lobby");
  await pool(two.page, "3+0").tap();
  for (const { page } of [one, two]) await board(page).waitFor();
  const [three, four] = [await home(PHONE), await home(PHONE)];
  await setUpSeek(three.page);
  await three.page.getByRole("button", { name: LIST }).tap();
  await four.page.getByRole("button", { name: /^Join Guest-\w+: Casual · Blitz · 5\+3/u }).tap();
  for (const { page } of [three, four]) await board(page).waitFor();
  quiet(one, two, three, four);
});
