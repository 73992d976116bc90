/** Pictures of every page and state at three sizes, light and dark, for people to look at: ZEITNOT_SHOTS names the folder. */
import { join as path } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import {
  accountButton,
  board,
  createGame,
  drag,
  ended,
  join,
  nameOneself,
  playOut,
  say,
  startGame,
  square,
  type,
} from "./steps";
import { type TestServer, startTestServer } from "./testServer";

const FOLDER = process.env.ZEITNOT_SHOTS ?? "shots";
const SIZES = { phone: [360, 740], tablet: [820, 1180], desk: [1440, 900] } as const;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function shoot(page: Page, name: string): Promise<void> {
  for (const [size, [width, height]] of Object.entries(SIZES)) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(250);
      await page.screenshot({ path: path(FOLDER, `${name}-${size}-${colorScheme}.png`) });
    }
  }
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
    await page.getByRole("button", { name: "List a game in the lobby" }).click();
    await page.getByRole("button", { name: label, exact: true }).click();
    await page.getByRole("button", { name: "Show in the lobby" }).click();
    await page.getByText("Your game is listed").first().waitFor();
  }
  const { page } = await named("Fianchetto");
  await page.getByRole("button", { name: /^5\+3/u }).first().click();
  await other.page.getByRole("button", { name: "Challenge a player" }).click();
  await other.page.getByRole("textbox", { name: "Name of the player" }).fill("Rook_And_Roll");
  await shoot(other.page, "home-form");
  await other.page.getByRole("button", { name: "Send the challenge" }).click();
  await other.page.getByText("Only Rook_And_Roll can accept").waitFor();
  await shoot(other.page, "challenge-sent");
  await me.page.getByRole("button", { name: /^10\+5/u }).click();
  await me.page.getByText("Waiting for an opponent: 10+5").waitFor();
  await shoot(me.page, "home-busy");
  await me.page.getByRole("button", { name: "Decline the challenge" }).click();
  await shoot(me.page, "home-decline");
  await accountButton(me.page).click();
  await shoot(me.page, "menu");
  await me.page.getByRole("button", { name: "Change your name" }).click();
  await shoot(me.page, "name");
  await me.page.keyboard.press("Escape");
  await me.page.getByRole("button", { name: "Accept the challenge" }).click();
  await board(me.page).waitFor();
  await type(me.page, "resign");
  await type(me.page, "resign");
  await ended(me.page, "Resignation");
  await me.page.goto(`${me.url}/@/Zwischenzug`);
  await me.page.getByRole("row").nth(1).waitFor();
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
  await match.white.page.getByText("Black offers a draw.").first().waitFor();
  await shoot(match.white.page, "offer");
  const third = await server.person();
  await third.page.goto(third.url + match.path);
  await board(third.page).waitFor();
  await shoot(third.page, "watch");
  await type(match.white.page, "accept");
  await ended(match.white.page, "Draw by agreement");
  await shoot(match.white.page, "result");
  await say(third.page, "What a game");
  await type(match.black.page, "rematch");
  await match.white.page.getByRole("button", { name: "Accept the rematch" }).waitFor();
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
  await low.white.page.waitForTimeout(4000);
  await shoot(low.white.page, "low");
  await ended(low.white.page, "The remaining pieces cannot checkmate.");
  await shoot(low.white.page, "proof");
  await type(promoting.black.page, "resign");
  await type(promoting.black.page, "resign");
  await promoting.white.page.getByText("Why?").click();
  await promoting.white.page.getByRole("button", { name: "Show how" }).click();
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

test("German, claims, a lost connection", async () => {
  const german = { white: { locale: "de-DE", wired: true } };
  const white = await server.person(german.white);
  await white.page.goto(white.url);
  await white.page.getByRole("tab", { name: "Eigene Partie" }).click();
  await white.page.getByText("Mehr: Regeln").click();
  await white.page.getByLabel("Regeln").selectOption({ label: "Freundschaftlich" });
  await white.page.getByRole("radio", { name: "Weiß" }).check({ force: true });
  await shoot(white.page, "home-german");
  await white.page.getByRole("button", { name: "Partie anlegen" }).click();
  await white.page.getByRole("heading", { name: "Warten auf einen Gegner" }).waitFor();
  const black = await server.person();
  await join(black, new URL(white.page.url()).pathname);
  await white.page.getByLabel("Zug oder Befehl eingeben").fill("e4");
  await white.page.keyboard.press("Enter");
  await type(black.page, "e5");
  await white.page.getByText("Du bist am Zug").waitFor();
  await shoot(white.page, "casual-german");
  await white.page.getByRole("button", { name: "Remis reklamieren" }).click();
  await shoot(white.page, "claim-german");
  await white.page.getByRole("button", { name: "Schließen" }).click();
  server.wire.cut();
  await drag(white.page, "g1", "f3");
  await white.page.getByText("Verbindung verloren").waitFor();
  await shoot(white.page, "lost-german");
});
