/** One's own account: registering, signing in and out, and what its page can change. */
import { createHmac } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isClean } from "./axe";
import {
  GOOD_PASSWORD,
  accountButton,
  announces,
  board,
  chooseInMenu,
  chooseLanguage,
  nameOneself,
  register,
  registered,
  sees,
  startGame,
  type,
} from "./steps";
import { type Person, type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** What an app shows for a secret (RFC 6238, SHA-1, six digits); `ahead`: the code of a later half minute. */
function codeOf(secret: string, ahead = 0): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret.replace(/\s/gu, "")].map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0"));
  const key = Buffer.from((bits.join("").match(/.{8}/gu) ?? []).map((octet) => Number.parseInt(octet, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const mac = createHmac("sha1", key).update(step).digest();
  const at = (mac[19] ?? 0) & 15;
  return String((mac.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
}

async function signIn(page: Page, name: string, password = GOOD_PASSWORD): Promise<void> {
  await chooseInMenu(page, "Sign in");
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
}

const isAccount = (page: Page, name: string) => page.getByRole("button", { name: `${name}, account: menu` }).waitFor();
const section = (page: Page, name: string) => page.getByRole("region", { name });

test("the menu has what is one's own, apart from the ways into an account and out of it", async () => {
  const guest = await server.person();
  await guest.page.goto(guest.url);
  await nameOneself(guest.page, "Menu_Reader");
  const hasEntries = async ({ page }: Person, all: string[]) => {
    await accountButton(page).click();
    const items = page.locator("header .menu-items li:not(.menu-name)");
    const read = () =>
      items.evaluateAll((found) => found.map((one) => (one.matches(".menu-part") ? "| " : "") + one.textContent));
    // The name is known before the account is.
    await expect.poll(read).toEqual(all);
  };
  await guest.page.getByRole("button", { name: "Menu_Reader, guest: menu" }).waitFor();
  const own = ["Your games and ratings", "All games", "Change your name", "Your account"];
  await hasEntries(guest, ["Sign in", "Register", `| ${own[0]}`, ...own.slice(1)]);
  await hasEntries(await registered(server, "Resident"), [...own, "| Sign out"]);
});

test("the own page follows the name that one takes while it is shown", { tags: "nightly" }, async () => {
  const { page, url } = await server.person();
  await page.goto(url);
  await nameOneself(page, "First_Name");
  await chooseInMenu(page, "Your games and ratings");
  await page.getByRole("heading", { name: "First_Name", level: 1 }).waitFor();
  await nameOneself(page, "Second_Name");
  await page.getByRole("heading", { name: "Second_Name", level: 1 }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/@/Second_Name");
});

describe("registering", () => {
  test("keeps the guest's game and name, and the connection", async () => {
    const { white, black } = await startGame(server, { minutes: "60" });
    // Both first moves are made at once: what follows may take longer than the time for a first move.
    await type(white.page, "e4");
    await sees(black.page, "e4", "wp");
    await type(black.page, "e5");
    await sees(white.page, "e5", "bp");
    await nameOneself(white.page, "Adjourned");
    await white.page.getByRole("button", { name: "Adjourned, guest: menu" }).waitFor();
    await chooseInMenu(white.page, "Register");
    const dialog = white.page.getByRole("dialog", { name: "Register" });
    await dialog.getByText("Everything that Adjourned has stays yours").waitFor();
    expect(await dialog.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Adjourned");
    const password = dialog.getByLabel("Password", { exact: true });
    expect(await password.getAttribute("autocomplete")).toBe("new-password");
    await isClean(white.page, "register");
    const rule = dialog.getByText(/characters/u).filter({ visible: true });
    await password.fill("short");
    expect(await rule.allInnerTexts()).toEqual(["5 of 10 characters"]);
    await white.page.keyboard.press("Enter");
    await dialog.getByRole("alert").getByText("The password is too short: at least 10 characters.").waitFor();
    expect(await rule.count(), "the rule is said once").toBe(1);
    expect(await password.evaluate((field) => field === document.activeElement)).toBe(true);
    // It is taken back as soon as it is no longer true.
    await password.fill("ten letter");
    await expect.poll(() => password.getAttribute("aria-invalid")).toBe("false");
    expect(await dialog.getByRole("alert").innerText()).toBe("");
    await password.fill(GOOD_PASSWORD);
    await dialog.getByRole("button", { name: "Show the password" }).click();
    expect(await password.getAttribute("type")).toBe("text");
    await white.page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Register", exact: true }).click();
    await white.page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
    await white.page.keyboard.press("Escape");
    await isAccount(white.page, "Adjourned");
    await type(white.page, "Nf3");
    await sees(black.page, "f3", "wn");
    await white.page.reload();
    await board(white.page).waitFor();
    await isAccount(white.page, "Adjourned");
    expect([...white.errors, ...black.errors]).toEqual([]);
  });

  test("shows the recovery codes once, to copy or to save, and goes on with one press", {
    tags: "nightly",
  }, async () => {
    const one = await server.person();
    await one.page.goto(one.url);
    const codes = await register(one.page, "Keepsake");
    expect(codes.length).toBe(10);
    // It is told where it can be read: not by a notice under the backdrop.
    await one.page.getByRole("dialog").getByText("You are registered as Keepsake.").waitFor();
    expect((await one.page.locator(".notice").innerText()).trim()).toBe("");
    await isClean(one.page, "recovery codes");
    // What one has to do first stands out.
    const first = one.page.getByRole("dialog").locator(".primary");
    expect(await first.allInnerTexts()).toEqual(["Copy the codes"]);
    // On a phone the last one fills a line of its own.
    const desk = one.page.viewportSize() ?? { width: 1280, height: 720 };
    await one.page.setViewportSize({ width: 390, height: 740 });
    const last = await one.page.getByRole("button", { name: "Done" }).boundingBox();
    const line = await one.page.getByRole("dialog").locator(".row").boundingBox();
    expect(last?.width).toBeCloseTo(line?.width ?? 0, 0);
    await one.page.setViewportSize(desk);
    const download = one.page.waitForEvent("download");
    await one.page.getByRole("link", { name: "Save as a file" }).click();
    expect((await download).suggestedFilename()).toBe("zeitnot-recovery-codes.txt");
    await one.page.getByText("make new ones later on your account’s page").waitFor();
    await one.page.getByRole("button", { name: "Done" }).click();
    await one.page.getByRole("dialog").waitFor({ state: "detached" });
    // Nothing is left to say, which would lie under the next dialog.
    expect((await one.page.locator(".notice").innerText()).trim()).toBe("");
    await expect.poll(() => accountButton(one.page).evaluate((button) => button === document.activeElement)).toBe(true);
  });

  test("says which name cannot be had", { tags: "nightly" }, async () => {
    await registered(server, "First_Come");
    const two = await server.person();
    await two.page.goto(two.url);
    await chooseInMenu(two.page, "Register");
    const dialog = two.page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name" }).fill("first_come");
    await dialog.getByLabel("Password", { exact: true }).fill(GOOD_PASSWORD);
    await two.page.keyboard.press("Enter");
    await dialog.getByRole("alert").getByText("This name is taken.").waitFor();
    expect(await dialog.getByRole("textbox", { name: "Name" }).getAttribute("aria-invalid")).toBe("true");
  });
});

describe("signing in", () => {
  test("leads on as the account without a reload, and signing out makes nobody of one", async () => {
    await registered(server, "Nomad");
    const other = await server.person();
    await other.page.goto(other.url);
    await nameOneself(other.page, "Passer_By");
    await other.page.getByRole("button", { name: "Passer_By, guest: menu" }).waitFor();
    await signIn(other.page, "Nomad", "not this password");
    const dialog = other.page.getByRole("dialog");
    await dialog.getByText("This browser plays as the guest Passer_By.").waitFor();
    await dialog.getByRole("alert").getByText("no account with this name and this password").waitFor();
    await isClean(other.page, "a wrong password");
    await other.page.evaluate(() => ((window as unknown as { sameDocument: boolean }).sameDocument = true));
    await dialog.getByLabel("Password", { exact: true }).fill(GOOD_PASSWORD);
    await other.page.keyboard.press("Enter");
    await announces(other.page, "You are signed in as Nomad.");
    await isAccount(other.page, "Nomad");
    await accountButton(other.page).click();
    await isClean(other.page, "the account menu");
    await other.page.keyboard.press("Escape");
    expect(await other.page.locator("header .menu-items").isHidden()).toBe(true);
    await chooseInMenu(other.page, "Sign out");
    await announces(other.page, "You are signed out.");
    await other.page.getByRole("button", { name: "Sign in or register: menu" }).waitFor();
    const same = () => (window as unknown as { sameDocument?: boolean }).sameDocument;
    expect(await other.page.evaluate(same)).toBe(true);
    await other.page.reload();
    await other.page.getByRole("button", { name: "Sign in or register: menu" }).waitFor();
  });

  test("with a recovery code sets a new password and signs out the other devices", { tags: "nightly" }, async () => {
    const first = await server.person();
    await first.page.goto(first.url);
    const codes = await register(first.page, "Forgetful");
    await first.page.keyboard.press("Escape");
    const second = await server.person();
    await second.page.goto(second.url);
    await chooseInMenu(second.page, "Sign in");
    await second.page.getByRole("button", { name: "I have forgotten my password" }).click();
    const dialog = second.page.getByRole("dialog", { name: "Sign in with a recovery code" });
    await isClean(second.page, "recover");
    await dialog.getByRole("textbox", { name: "Name" }).fill("Forgetful");
    await dialog.getByRole("textbox", { name: "Recovery code" }).fill("AAAA-AAAA-AAAA-AAAA");
    await dialog.getByLabel("New password").fill("another good password");
    await second.page.keyboard.press("Enter");
    await dialog.getByRole("alert").getByText("no account with this name and this recovery code").waitFor();
    await dialog.getByRole("textbox", { name: "Recovery code" }).fill(codes[0] ?? "");
    await second.page.keyboard.press("Enter");
    await isAccount(second.page, "Forgetful");
    await first.page.getByText("You have been signed out.").waitFor();
  });
});

describe("the page of one's account", () => {
  test("lists the devices, and signs out one of them", async () => {
    const one = await registered(server, "Two_Boards");
    const two = await server.person({ userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0" });
    await two.page.goto(two.url);
    await signIn(two.page, "Two_Boards");
    await isAccount(two.page, "Two_Boards");
    await chooseInMenu(one.page, "Your account");
    await one.page.getByRole("heading", { name: "Your account: Two_Boards" }).waitFor();
    await one.page.reload();
    await one.page.getByRole("heading", { name: "Your account: Two_Boards" }).waitFor();
    expect(new URL(one.page.url()).pathname).toBe("/me");
    const devices = section(one.page, "Devices");
    await devices.getByText("this browser", { exact: true }).waitFor();
    await isClean(one.page, "one's account");
    const other = devices.getByRole("listitem").filter({ hasText: "last used" });
    await other.getByRole("button", { name: /^Sign out/u }).click();
    await other.waitFor({ state: "detached" });
    await two.page.getByText("You have been signed out.").waitFor();
    expect(await devices.getByRole("heading").evaluate((title) => title === document.activeElement)).toBe(true);
    await devices.getByRole("button", { name: "Sign out everywhere" }).click();
    await one.page.getByRole("heading", { name: "You are not signed in" }).waitFor();
    expect(one.errors).toEqual([]);
  });

  test("changes the password", { tags: "nightly" }, async () => {
    const one = await registered(server, "Locksmith");
    await chooseInMenu(one.page, "Your account");
    const password = section(one.page, "Password");
    await password.getByRole("button", { name: "Change the password" }).click();
    await password.getByLabel("Present password").fill("not this password");
    await password.getByLabel("New password").fill("a much better password");
    await isClean(one.page, "changing the password");
    await one.page.keyboard.press("Enter");
    await password.getByRole("alert").getByText("The password is wrong.").waitFor();
    await password.getByLabel("Present password").fill(GOOD_PASSWORD);
    await one.page.keyboard.press("Enter");
    await announces(one.page, "The password was changed.");
    const two = await server.person();
    await two.page.goto(two.url);
    await signIn(two.page, "Locksmith", "a much better password");
    await isAccount(two.page, "Locksmith");
  });

  test("sets up a second factor, which signing in then asks for", async () => {
    const one = await registered(server, "Two_Keys");
    await chooseInMenu(one.page, "Your account");
    const factor = section(one.page, "Second factor");
    await factor.getByRole("button", { name: "Set it up" }).click();
    await factor.getByLabel("Password", { exact: true }).fill(GOOD_PASSWORD);
    await one.page.keyboard.press("Enter");
    await factor.getByRole("img", { name: "QR code with the key" }).waitFor();
    await isClean(one.page, "a new second factor");
    const secret = await factor.locator("code").innerText();
    await factor.getByRole("textbox", { name: "Code from your app" }).fill(codeOf(secret));
    await one.page.keyboard.press("Enter");
    await factor.getByText("On since").waitFor();
    const two = await server.person();
    await two.page.goto(two.url);
    await signIn(two.page, "Two_Keys");
    const dialog = two.page.getByRole("dialog");
    const code = dialog.getByRole("textbox", { name: "Code from your app" });
    await code.waitFor();
    expect(await code.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await code.getAttribute("autocomplete")).toBe("one-time-code");
    await isClean(two.page, "signing in with a second factor");
    // Each code works once: this is the next one, which counts already.
    await code.fill(codeOf(secret, 1));
    await two.page.keyboard.press("Enter");
    await isAccount(two.page, "Two_Keys");
  });

  test("makes a token, shows it once, lists it and revokes it", async () => {
    const one = await registered(server, "Toolmaker");
    await chooseInMenu(one.page, "Your account");
    const tokens = section(one.page, "Tokens for programs");
    await tokens.getByText("You have none.").waitFor();
    await tokens.getByRole("button", { name: "Make a token" }).click();
    await tokens.getByRole("textbox", { name: "What it is for" }).fill("my program");
    await tokens.getByRole("checkbox", { name: /^Play/u }).check();
    await tokens.getByLabel("Works for").selectOption({ label: "a year" });
    await isClean(one.page, "a token to be made");
    await tokens.getByRole("button", { name: "Make the token" }).click();
    const secret = await tokens.locator("code").innerText();
    const asToken = await fetch(`${one.url}/api/me`, { headers: { authorization: `Bearer ${secret}` } });
    expect(((await asToken.json()) as { name: string }).name).toBe("Toolmaker");
    await isClean(one.page, "a token that was made");
    await tokens.getByRole("button", { name: "Close" }).click();
    await tokens.getByText("my program").waitFor();
    expect(await tokens.getByText(secret).count()).toBe(0);
    await tokens.getByRole("button", { name: "Revoke my program" }).click();
    await tokens.getByText("You have none.").waitFor();
    const revoked = await fetch(`${one.url}/api/me`, { headers: { authorization: `Bearer ${secret}` } });
    expect(revoked.status).toBe(401);
  });

  test("says who may challenge, and keeps it", { tags: "nightly" }, async () => {
    const one = await registered(server, "Hermit");
    await chooseInMenu(one.page, "Your account");
    const rules = section(one.page, "Challenges to you");
    await rules.getByRole("checkbox", { name: "Bullet" }).uncheck();
    await announces(one.page, "Saved.");
    await rules.getByRole("radio", { name: "Nobody" }).check({ force: true });
    await expect.poll(() => rules.getByRole("checkbox").count()).toBe(0);
    await announces(one.page, "Saved.");
    await one.page.goBack();
    await one.page.goForward();
    await expect.poll(() => rules.getByRole("radio", { name: "Nobody" }).isChecked()).toBe(true);
    const two = await server.person();
    await two.page.goto(`${two.url}/@/Hermit`);
    await two.page.getByRole("button", { name: "Challenge Hermit" }).click();
    await two.page.getByRole("button", { name: "Send the challenge" }).click();
    await two.page.locator(".notice").getByText("This player does not take such challenges.").waitFor();
  });

  test("saves what is kept, and makes a bot of the account", { tags: "nightly" }, async () => {
    const one = await registered(server, "Clockwork");
    await chooseInMenu(one.page, "Your account");
    const download = one.page.waitForEvent("download");
    await one.page.getByRole("link", { name: "Save my data" }).click();
    expect((await download).suggestedFilename()).toBe("zeitnot-account.json");
    const bot = section(one.page, "Become a bot");
    await bot.getByRole("button", { name: "Make this account a bot …" }).click();
    await bot.getByRole("button", { name: "Make it a bot for ever" }).click();
    await one.page.getByRole("button", { name: "Clockwork, bot: menu" }).waitFor();
    await bot.waitFor({ state: "detached" });
    await one.page.goto(`${one.url}/@/Clockwork`);
    await one.page.locator(".player-head .presence.here", { hasText: "you" }).waitFor();
    await one.page.getByRole("heading", { name: "Clockwork bot" }).waitFor();
    expect(one.errors).toEqual([]);
  });

  test("closes the account when its name is typed", async () => {
    const one = await registered(server, "Farewell");
    await chooseInMenu(one.page, "Your account");
    const closing = section(one.page, "Close the account");
    await closing.getByRole("button", { name: "Close my account …" }).click();
    await closing.getByRole("textbox", { name: "Type Farewell to confirm" }).fill("farewel");
    await closing.getByLabel("Password", { exact: true }).fill(GOOD_PASSWORD);
    await closing.getByRole("button", { name: "Close it for ever" }).click();
    await closing.getByRole("alert").getByText("This is not the name of your account.").waitFor();
    await isClean(one.page, "closing an account");
    await closing.getByRole("textbox", { name: "Type Farewell to confirm" }).fill("Farewell");
    await closing.getByRole("button", { name: "Close it for ever" }).click();
    await one.page.getByRole("heading", { name: "You are not signed in" }).waitFor();
    await signIn(one.page, "Farewell");
    await one.page.getByRole("alert").getByText("no account with this name").waitFor();
  });

  test("fits a phone of 320 px, in German too", { tags: "nightly" }, async () => {
    const one = await registered(server, "Kleinformat");
    await one.page.setViewportSize({ width: 320, height: 568 });
    await chooseInMenu(one.page, "Your account");
    await section(one.page, "Devices").getByText("this browser", { exact: true }).waitFor();
    const width = () => one.page.evaluate(() => document.documentElement.scrollWidth);
    expect(await width()).toBe(320);
    await chooseLanguage(one.page, "de");
    await section(one.page, "Geräte").getByText("dieser Browser", { exact: true }).waitFor();
    for (const name of [
      "Passwort ändern",
      "Einrichten",
      "Neue Codes erzeugen",
      "Token erzeugen",
      "Mein Konto schließen …",
    ])
      await one.page.getByRole("button", { name }).first().click();
    expect(await width()).toBe(320);
    await isClean(one.page, "one's account on a phone");
    await one.page.getByRole("button", { name: /: Menü$/u }).click();
    expect(await width()).toBe(320);
    // The header has no room for the name, so the menu says whose it is.
    await one.page.locator(".menu-name").getByText("Kleinformat").waitFor();
  });
});
