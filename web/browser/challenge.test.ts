/** The challenge link: copied, drawn as a QR code, waiting, withdrawn; and every kind of clock that can be set up. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { board, createGame, join } from "./steps";
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
  expect(await white.page.getByRole("img", { name: "The link as a QR code" }).isVisible()).toBe(true);
  await white.page.reload();
  await white.page.getByRole("heading", { name: "Waiting for an opponent" }).waitFor();
  const black = await server.person();
  await join(black, path);
  await board(white.page).waitFor();
  expect(new URL(white.page.url()).pathname).toBe(path);
});

test.each([
  ["Increment", "5+3"],
  ["Delay", "5 min, delay 3 s"],
  ["Bronstein", "5 min, Bronstein 3 s"],
  ["No increment", "5+0"],
  ["Days per move", "3 days per move"],
  ["Unlimited", "Unlimited"],
])("%s", async (kind, shown) => {
  const person = await server.person();
  await createGame(person, { kind });
  await person.page.getByText(`${shown} · White`).waitFor();
});

test("several periods, unequal clocks, Chess960, and a position that cannot be", async () => {
  const { page, url } = await server.person();
  await page.goto(url);
  await page.getByRole("tab", { name: "Custom game" }).click();
  await page.getByText("More: rules").click();
  await page.getByLabel("Several periods").check();
  await page.getByLabel("Different clocks").check();
  await page.getByLabel("Chess960").check();
  await page.getByRole("group", { name: "Period 1" }).first().getByLabel("Minutes").fill("90");
  await page.getByRole("textbox", { name: "Start position" }).fill("8/8/8/8/8/8/8/8 w - - 0 1");
  await page.getByRole("button", { name: "Create the game" }).click();
  await page.locator(".notice").getByText("A game cannot start from this position.").waitFor();
  await page.getByRole("textbox", { name: "Start position" }).fill("");
  await page.getByRole("button", { name: "Create the game" }).click();
  await page
    .getByText("40 moves in 90+3, then 15+3 against 40 moves in 5+3, then 15+3 · Random · FIDE, online · Chess960")
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
  await black.page.getByText("7+3 · you play Black · FIDE, over the board").waitFor();
  await black.page.getByText("Draws must be claimed.").waitFor();
  // Looking made no guest.
  expect((await black.context.cookies()).length).toBe(0);
  await black.page.getByText(/^Open until \w+ \d+ \w+ at \d\d:\d\d\.$/u).waitFor();
  await white.page.getByRole("button", { name: "Withdraw" }).click();
  await white.page.getByRole("heading", { name: "The invitation was withdrawn" }).waitFor();
  await black.page.getByRole("button", { name: "Join the game" }).click();
  await black.page.getByRole("heading", { name: "This invitation was withdrawn" }).waitFor();
  // In one tap the other way round: whoever was invited invites, with the colour they would have had.
  await black.page.getByRole("button", { name: "Make it again" }).click();
  await black.page.getByRole("heading", { name: "Waiting for an opponent" }).waitFor();
  await black.page.getByText("7+3 · Black · FIDE, over the board").waitFor();
});

test("who joins too late watches the game that has begun", async () => {
  const white = await server.person();
  const path = await createGame(white);
  const late = await server.person();
  await late.page.goto(late.url + path);
  await late.page.getByRole("button", { name: "Join the game" }).waitFor();
  await join(await server.person(), path);
  await late.page.getByRole("button", { name: "Join the game" }).click();
  await board(late.page).waitFor();
  await late.page.getByText("White to move").waitFor();
});
