/** Whole games between two browsers and a third that watches: by mouse, to mate, with everything that can lie between. */
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isClean } from "./axe";
import {
  announces,
  board,
  click,
  createGame,
  drag,
  ended,
  offerDraw,
  pieceOn,
  playOut,
  plies,
  sees,
  square,
  startGame,
  type,
  resign,
} from "./steps";
import { type TestServer, type Person, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const quiet = (...people: Person[]): void => expect(people.flatMap((person) => person.errors)).toEqual([]);

test("two play to mate by mouse, and a third watches", async () => {
  const match = await startGame(server);
  const { white, black } = match;
  const third = await server.person();
  await third.page.goto(third.url + match.path);
  await board(third.page).waitFor();
  await third.page.getByText("White to move").waitFor();
  await white.page.getByText("1 spectator").waitFor();

  await drag(white.page, "f2", "f3");
  await sees(black.page, "f3", "wp");
  await click(black.page, "e7", "e5");
  await sees(white.page, "e5", "bp");
  await drag(white.page, "g2", "g4");
  await sees(third.page, "g4", "wp");
  await drag(black.page, "d8", "h4");
  for (const { page } of [white, black, third]) {
    await ended(page, "Checkmate");
    expect(await square(page, "e1").getAttribute("class")).toContain("check");
  }
  await ended(white.page, "You lose");
  await ended(black.page, "You win");
  await ended(third.page, "Black wins");
  // A player has points in place of the score.
  const scores = await Promise.all([white, black, third].map(({ page }) => page.locator(".score").allInnerTexts()));
  expect(scores).toEqual([[], [], ["0–1"]]);
  expect(await black.page.locator(".fate-disc").innerText()).toBe("1");
  await announces(third.page, /Black wins. Checkmate/u);
  // A spectator made no guest.
  expect((await third.context.cookies()).length).toBe(0);
  quiet(white, black, third);
});

test("an illegal drag changes nothing, and nobody moves out of turn", async () => {
  const { white, black } = await startGame(server);
  await drag(white.page, "e2", "e5");
  await drag(white.page, "e7", "e5");
  expect([await pieceOn(white.page, "e2"), await pieceOn(white.page, "e7")]).toEqual(["wp", "bp"]);
  await click(white.page, "e2", "e4");
  await sees(black.page, "e4", "wp");
  quiet(white, black);
});

test("a reload in the middle: the game is there again, for players and spectators", async () => {
  const match = await startGame(server);
  await playOut(match, ["e4", "c5", "Nf3"]);
  for (const person of [match.white, match.black]) {
    await person.page.reload();
    await plies(person.page, 3);
    expect(await pieceOn(person.page, "f3")).toBe("wn");
  }
  await playOut(match, ["d6", "d4"], 3);
  expect(await match.white.page.locator(".clock").count()).toBe(2);
  quiet(match.white, match.black);
});

describe("a premove", () => {
  test("is played at once when it is legal", async () => {
    const { white, black } = await startGame(server);
    await drag(black.page, "e7", "e5");
    await black.page.getByText("Premove e7–e5").waitFor();
    expect(await square(black.page, "e5").getAttribute("class")).toContain("premove");
    expect(await pieceOn(black.page, "e7")).toBe("bp");
    await isClean(black.page, "a premove");
    await drag(white.page, "e2", "e4");
    await sees(white.page, "e5", "bp");
    await plies(black.page, 2);
    quiet(white, black);
  });

  test("can be cancelled by button, by a tap and by Escape; one that became illegal is forgotten", async () => {
    const { white, black } = await startGame(server);
    const { page } = black;
    const isSet = page.getByText(/^Premove [^c]/u);
    await drag(page, "e7", "e5");
    await page.getByRole("button", { name: "Cancel the premove" }).click();
    await drag(page, "e7", "e5");
    await isSet.waitFor();
    await click(page, "a4");
    await isSet.waitFor({ state: "detached" });
    await drag(page, "e7", "e5");
    await isSet.waitFor();
    await page.keyboard.press("Escape");
    await isSet.waitFor({ state: "detached" });
    await drag(page, "d8", "h4");
    await isSet.waitFor();
    await drag(white.page, "e2", "e4");
    await page.getByText("Your turn").waitFor();
    expect([await pieceOn(page, "d8"), await page.locator("button.ply").count()]).toEqual(["bq", 1]);
    quiet(white, black);
  });
});

describe("a promotion", () => {
  const fen = "7k/P7/8/8/8/8/7p/K7 w - - 0 1";
  test("asks for the piece, and may be put back", async () => {
    const { white, black } = await startGame(server, { fen });
    await drag(white.page, "a7", "a8");
    const dialog = white.page.getByRole("dialog", { name: "Promote to" });
    await dialog.waitFor();
    await isClean(white.page, "a promotion");
    await white.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await pieceOn(white.page, "a7")).toBe("wp");
    await click(white.page, "a7", "a8");
    await dialog.getByRole("button", { name: "knight" }).click();
    await sees(black.page, "a8", "wn");
    await drag(black.page, "h2", "h1");
    await black.page.keyboard.press("Enter");
    await sees(white.page, "h1", "bq");
    quiet(white, black);
  });

  test("by a premove", async () => {
    const { white, black } = await startGame(server, { fen });
    await drag(black.page, "h2", "h1");
    await black.page.getByRole("button", { name: "rook" }).click();
    await black.page.getByText("Premove h2–h1=R").waitFor();
    await type(white.page, "Kb2");
    await sees(white.page, "h1", "br");
    quiet(white, black);
  });
});

test("castling by the king's two steps and by the rook", async () => {
  const { white, black } = await startGame(server, { fen: "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1" });
  await drag(white.page, "e1", "g1");
  await sees(black.page, "f1", "wr");
  await click(black.page, "e8", "a8");
  await sees(white.page, "c8", "bk");
  await sees(white.page, "d8", "br");
  quiet(white, black);
});

test("the flag falls where everybody can see it, in tenths", async () => {
  const match = await startGame(server, { minutes: "0.05", seconds: "0" });
  const { white, black } = match;
  await playOut(match, ["e4", "e5"]);
  const clock = white.page.getByRole("timer", { name: "White's clock" });
  await expect.poll(() => clock.innerText(), { interval: 50 }).toMatch(/^[0-2]\.\d$/u);
  for (const { page } of [white, black]) await ended(page, /out of time$/u);
  expect(await clock.innerText()).toBe("0.0");
  await isClean(black.page, "a result");
  quiet(white, black);
});

test("out of time against a bare king is a draw, and says why", { tags: "nightly" }, async () => {
  const match = await startGame(server, { minutes: "0.04", seconds: "0", fen: "k7/8/8/8/8/8/4P3/4K3 w - - 0 1" });
  await playOut(match, ["e3", "Kb8"]);
  await ended(
    match.white.page,
    "White is out of time, but Black cannot checkmate: a draw. The material left does not allow it.",
  );
  expect(await match.black.page.locator(".fate-disc").innerText()).toBe("½");
});

const WINDOWS = [
  [390, 664],
  [1440, 900],
] as const;

/** Where every button of the column beside or below the board stands. */
const buttons = (page: Page) =>
  page
    .locator(".side :is(.moves, .status, .actions) button")
    .evaluateAll((all) => all.map((one) => [one.textContent, one.getBoundingClientRect().toJSON()]));

test.each(WINDOWS)(
  "at %i by %i what is opened or offered in a game moves no button",
  { tags: "nightly" },
  async (width, height) => {
    const match = await startGame(server, {}, { white: { viewport: { width, height } } });
    const { page } = match.white;
    await playOut(match, ["e4", "e5"]);
    const share = page.getByRole("button", { name: "Share and save" });
    await share.scrollIntoViewIfNeeded();
    const before = await buttons(page);
    await share.click();
    await page.getByRole("button", { name: "Copy PGN" }).waitFor();
    expect(await buttons(page)).toEqual(before);
    await page.keyboard.press("Escape");
    await offerDraw(page);
    const offered = page.getByRole("button", { name: "Draw offered" });
    await offered.waitFor();
    await page.locator(".status").getByText("Draw offered until the opponent moves").waitFor();
    // Its name has all of it; what is seen has one line.
    const lines = await offered.evaluate((one) => {
      const words = document.createRange();
      words.selectNodeContents(one.lastChild ?? one);
      return words.getClientRects().length;
    });
    expect(lines).toBe(1);
    const places = (all: Awaited<ReturnType<typeof buttons>>) => all.map(([, place]) => place);
    await share.scrollIntoViewIfNeeded();
    expect(places(await buttons(page))).toEqual(places(before));
    await offered.press("Enter");
    await page.locator(".notice").getByText("Draw offered until the opponent moves").waitFor();
  },
);

describe("offers", () => {
  test("a draw is offered, declined, offered again too soon, and agreed", async () => {
    const match = await startGame(server);
    const { white, black } = match;
    expect(await white.page.getByRole("button", { name: "Abort" }).isVisible()).toBe(true);
    // It costs nothing, and a resignation would.
    expect(await white.page.getByRole("button", { name: "Resign" }).count()).toBe(0);
    await playOut(match, ["e4", "e5"]);
    await white.page.getByRole("button", { name: "Offer a draw" }).click();
    await isClean(white.page, "the question about a draw offer");
    const frame = () => white.page.locator(".status.question").evaluate((one) => getComputedStyle(one).borderTopColor);
    const ofDraw = await frame();
    await white.page.keyboard.press("Escape");
    await white.page.getByRole("button", { name: "Resign" }).click();
    expect(await frame(), "the colour of danger is for what is dangerous").not.toBe(ofDraw);
    await white.page.keyboard.press("Escape");
    const nameOf = (color: string) => white.page.locator(`[data-color=${color}] .player-link`).innerText();
    const names = { white: await nameOf("white"), black: await nameOf("black") };
    expect(await black.page.getByRole("group", { name: /offers a draw/u }).count()).toBe(0);
    // It comes unasked: a press in that moment, meant for what stood there before, does not answer it.
    await black.page.evaluate(() => {
      const seen = new MutationObserver(() => {
        const accept = document.querySelector<HTMLElement>(".status.offer button");
        if (!accept) return;
        seen.disconnect();
        accept.click();
        Object.assign(window, { early: accept.getAttribute("aria-disabled"), look: getComputedStyle(accept).opacity });
      });
      seen.observe(document.body, { childList: true, subtree: true });
    });
    await offerDraw(white.page);
    const offer = black.page.getByRole("group", { name: `${names.white} offers a draw.` });
    await offer.waitFor();
    await announces(black.page, `${names.white} offers a draw`);
    await isClean(black.page, "a draw offer");
    expect(await black.page.evaluate(() => Reflect.get(window, "early") as string)).toBe("true");
    expect(await black.page.evaluate(() => Reflect.get(window, "look") as string), "it looks as usual").toBe("1");
    await offer.getByRole("button", { name: "Decline", disabled: false }).click();
    const declined = `${names.black} declines the draw. You can offer again from move 12 on.`;
    await announces(white.page, declined);
    // Below whose turn it is.
    await white.page.locator(".status").getByText("Draw declined · again from move 12").waitFor();
    await white.page.locator(".status").getByText("Your turn").waitFor();
    await black.page.locator(".status").getByText("Their move").waitFor();
    await white.page.getByRole("button", { name: "Offer a draw" }).press("Enter");
    await white.page.locator(".notice").getByText("You can offer a draw again from move 12 on.").waitFor();
    await type(black.page, "draw");
    await white.page
      .getByRole("group", { name: `${names.black} offers a draw.` })
      .getByRole("button", { name: "Accept" })
      .click();
    for (const { page } of [white, black]) await ended(page, "By agreement");
    // Its name says all.
    expect(await white.page.getByRole("button", { name: "Why this result?" }).count()).toBe(0);
    quiet(white, black);
  });

  test("whoever is asked whether to resign is shown that a draw is offered", { tags: "nightly" }, async () => {
    const match = await startGame(server);
    const { white, black } = match;
    await playOut(match, ["e4", "e5"]);
    await black.page.getByRole("button", { name: "Resign" }).click();
    const question = black.page.getByRole("group", { name: "Resign this game?" });
    await question.waitFor();
    await offerDraw(white.page);
    const offer = black.page.getByRole("group", { name: /offers a draw/u });
    await offer.waitFor();
    expect(await question.count()).toBe(0);
    expect(await black.page.evaluate(() => document.activeElement?.textContent)).toBe("Resign");
    // It can be asked for all the same.
    await black.page.getByRole("button", { name: "Resign" }).click();
    await question.getByRole("button", { name: "No" }).click();
    await offer.getByRole("button", { name: "Accept" }).click();
    for (const { page } of [white, black]) await ended(page, "By agreement");
    quiet(white, black);
  });

  test("resigning asks once more", async () => {
    const match = await startGame(server);
    const { white, black } = match;
    await playOut(match, ["e4", "e5"]);
    await white.page.getByRole("button", { name: "Resign" }).click();
    await isClean(white.page, "resigning");
    const yes = white.page.getByRole("button", { name: "Yes, resign" });
    const fill = (one: Locator) => one.evaluate((button) => getComputedStyle(button).backgroundColor);
    expect(await fill(yes), "filled").not.toBe(await fill(white.page.getByRole("button", { name: "No", exact: true })));
    await white.page.getByRole("button", { name: "No", exact: true }).click();
    const button = white.page.getByRole("button", { name: "Resign", exact: true });
    for (const isOpen of [true, false, true]) {
      await button.click();
      await yes.waitFor({ state: isOpen ? "attached" : "detached" });
      expect(await button.getAttribute("aria-expanded")).toBe(String(isOpen));
    }
    await white.page.getByRole("button", { name: "Yes, resign" }).click();
    await ended(white.page, "You resigned");
    await ended(black.page, "Opponent resigned");
    quiet(white, black);
  });

  test.each(["clock", "unlimited"] as const)(
    "while the result is worked out (%s) nothing moves, and after a while it is said",
    { tags: "nightly" },
    async (kind) => {
      const { white, black, path } = await startGame(server, kind === "clock" ? {} : { unlimited: true });
      const { page } = white;
      let isHeld = true;
      await page.routeWebSocket(/\/ws/u, (socket) => {
        const far = socket.connectToServer();
        far.onMessage((message) =>
          isHeld && String(message).includes('"t":"ended"') ? undefined : socket.send(message),
        );
      });
      await page.goto(white.url + path);
      await playOut({ white, black, path }, ["e4", "e5"]);
      const places = () =>
        page
          .locator(".moves, .status, .actions, .typed")
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
      const before = await places();
      // What the line has said since, in order: on a busy machine a look may come too late.
      await page.evaluate(() => {
        const told: string[] = [];
        Object.assign(window, { told });
        new MutationObserver(() => {
          const line = document.querySelector("[data-deciding] > p")?.textContent;
          if (line !== undefined && told.at(-1) !== line) told.push(line);
        }).observe(document.body, { childList: true, subtree: true, characterData: true });
      });
      await resign(black.page);
      await page.locator("[data-deciding]").waitFor();
      expect(await places()).toEqual(before);
      const words = page.locator(".status > p");
      const said = "The result is being worked out …";
      await expect.poll(() => words.innerText()).toBe(kind === "clock" ? `The clocks are stopped. ${said}` : said);
      expect(await places()).toEqual(before);
      expect((await page.evaluate(() => Reflect.get(window, "told") as string[]))[0]).toBe("");
      isHeld = false;
    },
  );

  test("a double click on Resign does not resign; No has the focus, and Escape means No", async () => {
    const match = await startGame(server);
    const { white } = match;
    const { page } = white;
    // On a slow machine the rest takes longer than the first moves may.
    await playOut(match, ["e4", "e5"]);
    const button = page.getByRole("button", { name: "Resign", exact: true });
    const question = page.getByRole("group", { name: "Resign this game?" });
    for (const [width, height] of [
      [1440, 900],
      [360, 740],
      [320, 568],
      [568, 320],
      [1024, 600],
    ] as const) {
      await page.setViewportSize({ width, height });
      await button.scrollIntoViewIfNeeded();
      await button.dblclick();
      expect(await question.isVisible(), `${width}x${height}`).toBe(true);
      const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? "");
      await expect.poll(focused).toBe("No");
      await page.keyboard.press("Escape");
      await question.waitFor({ state: "detached" });
      expect(await focused()).toBe("Resign");
    }
    expect(await page.getByRole("group", { name: "The game is over" }).count()).toBe(0);
    quiet(white);
  });

  test("Escape in the same frame as the click on Resign means No", { tags: "nightly" }, async () => {
    const match = await startGame(server);
    const { page } = match.white;
    await playOut(match, ["e4", "e5"]);
    const left = await page.evaluate(async () => {
      const question = (): Element | null => document.querySelector(".status.question");
      document.getElementById("resign")?.click();
      // Rendering takes a few microtasks, and no frame.
      for (let turn = 0; turn < 10 && !question(); turn++) await Promise.resolve();
      const asked = question() !== null;
      const key = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(key);
      for (let turn = 0; turn < 10 && question(); turn++) await Promise.resolve();
      return { asked, open: question() !== null, focused: document.activeElement?.textContent };
    });
    expect(left).toEqual({ asked: true, open: false, focused: "Resign" });
    quiet(match.white);
  });

  test("takebacks and time where the rules have them, and abort", async () => {
    const match = await startGame(server, { profile: "casual" });
    const { white, black } = match;
    await playOut(match, ["e4", "e5"]);
    await white.page.getByRole("button", { name: "Take back" }).click();
    await black.page
      .getByRole("group", { name: /asks to take back/u })
      .getByRole("button", { name: "Accept" })
      .click();
    await plies(white.page, 0);
    await sees(black.page, "e2", "wp");
    const clock = black.page.getByRole("timer", { name: "Black's clock" });
    await white.page.getByRole("button", { name: "Give 15 seconds" }).click();
    await expect.poll(() => clock.innerText()).toBe("5:15");
    await white.page.getByRole("button", { name: "Abort" }).click();
    await ended(black.page, "Aborted");
    quiet(white, black);
  });

  test("a third time is claimed over the board, on it and with a move", async () => {
    const match = await startGame(server, { profile: "fide_board" });
    const { white, black } = match;
    await playOut(match, ["Nf3", "Nf6"]);
    const ready = ({ page }: typeof white) => page.locator(".actions .ready").count();
    expect(await ready(white)).toBe(0);
    await white.page.getByRole("button", { name: "Claim a draw" }).click();
    await white.page.getByText("By our count there is nothing to claim now").waitFor();
    await isClean(white.page, "a claim");
    await white.page.getByRole("button", { name: "Close" }).click();
    await playOut(match, ["Ng1", "Ng8", "Nf3", "Nf6", "Ng1"], 2);
    const claim = black.page.getByRole("button", { name: "Claim a draw" });
    expect([await ready(white), await ready(black)]).toEqual([0, 1]);
    const lines = await claim.evaluate((button) => {
      const range = document.createRange();
      range.selectNodeContents(button);
      return range.getClientRects().length;
    });
    expect(lines, "lines of the button").toBe(1);
    await isClean(black.page, "a claim that is valid");
    await claim.click();
    const withMove = black.page.getByRole("button", {
      name: "Claim with Nf6–g8: the position after it occurs for the 3rd time",
    });
    await withMove.waitFor();
    await isClean(black.page, "a claim that can be made");
    await withMove.click();
    for (const { page } of [white, black]) await ended(page, "Threefold repetition");
    const why = async () => {
      await white.page.getByRole("button", { name: "Why this result?" }).click();
      await white.page.getByText(/^Black claimed the draw with the move 4… Nf6–g8, intended and not played/u).waitFor();
      await white.page.getByText(/It stood at the beginning and after 2… Ng8\.$/u).waitFor();
    };
    await why();
    await white.page.reload();
    await why();
    quiet(white, black);
  });
});

test("an absent opponent is seen to be away and back", async () => {
  const { white, black, path } = await startGame(server);
  await white.page.getByRole("region", { name: "Black" }).getByText("online").waitFor({ state: "attached" });
  for (const { page } of [white, black]) expect(await page.locator(".presence.away").count()).toBe(0);
  await black.page.close();
  await white.page.getByRole("region", { name: "Black" }).getByText("away").waitFor();
  await white.page.getByText(/You can claim the win or a draw in \d+ s/u).waitFor();
  const again = await black.context.newPage();
  await again.goto(black.url + path);
  await white.page.getByRole("region", { name: "Black" }).getByText("online").waitFor({ state: "attached" });
  quiet(white, black);
});

test("one steps back while the game goes on, and replays it when it is over", async () => {
  const match = await startGame(server);
  const { white, black } = match;
  await playOut(match, ["e4", "e5", "Nf3"]);
  await white.page.locator("body").click({ position: { x: 5, y: 300 } });
  await white.page.keyboard.press("ArrowLeft");
  await white.page.keyboard.press("ArrowLeft");
  await white.page.getByText("Position after 1. e4").waitFor();
  expect(await pieceOn(white.page, "e5")).toBe("");
  await playOut({ ...match, white }, ["Nc6"], 3);
  expect(await pieceOn(white.page, "e5")).toBe("");
  await white.page.getByRole("button", { name: "Back to the game" }).click();
  await sees(white.page, "c6", "bn");
  // A list beside the board has the time of each move from the start.
  expect(await white.page.locator(".took:visible").count()).toBe(4);
  await resign(black.page);
  await ended(white.page, "You win");
  await white.page.getByRole("button", { name: "First position" }).click();
  expect(await pieceOn(white.page, "e2")).toBe("wp");
  await white.page.getByRole("button", { name: /^knight f3/u }).click();
  expect(await pieceOn(white.page, "f3")).toBe("wn");
  expect(await white.page.locator(".took").count()).toBe(4);
  // The clocks are those of the position looked at.
  await white.page.getByRole("button", { name: "First position" }).click();
  for (const side of ["White", "Black"])
    await white.page
      .getByRole("timer", { name: `${side}'s clock` })
      .getByText("5:00")
      .waitFor();
  await white.page.getByRole("button", { name: /^knight f3/u }).click();
  const share = white.page.getByRole("button", { name: "Share and save" });
  await share.click();
  await white.page.getByRole("button", { name: "Copy PGN" }).click();
  await expect.poll(() => white.page.evaluate(() => navigator.clipboard.readText())).toContain("1. e4");
  // The list covers what one presses next, so it closes; the notice says what happened.
  await white.page.locator(".notice").getByText("Copied").waitFor();
  expect(await share.getAttribute("aria-expanded")).toBe("false");
  expect(await share.evaluate((one) => one === document.activeElement)).toBe(true);
  await share.click();
  await white.page.getByRole("button", { name: "Copy FEN" }).click();
  await expect
    .poll(() => white.page.evaluate(() => navigator.clipboard.readText()))
    .toContain("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq");
  await share.click();
  const [fen] = await Promise.all([
    white.page.waitForEvent("download"),
    white.page.getByRole("link", { name: "Save FEN" }).click(),
  ]);
  expect([fen.suggestedFilename().endsWith(".fen"), readFileSync(await fen.path(), "utf8")]).toEqual([
    true,
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\n",
  ]);
  await share.click();
  const [download] = await Promise.all([
    white.page.waitForEvent("download"),
    white.page.getByRole("link", { name: "Save PGN" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.pgn$/u);
  expect(await share.getAttribute("aria-expanded")).toBe("false");
  await isClean(white.page, "a finished game");
  quiet(white, black);
});

test("a finished game is there by its link for anybody", async () => {
  const match = await startGame(server);
  await playOut(match, ["f3", "e5", "g4", "Qh4"]);
  const late = await server.person();
  await late.page.goto(late.url + match.path);
  await ended(late.page, "Black wins");
  await plies(late.page, 4);
  quiet(late);
});

test("own games are on the home page, and joining from there works by code", async () => {
  const white = await server.person();
  const path = await createGame(white, { color: "White" });
  const black = await server.person();
  await black.page.goto(black.url);
  await black.page.getByRole("textbox", { name: "Link or code" }).fill(white.url + path);
  await black.page.getByRole("button", { name: "Open", exact: true }).click();
  await black.page.getByRole("button", { name: "Join the game" }).click();
  await board(black.page).waitFor();
  await black.page.getByRole("link", { name: "Zeitnot, home" }).click();
  const back = black.page.getByRole("link", { name: /^Back to the game/u });
  await back.getByText("their move").waitFor();
  await isClean(black.page, "home with a game");
  await back.click();
  await board(black.page).waitFor();
  quiet(white, black);
});
