/**
 * Pictures of every page and state, for people to look at: each at the sizes of a phone and of a desk, and in turn in
 * other windows, zooms, colours and languages. ZEITNOT_SHOTS names the folder.
 */
import { join as path } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import {
  accountButton,
  board,
  chooseInMenu,
  createGame,
  drag,
  ended,
  having,
  join,
  nameOneself,
  playOut,
  registered,
  say,
  sees,
  setUpChallenge,
  setUpSeek,
  square,
  startGame,
  type,
  resign,
} from "./steps";
import { LANGUAGES } from "../src/text";
import { type TestServer, startTestServer } from "./testServer";

const FOLDER = process.env.ZEITNOT_SHOTS ?? "shots";

interface Look {
  readonly size: readonly [number, number];
  readonly zoom?: number;
  readonly colorScheme?: "light" | "dark";
  readonly forcedColors?: "active";
}

/** Every state is shown in these. */
const ALWAYS: readonly Look[] = [{ size: [360, 740] }, { size: [1440, 900] }];
/** And in two of these in turn, so that all of them are shown with several states. */
const IN_TURN: readonly Look[] = [
  { size: [360, 740], colorScheme: "dark" },
  { size: [1440, 900], colorScheme: "dark" },
  { size: [667, 375] },
  { size: [1440, 900], forcedColors: "active" },
  { size: [320, 568] },
  { size: [1440, 900], zoom: 2 },
  { size: [820, 1180], colorScheme: "dark" },
  { size: [360, 740], forcedColors: "active", colorScheme: "dark" },
  { size: [1024, 600] },
  { size: [1366, 768], zoom: 1.5, colorScheme: "dark" },
  { size: [852, 393], colorScheme: "dark" },
  { size: [1920, 1080] },
  { size: [412, 420] },
  { size: [2560, 1440], forcedColors: "active", colorScheme: "dark" },
];

function nameOf({ size: [width, height], zoom = 1, colorScheme = "light", forcedColors }: Look): string {
  return `${width}x${height}${zoom === 1 ? "" : `@${zoom * 100}`}-${colorScheme}${forcedColors ? "-forced" : ""}`;
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

let turn = 0;

async function shoot(page: Page, state: string): Promise<void> {
  const looks = [...ALWAYS];
  for (let extra = 0; extra < 2; extra += 1, turn += 1) looks.push(IN_TURN[turn % IN_TURN.length] as Look);
  for (const look of looks) {
    const { size, zoom = 1, colorScheme = "light", forcedColors = "none" } = look;
    const [width, height] = size.map((side) => Math.floor(side / zoom)) as [number, number];
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, forcedColors });
    // Until it is known whether the computer plays here, its button's place is empty.
    await page.locator(".start .place").waitFor({ state: "detached" });
    await page.waitForTimeout(250);
    await page.screenshot({ path: path(FOLDER, `${state}-${nameOf(look)}.png`) });
  }
  await page.emulateMedia({ colorScheme: null, forcedColors: null });
  await page.setViewportSize({ width: 1440, height: 900 });
}

const ITALIAN = ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "c3", "Nf6", "d4", "exd4", "cxd4", "Bb4+"];

test("home and waiting", async () => {
  const person = await server.person();
  await createGame(person);
  await shoot(person.page, "waiting");
  await person.page.goto(person.url);
  await board(person.page).waitFor({ state: "detached" });
  await shoot(person.page, "home");
});

test("a busy home, a name, a player's page, a challenge", async () => {
  const named = async (name: string) => {
    const person = await server.person();
    await person.page.goto(person.url);
    await nameOneself(person.page, name);
    await person.page.getByRole("button", { name: `${name}, guest: menu` }).waitFor();
    return person;
  };
  for (const plies of [12, 3, 7, 1])
    await playOut(await startGame(server, { minutes: String(plies + 2) }), ITALIAN.slice(0, plies));
  const [me, other] = [await named("Rook_And_Roll"), await named("Zwischenzug")];
  for (const [name, label] of [
    ["Patzer", "3+2"],
    ["Luft", "10+0"],
    ["Tempo", "3+2"],
  ] as const) {
    const { page } = await named(name);
    await setUpSeek(page);
    await page.getByRole("button", { name: label, exact: true }).click();
    await page.getByRole("button", { name: "Add to the open games" }).click();
    await page.getByText("Waiting for an opponent").first().waitFor();
  }
  const { page } = await named("Fianchetto");
  await page.getByRole("button", { name: /^5\+3/u }).first().click();
  await setUpChallenge(other.page);
  await other.page.getByRole("combobox", { name: "Name of the player" }).fill("Rook_And_Roll");
  await shoot(other.page, "home-form");
  await other.page.getByRole("button", { name: "Send the challenge" }).click();
  await other.page.getByText("Only Rook_And_Roll can accept").waitFor();
  await shoot(other.page, "challenge-sent");
  await me.page.getByRole("button", { name: /^10\+5/u }).click();
  await me.page.getByText("Waiting for an opponent: 10+5").waitFor();
  await shoot(me.page, "home-busy");
  // Put away it waits on the page, with its reasons to decline.
  await me.page.getByRole("button", { name: "Hide", exact: true }).click();
  await me.page.getByRole("button", { name: "Give a reason" }).click();
  await shoot(me.page, "home-decline");
  await accountButton(me.page).click();
  await shoot(me.page, "menu");
  await me.page.getByRole("button", { name: "Change your name" }).click();
  await shoot(me.page, "name");
  await me.page.keyboard.press("Escape");
  await me.page.getByRole("button", { name: "Accept the challenge" }).click();
  await board(me.page).waitFor();
  await resign(me.page);
  await ended(me.page, /resigned$/u);
  await me.page.goto(`${me.url}/@/Zwischenzug`);
  await me.page.locator(".games > li").first().waitFor();
  await shoot(me.page, "player");
});

test("game, check, draw offer, watch, result", async () => {
  const match = await startGame(server);
  await playOut(match, ITALIAN.slice(0, 10));
  await say(match.black.page, "Good luck!");
  await say(match.white.page, "You too. I have looked forward to this game all week.");
  await match.black.page.getByText("You too").waitFor();
  await shoot(match.white.page, "game");
  await playOut(match, ITALIAN.slice(10), 10);
  await shoot(match.white.page, "check");
  await playOut(match, ["Nc3", "Nxe4", "O-O", "Bxc3"], 12);
  await type(match.black.page, "draw");
  await match.white.page
    .getByText(/offers a draw\.$/u)
    .first()
    .waitFor();
  await shoot(match.white.page, "offer");
  const third = await server.person();
  await third.page.goto(third.url + match.path);
  await board(third.page).waitFor();
  await shoot(third.page, "watch");
  await type(match.white.page, "accept");
  await ended(match.white.page, "By agreement");
  await shoot(match.white.page, "result");
  await say(third.page, "What a game");
  await type(match.black.page, "rematch");
  await match.white.page.getByRole("button", { name: "Accept rematch" }).waitFor();
  await shoot(match.white.page, "rematch");
});

test("promotion, premove, low time, proof", async () => {
  const promoting = await startGame(server, { fen: "3r3k/2P2ppp/8/8/8/8/5PPP/6K1 w - - 0 1" });
  await drag(promoting.white.page, "c7", "d8");
  await shoot(promoting.white.page, "promotion");
  await drag(promoting.black.page, "g7", "g5");
  await shoot(promoting.black.page, "premove");
  const low = await startGame(server, { minutes: "0.3", seconds: "0", fen: "k7/8/8/8/8/8/4P3/4K3 w - - 0 1" });
  await playOut(low, ["e3", "Kb8"]);
  await low.white.page.waitForTimeout(8500);
  await shoot(low.white.page, "low");
  await ended(low.white.page, /^White is out of time, but Black cannot checkmate/u);
  await shoot(low.white.page, "proof");
  await resign(promoting.black.page);
  await type(promoting.white.page, "proof");
  await promoting.white.page.getByRole("button", { name: "The checkmate" }).click();
  await shoot(promoting.white.page, "proof-line");
});

test("invitation", async () => {
  const white = await server.person();
  const address = await createGame(white);
  const black = await server.person();
  await black.page.goto(black.url + address);
  await black.page.getByRole("button", { name: "Join the game" }).waitFor();
  await shoot(black.page, "invitation");
  await join(black, address);
});

test("the picture in the README", async () => {
  const match = await startGame(server, { minutes: "3", seconds: "2" });
  await playOut(match, [...ITALIAN, "Nc3", "Nxe4", "O-O", "Bxc3", "d5", "Bf6", "Re1", "Ne7", "Rxe4", "d6"]);
  const { page } = match.white;
  await say(match.black.page, "Good luck!");
  await say(page, "You too.");
  await match.black.page.getByText("You too.").waitFor();
  await page.setViewportSize({ width: 1180, height: 760 });
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const bishop = await square(page, "c1").boundingBox();
  if (!bishop) throw new Error("the board is on the screen");
  await page.mouse.click(bishop.x + 20, bishop.y + 20);
  await page.waitForTimeout(400);
  await page.screenshot({ path: path(FOLDER, "readme.png") });
});

test("settings, registering, an account, analysis, an ended invitation, a frame, a page that is not there", async () => {
  const match = await startGame(server);
  await playOut(match, ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7"]);
  await ended(match.white.page, "Checkmate");
  const { page } = await server.person();
  await page.goto(`${server.url}/embed${match.path}`);
  await page.locator(".embed").waitFor();
  await shoot(page, "embed");
  await page.goto(`${server.url}/analysis${match.path}`);
  await board(page).waitFor();
  await page.waitForTimeout(1500);
  await shoot(page, "analysis");
  await page.goto(`${server.url}/no/such/page`);
  await shoot(page, "lost");
  await page.goto(server.url);
  await page.getByRole("button", { name: "Settings" }).click();
  await shoot(page, "settings");
  await page.keyboard.press("Escape");
  await chooseInMenu(page, "Register");
  await shoot(page, "register");
  await page.keyboard.press("Escape");
  const owner = await registered(server, "Steinitz");
  await owner.page.goto(`${server.url}/me`);
  await shoot(owner.page, "account");
  await owner.page.goto(`${server.url}/account`);
  await shoot(owner.page, "account-without-script");
  await owner.page.goto(server.url);
  const reader = await server.person({ locale: "de-DE" });
  for (const [state, path] of [
    ["sign-in-without-script", "/sign-in"],
    ["nothing-here", "/no/such/page"],
  ]) {
    await reader.page.goto(`${server.url}${path}`);
    await shoot(reader.page, String(state));
  }
  const address = await createGame(owner);
  await owner.page.getByRole("button", { name: "Withdraw" }).click();
  await page.goto(server.url + address);
  await page.getByRole("button", { name: /^Make/u }).waitFor();
  await shoot(page, "ended-invitation");
});

test.each(LANGUAGES)("home, a game and its end in %s", async (language) => {
  const match = await startGame(server, { profile: "casual" }, { white: having(server, { language }) });
  const { page } = match.white;
  await type(match.black.page, "flip");
  await drag(page, "e2", "e4");
  await sees(match.black.page, "e4", "wp");
  await type(match.black.page, "e5");
  await sees(page, "e5", "bp");
  await shoot(page, `game-${language}`);
  await resign(match.black.page);
  await page.locator(".status.result").waitFor();
  await shoot(page, `result-${language}`);
  await page.goto(server.url);
  await page.locator("#tab-custom").click();
  await shoot(page, `home-${language}`);
});

test("a lost connection", async () => {
  const { white } = await startGame(server, {}, { white: { wired: true } });
  server.wire.cut();
  await drag(white.page, "g1", "f3");
  await white.page.getByText("Connection lost").first().waitFor();
  await shoot(white.page, "lost-connection");
});
