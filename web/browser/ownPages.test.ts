/** The pages that the server writes itself, for browsers without script: registering, and that they can be read anywhere. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LANGUAGES } from "../src/text";
import { isClean } from "./axe";
import { clippedTexts } from "./clippedTexts";
import { covering } from "./covering";
import { GOOD_PASSWORD } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const SMALLEST = { width: 320, height: 568 };

/** Where a program of somebody else leads the owner of an account. */
const CONSENT = `/oauth?${new URLSearchParams({
  response_type: "code",
  client_id: "board.example",
  redirect_uri: "https://board.example/signed-in",
  code_challenge_method: "S256",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  scope: "board:play challenge:read",
})}`;

const PAGES = [
  "/sign-in",
  "/register",
  "/account",
  "/account/oauth/token",
  "/account/oauth/token/create",
  CONSENT,
  "/oauth",
  "/no/such/page",
];

/** Opens every form that waits to be opened. */
const openAll = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });

test("registering without script leads to one's account, and wrong fields are said in one's language", async () => {
  const { page, url } = await server.person({ javaScriptEnabled: false, viewport: SMALLEST, locale: "de-AT" });
  await page.goto(`${url}/register`);
  await page.getByLabel("Name").fill("9");
  await page.getByLabel("Passwort").fill(GOOD_PASSWORD);
  await page.getByRole("button", { name: "Registrieren" }).click();
  await page.getByRole("alert").getByText("Ein Name besteht aus").waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  await page.getByLabel("Name").fill("Ohne_Skript");
  await page.getByLabel("Passwort").fill(GOOD_PASSWORD);
  await page.getByRole("button", { name: "Registrieren" }).click();
  await page.getByRole("heading", { name: "Dein Konto" }).waitFor();
  await page.getByText("Ohne_Skript").waitFor();
});

test("nothing is cut off on a phone of 320 px in any language, and axe-core finds nothing", {
  tags: "nightly",
}, async () => {
  const owner = await server.person({ viewport: SMALLEST });
  await owner.page.goto(`${owner.url}/register`);
  await owner.page.getByLabel("Name").fill("A_name_of_20_letters");
  await owner.page.getByLabel("Password").fill(GOOD_PASSWORD);
  await owner.page.getByRole("button", { name: "Register" }).click();
  await owner.page.getByRole("heading", { name: "Your account" }).waitFor();
  const cut: string[] = [];
  for (const locale of covering(LANGUAGES, ["en", "de"])) {
    const { page, context, url } = await server.person({ viewport: SMALLEST, locale });
    await context.addCookies(await owner.context.cookies());
    for (const path of PAGES) {
      await page.goto(url + path);
      await openAll(page);
      expect(await page.locator("html").getAttribute("lang"), path).toBe(locale);
      cut.push(...(await page.evaluate(clippedTexts)).map((fault) => `${path} in ${locale}: ${fault}`));
      if (locale === "en") await isClean(page, path);
    }
  }
  expect(cut).toEqual([]);
});
