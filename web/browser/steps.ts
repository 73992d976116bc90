/**
 * What people do on the page, for tests: set up a game, join it, move by mouse, finger, keys or typing, look.
 *
 * Finds things as people do, by role and label where there is one; squares of the board by their place.
 */
import { expect } from "vitest";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import type { CreateChallenge, WireProfile } from "#protocol";
import type { Settings } from "../src/state/settings";
import { FIRST_SETUP, challengeOf, withPreset } from "../src/state/setup";
import { ask, becomeGuest } from "./ask";
import type { TestServer, Person } from "./testServer";

export interface Terms {
  readonly minutes?: string;
  readonly seconds?: string;
  readonly kind?: string;
  readonly color?: "White" | "Black";
  readonly rules?: string;
  readonly fen?: string;
}

/** Shows the fields of the form that are rarely needed. */
export async function openMore(form: Page | Locator): Promise<void> {
  await form.getByText("More: rules").click();
}

/** Shows the fields of a clock that has no tile of its own. */
export async function openOtherClock(form: Page | Locator): Promise<void> {
  await form.getByRole("button", { name: "Other", exact: true }).click();
}

/** Opens the dialog for a game against a friend. */
export async function openFriend(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Play a friend" }).click();
  const dialog = page.getByRole("dialog", { name: "Play a friend" });
  await dialog.waitFor();
  return dialog;
}

/** Fills the form for a friend and answers the new game's address. */
export async function createGame(person: Person, terms: Terms = {}): Promise<string> {
  const { page } = person;
  await page.goto(person.url);
  const form = await openFriend(page);
  const { kind, minutes, seconds, rules, fen } = terms;
  if (kind ?? minutes ?? seconds) await openOtherClock(form);
  if (rules ?? fen) await openMore(form);
  if (kind) await page.getByRole("combobox", { name: "Clock" }).selectOption({ label: kind });
  if (minutes) await page.getByLabel("Minutes").fill(minutes);
  if (seconds) await page.getByLabel("Seconds per move").fill(seconds);
  await page.getByRole("radio", { name: terms.color ?? "White" }).check({ force: true });
  if (rules) await page.getByLabel("Rules").selectOption({ label: rules });
  if (fen) await page.getByRole("textbox", { name: "Start position" }).fill(fen);
  await page.getByRole("button", { name: "Create the link" }).click();
  await page.getByRole("heading", { name: "Waiting for an opponent" }).waitFor();
  return new URL(page.url()).pathname;
}

/** Shows the form for a game against a named player, as it begins. */
export async function setUpChallenge(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Custom game" }).click();
  await page.getByRole("radio", { name: "A player" }).check({ force: true });
}

/** Shows the form for a game that the lobby lists, as it begins. */
export async function setUpSeek(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Custom game" }).click();
  await page.getByRole("radio", { name: "Anybody" }).check({ force: true });
}

/** Has the game of a form rated, once it is known that there is an account. */
export async function chooseRated(form: Page | Locator): Promise<void> {
  const rated = form.getByRole("radio", { name: "Rated", exact: true });
  await expect.poll(() => rated.isEnabled()).toBe(true);
  await rated.check({ force: true });
}

/** Ends the wait in a pool by the main button, once a press on it counts. */
export async function stopWaiting(page: Page): Promise<void> {
  const stop = page.locator("#play").getByText("Stop waiting");
  await stop.waitFor();
  await page.waitForTimeout(800);
  await stop.click();
}

/** Challenges a player by the form on the home page. */
export async function challengeByName(page: Page, name: string): Promise<void> {
  await setUpChallenge(page);
  await page.getByRole("combobox", { name: "Name of the player" }).fill(name);
  await page.getByRole("button", { name: "Send the challenge" }).click();
}

export async function join(person: Person, path: string): Promise<void> {
  await person.page.goto(person.url + path);
  await person.page.getByRole("button", { name: "Join the game" }).click();
  await board(person.page).waitFor();
}

/** A browser that has these settings already, as an option of `person` and `startGame`. */
export function having(server: TestServer, settings: Partial<Settings>): BrowserContextOptions {
  const localStorage = [{ name: "zeitnot.settings", value: JSON.stringify(settings) }];
  return { storageState: { cookies: [], origins: [{ origin: server.url, localStorage }] } };
}

export interface MatchTerms extends Pick<Terms, "minutes" | "seconds" | "fen"> {
  readonly profile?: WireProfile;
  /** Without clocks. */
  readonly unlimited?: boolean;
}

export interface Match {
  readonly white: Person;
  readonly black: Person;
  readonly path: string;
}

/** Terms by which White is out of time at once. */
export const FLAGGED = { profile: "fide_board", minutes: "0.02", seconds: "0" } as const;

/** The challenge that the form would make of these terms. */
function challengeFor({
  minutes = "5",
  seconds = "3",
  profile = "fide_online",
  fen = "",
  unlimited = false,
}: MatchTerms): CreateChallenge {
  const preset = withPreset(FIRST_SETUP, Number(minutes), Number(seconds));
  const clocked = unlimited ? { ...preset, kind: "unlimited" as const } : preset;
  return challengeOf({ ...clocked, color: "white", profile, fen });
}

/**
 * Two people at a new game; White made it. They come to it by its link: how it is made and joined on the page, the tests
 * of challenges and pools show.
 */
export async function startGame(
  server: TestServer,
  terms: MatchTerms = {},
  options: { white?: object; black?: object } = {},
): Promise<Match> {
  const white = await server.person(options.white);
  const black = await server.person(options.black);
  await Promise.all([white, black].map(becomeGuest));
  const { challenge } = await ask(white, { t: "create_challenge", d: challengeFor(terms) }, "challenge");
  await ask(black, { t: "accept_challenge", d: { challenge } }, "ok");
  const path = `/${challenge}`;
  await Promise.all(
    [white, black].map(async ({ page, url }) => {
      await page.goto(url + path);
      await board(page).waitFor();
    }),
  );
  return { white, black, path };
}

export function board(page: Page): Locator {
  return page.getByRole("grid");
}

export function square(page: Page, name: string): Locator {
  return page.locator(`[data-square="${name.charCodeAt(0) - 97 + (Number(name.charAt(1)) - 1) * 8}"]`);
}

async function middle(page: Page, name: string): Promise<{ x: number; y: number }> {
  const box = await square(page, name).boundingBox();
  if (!box) throw new Error(`${name} is not on the screen`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

export async function drag(page: Page, from: string, to: string, button: "left" | "right" = "left"): Promise<void> {
  await pickUp(page, from, to, button);
  await page.mouse.up({ button });
}

/** A drag that has not ended: the piece is over `to`. */
export async function pickUp(page: Page, from: string, to: string, button: "left" | "right" = "left"): Promise<void> {
  const start = await middle(page, from);
  const end = await middle(page, to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down({ button });
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 3 });
  await page.mouse.move(end.x, end.y, { steps: 3 });
}

export async function rightClick(page: Page, name: string): Promise<void> {
  const at = await middle(page, name);
  await page.mouse.click(at.x, at.y, { button: "right" });
}

export async function click(page: Page, ...squares: string[]): Promise<void> {
  for (const name of squares) {
    const at = await middle(page, name);
    await page.mouse.click(at.x, at.y);
  }
}

export async function touch(page: Page, from: string, to: string): Promise<void> {
  for (const name of [from, to]) {
    const at = await middle(page, name);
    await page.touchscreen.tap(at.x, at.y);
  }
}

export async function type(page: Page, text: string): Promise<void> {
  const line = page.getByRole("textbox", { name: /^Type a (move or a )?command$/u });
  await line.fill(text);
  await line.press("Enter");
}

/** Chooses the language in the settings, whatever it is now. */
export async function chooseLanguage(page: Page, tag: string): Promise<void> {
  await page.locator("header button[aria-haspopup=dialog]").last().click();
  await page.locator("dialog.settings select").selectOption(tag);
  await page.locator(`html[lang=${tag}]`).waitFor({ state: "attached" });
  await page.keyboard.press("Escape");
}

/** The line to say something in the room that is open. */
export function chatInput(page: Page): Locator {
  return page.getByRole("textbox", { name: /^Say something/u });
}

export async function say(page: Page, text: string): Promise<void> {
  await chatInput(page).fill(text);
  await chatInput(page).press("Enter");
}

/** The piece on a square as the page shows it: `wp`, `bk`, or an empty text. */
export async function pieceOn(page: Page, name: string): Promise<string> {
  const piece = square(page, name).locator("[data-piece]");
  return (await piece.count()) ? ((await piece.getAttribute("data-piece")) ?? "") : "";
}

export async function sees(page: Page, name: string, piece: string): Promise<void> {
  await expect.poll(() => pieceOn(page, name), { timeout: 5000 }).toBe(piece);
}

/** Waits until so many plies are in the move list. */
export async function plies(page: Page, count: number): Promise<void> {
  await expect.poll(() => page.locator("button.ply").count(), { timeout: 5000 }).toBe(count);
}

/** Plays moves in turn, by typing; each is on both boards before the next. */
export async function playOut(match: Match, moves: readonly string[], from = 0): Promise<void> {
  for (const [index, move] of moves.entries()) {
    const mover = (from + index) % 2 === 0 ? match.white : match.black;
    await type(mover.page, move);
    await plies(match.white.page, from + index + 1);
    await plies(match.black.page, from + index + 1);
  }
}

/** Resigns by the typed command, which asks once more. */
export async function resign(page: Page): Promise<void> {
  await type(page, "resign");
  await type(page, "resign");
}

/** Waits until what has changed is drawn. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))));
}

/** What the live region says last. */
export async function announces(page: Page, text: string | RegExp): Promise<void> {
  await expect.poll(() => page.locator("#announcements").innerText(), { timeout: 5000 }).toMatch(text);
}

/** Waits until the result says this. */
export async function ended(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole("group", { name: "The game is over" }).getByText(text, { exact: true }).waitFor();
}

/** The button of the menu about oneself, in the header. */
export function accountButton(page: Page): Locator {
  return page.getByRole("button", { name: /: menu$/u });
}

/** Opens the menu about oneself and presses or follows what is called so. */
export async function chooseInMenu(page: Page, name: string): Promise<void> {
  await accountButton(page).click();
  await page.locator("header .menu-items").getByText(name, { exact: true }).click();
}

/** By the button, which asks once more. */
export async function offerDraw(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Offer a draw" }).click();
  await page.getByRole("button", { name: "Yes, offer" }).click();
}

export async function nameOneself(page: Page, name: string): Promise<void> {
  await chooseInMenu(page, "Change your name");
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Take this name" }).click();
}

export const GOOD_PASSWORD = "correct horse battery";

/** Fills in the dialog, which is open, and sends it. */
export async function sendRegistration(page: Page, name: string, password = GOOD_PASSWORD): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Register" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Register", exact: true }).click();
}

/** Registers by the dialog and answers the recovery codes, which are still shown. */
export async function register(page: Page, name: string, password = GOOD_PASSWORD): Promise<string[]> {
  await chooseInMenu(page, "Register");
  await sendRegistration(page, name, password);
  const codes = page.getByRole("dialog", { name: "Your recovery codes" }).getByRole("listitem");
  // The server hashes on a thread that everything else goes before, and does it twice here.
  await codes.first().waitFor({ timeout: 90_000 });
  return codes.allInnerTexts();
}

/** A person who has registered, on the home page: without the dialog, whose recovery codes take another hash. */
export async function registered(
  server: TestServer,
  name: string,
  options: Parameters<TestServer["person"]>[0] = {},
): Promise<Person> {
  const person = await server.person(options);
  const { page, url } = person;
  await page.goto(`${url}/robots.txt`);
  const status = await page.evaluate(
    async (body) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch("/api/account/register", { method: "POST", headers, body });
      // As the page remembers that it has a cookie.
      localStorage.setItem("zeitnot.guest", "1");
      return answer.status;
    },
    JSON.stringify({ name, password: GOOD_PASSWORD }),
  );
  expect(status).toBe(201);
  await page.goto(url);
  await page.getByRole("button", { name: `${name}, account: menu` }).waitFor();
  return person;
}

/** Whether a part of the page does nothing with an arrow that is pressed together with Alt. */
export const leavesToBrowser = (part: Locator): Promise<boolean> =>
  part.evaluate((one) =>
    one.dispatchEvent(
      new KeyboardEvent("keydown", { key: "ArrowLeft", altKey: true, bubbles: true, cancelable: true }),
    ),
  );
