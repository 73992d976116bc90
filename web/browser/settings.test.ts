/** The settings: one dialog for mouse, finger and keys; a change takes effect at once and is there at the next visit. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { isClean } from "./axe";
import { board, startGame } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function openSettings(page: Page, title = "Settings") {
  await page.getByRole("button", { name: title }).click();
  const dialog = page.getByRole("dialog", { name: title });
  await dialog.waitFor();
  return dialog;
}

test("every change takes effect at once, without a button to save, and is kept", async () => {
  const { page, url, errors } = await server.person();
  await page.goto(url);
  const dialog = await openSettings(page);
  const html = page.locator("html");
  await dialog.getByRole("radio", { name: "Dark", exact: true }).check({ force: true });
  await expect.poll(() => html.getAttribute("data-theme")).toBe("dark");
  await dialog.getByRole("radio", { name: "Green", exact: true }).check({ force: true });
  await expect.poll(() => html.getAttribute("data-board-colors")).toBe("green");
  await dialog.getByRole("checkbox", { name: "Always promote to a queen" }).check();
  await dialog.getByRole("radio", { name: "Several" }).check({ force: true });
  await dialog.getByRole("slider", { name: "Volume" }).fill("30");
  await dialog.getByRole("combobox", { name: "Language" }).selectOption({ label: "Deutsch" });
  await page.getByRole("heading", { name: "Einstellungen" }).waitFor();
  expect(await html.getAttribute("lang")).toBe("de");

  await page.reload();
  const again = await openSettings(page, "Einstellungen");
  expect(await html.getAttribute("data-theme")).toBe("dark");
  expect(await again.getByRole("radio", { name: "Grün", exact: true }).isChecked()).toBe(true);
  expect(await again.getByRole("checkbox", { name: "Immer in eine Dame umwandeln" }).isChecked()).toBe(true);
  expect(await again.getByRole("radio", { name: "Mehrere" }).isChecked()).toBe(true);
  expect(await again.getByRole("slider", { name: "Lautstärke" }).inputValue()).toBe("30");
  expect(errors).toEqual([]);
});

test("the dialog is loaded when it is first opened; if that fails, it is said", { tags: "nightly" }, async () => {
  const { page, url } = await server.person();
  const asked: string[] = [];
  await page.route(/SettingsDialog-[^/]*\.js$/u, (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  await page.goto(url);
  await page.getByRole("heading", { name: "Play chess" }).waitFor();
  expect(asked).toEqual([]);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.locator(".notice.error").waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
});

test("a click beside the dialog closes it, one within it does not, and the language looks like a list on a phone too", {
  tags: "nightly",
}, async () => {
  const { page, url } = await server.person();
  await page.goto(url);
  const dialog = await openSettings(page);
  const box = await dialog.boundingBox();
  if (!box) throw new Error("the dialog is not there");
  await page.mouse.click(box.x + 4, box.y + box.height - 4);
  expect(await dialog.isVisible()).toBe(true);
  // Who selects a text within it may let go outside.
  await page.mouse.move(box.x + 40, box.y + box.height - 4);
  await page.mouse.down();
  await page.mouse.move(box.x - 10, box.y + 20);
  await page.mouse.up();
  expect(await dialog.isVisible()).toBe(true);
  await page.mouse.click(box.x - 10, box.y + 20);
  await expect.poll(() => dialog.count()).toBe(0);
  await page.setViewportSize({ width: 360, height: 640 });
  const list = (await openSettings(page)).getByRole("combobox", { name: "Language" });
  expect(await list.evaluate((select) => getComputedStyle(select).appearance)).not.toBe("none");
});

test("on a phone the board is in sight beside each choice that changes it, and the page behind does not scroll", {
  tags: "nightly",
}, async () => {
  const { page, url } = await server.person({ viewport: { width: 360, height: 640 } });
  await page.goto(url);
  const dialog = await openSettings(page);
  const preview = dialog.locator(".preview-frame");
  // A quarter of it, as large as in a game.
  const [whole, seen] = [await preview.locator(".mini-board").boundingBox(), await preview.boundingBox()];
  expect(whole?.width).toBeCloseTo(2 * (seen?.width ?? Number.NaN), 0);
  for (const name of ["Wood", "High contrast", "Simple"]) {
    const choice = dialog.getByRole("radio", { name });
    await choice.focus();
    const [board, place] = [await preview.boundingBox(), await choice.boundingBox()];
    if (!board || !place) throw new Error(`${name} is not there`);
    expect(board.y, name).toBeGreaterThan(0);
    expect(place.y, name).toBeGreaterThanOrEqual(board.y + board.height);
    expect(place.y + place.height, name).toBeLessThanOrEqual(640);
  }
  // Beside the board stands what is switched on and off on it, each as high as a finger.
  const names = dialog.locator(".board-preview .coordinates");
  expect(await names.isVisible(), "the names of the squares").toBe(true);
  await dialog.getByRole("checkbox", { name: "Coordinates" }).uncheck();
  expect(await names.count()).toBe(0);
  await dialog.getByRole("checkbox", { name: "Coordinates" }).check();
  for (const name of ["Coordinates", "Mark where a piece may go", "Animate moves"]) {
    const row = dialog.locator(".check", { hasText: name });
    await row.getByRole("checkbox").focus();
    const [board, place] = [await preview.boundingBox(), await row.boundingBox()];
    if (!board || !place) throw new Error(`${name} is not there`);
    expect(place.x, name).toBeGreaterThan(board.x + board.width);
    expect(place.y + place.height, name).toBeLessThanOrEqual(board.y + board.height + 12);
    expect(place.height, name).toBeGreaterThanOrEqual(44);
  }
  await page.mouse.move(180, 500);
  for (let turn = 0; turn < 12; turn += 1) await page.mouse.wheel(0, 400);
  await expect
    .poll(() => dialog.evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop))
    .toBeLessThanOrEqual(1);
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test("on a phone the settings of a game are a sheet below its board and both clocks, colours and pieces first", async () => {
  for (const [width, height] of [
    [390, 740],
    [320, 568],
  ] as const) {
    const { white } = await startGame(server, {}, { white: { viewport: { width, height } } });
    const { page, errors } = white;
    const before = await board(page).boundingBox();
    const dialog = await openSettings(page);
    const sheet = await dialog.boundingBox();
    if (!sheet) throw new Error("the sheet is not there");
    expect(sheet.height / height).toBeCloseTo(0.45, 1);
    expect(sheet.y + sheet.height).toBeCloseTo(height, 0);
    for (const part of [page.locator(".board-frame"), ...(await page.locator(".player").all())]) {
      const box = await part.boundingBox();
      expect(box && box.y >= 0 && box.y + box.height <= sheet.y + 1, `${width}`).toBe(true);
    }
    // The board itself shows what is chosen, and what is on it comes below.
    expect(await dialog.locator(".board-preview").isVisible()).toBe(false);
    await dialog.getByRole("radio", { name: "Green", exact: true }).check({ force: true });
    await expect.poll(() => page.locator("html").getAttribute("data-board-colors")).toBe("green");
    const [sets, checks] = [dialog.getByRole("group", { name: "Pieces" }), dialog.locator(".board-checks")];
    const [above, below] = [await sets.boundingBox(), await checks.boundingBox()];
    expect(above && below && above.y + above.height <= below.y).toBe(true);
    const last = dialog.getByRole("slider", { name: "Volume" });
    await last.focus();
    const place = await last.boundingBox();
    expect(place && place.y >= sheet.y && place.y + place.height <= height).toBe(true);
    await isClean(page, "the settings below a board");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Settings");
    expect(await board(page).boundingBox()).toEqual(before);
    expect(errors).toEqual([]);
  }
});

test("the sheet leaves the whole board of a game free on a desk, and each colour has its name below it, whole", {
  tags: "nightly",
}, async () => {
  const { page, url } = await server.person();
  await page.goto(`${url}/analysis`);
  const board = page.locator(".board-frame");
  await board.waitFor();
  const dialog = await openSettings(page);
  const [sheet, place] = [await dialog.boundingBox(), await board.boundingBox()];
  if (!sheet || !place) throw new Error("something is not there");
  expect(sheet.width).toBeLessThanOrEqual(384);
  expect(place.x + place.width).toBeLessThanOrEqual(sheet.x);
  // Its title is another one in each language.
  const languages = page.locator("dialog.settings").getByRole("combobox");
  const colors = page.locator("dialog.settings .choice:has(.swatch)");
  const tiles = colors.locator("label");
  for (const [width, height] of [
    [1440, 900],
    [390, 740],
    [360, 640],
    [320, 568],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const language of ["de", "fr", "es", "en"]) {
      await languages.selectOption(language);
      await page.locator(`html[lang=${language}]`).waitFor({ state: "attached" });
      const places = await tiles.evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect),
      );
      expect(Math.min(...places.map((one) => one.width)), `${width}`).toBeGreaterThanOrEqual(44);
      // A word that has no room breaks: a name has as many lines as words, or fewer.
      const broken = await colors.locator(".swatch + span").evaluateAll((all) =>
        all.flatMap((one) => {
          const name = one.textContent ?? "";
          const lines = one.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(one).lineHeight);
          return Math.round(lines) > name.split(" ").length ? [name] : [];
        }),
      );
      expect(broken, `${language} ${width}`).toEqual([]);
    }
  }
});

test("on a phone the page is at its upper end after the settings were opened from further down", {
  tags: "nightly",
}, async () => {
  const { page, url } = await server.person({ viewport: { width: 390, height: 740 } });
  await page.goto(url);
  await page.getByRole("button", { name: "Play a friend" }).waitFor();
  await page.evaluate(() => scrollTo(0, 300));
  await openSettings(page);
  await page.keyboard.press("Escape");
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test("sound is one tap in the header, and its volume rests while it is off", { tags: "nightly" }, async () => {
  const { page, url } = await server.person();
  await page.goto(url);
  await page.getByRole("button", { name: "Sound is on" }).click();
  const dialog = await openSettings(page);
  expect(await dialog.getByRole("checkbox", { name: "Sounds" }).isChecked()).toBe(false);
  expect(await dialog.getByRole("slider", { name: "Volume" }).isDisabled()).toBe(true);
});

test("on a desk the settings are a sheet beside the board, with all boards and pieces in sight", async () => {
  const { page, url } = await server.person({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${url}/analysis`);
  await page.locator(".board").waitFor();
  const dialog = await openSettings(page);
  const colors = dialog.getByRole("group", { name: "Colours of the board" });
  await colors.getByRole("radio", { name: "Turquoise" }).check({ force: true });
  await expect.poll(() => page.locator("html").getAttribute("data-board-colors")).toBe("turquoise");
  const rows = (group: string) =>
    dialog
      .getByRole("group", { name: group })
      .locator("label")
      .evaluateAll((all) => {
        const tops = all.map((one) => one.getBoundingClientRect().top);
        return [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
      });
  expect(await rows("Colours of the board")).toEqual([5, 5, 4]);
  expect(await rows("Pieces")).toEqual([3, 3, 3]);
  // Their names stand below them, as those of the colours do.
  const sets = dialog.getByRole("group", { name: "Pieces" });
  expect((await colors.getByText("Walnut", { exact: true }).boundingBox())?.width).toBeGreaterThan(30);
  for (const name of ["Staunton", "Geometric"])
    expect((await sets.getByText(name, { exact: true }).boundingBox())?.width).toBeGreaterThan(30);
  const [board, sheet, last] = [
    await page.locator(".board").boundingBox(),
    await dialog.boundingBox(),
    await sets.locator("label").last().boundingBox(),
  ];
  if (!board || !sheet || !last) throw new Error("something is not there");
  expect(board.x + board.width).toBeLessThanOrEqual(sheet.x);
  expect(last.y + last.height).toBeLessThanOrEqual(900);
});

test("vibration is offered where a finger is the pointer, and not on a desk", { tags: "nightly" }, async () => {
  for (const [options, count] of [
    [{}, 0],
    [{ hasTouch: true, isMobile: true, viewport: { width: 390, height: 740 } }, 1],
  ] as const) {
    const { page, url } = await server.person(options);
    await page.goto(url);
    const dialog = await openSettings(page);
    expect(await dialog.getByRole("checkbox", { name: "Vibrate on my move" }).count()).toBe(count);
  }
});

test("by keys alone: open, change, Escape, and the focus is back on the button", async () => {
  const { page, url } = await server.person();
  await page.goto(url);
  await page.getByRole("button", { name: "Settings" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.waitFor();
  await dialog.getByRole("radio", { name: "Wood" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.locator("html").getAttribute("data-board-colors")).toBe("green");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Settings");
});

test("the dialog is accessible, and nothing in it is cut off in either language on a narrow phone", async () => {
  const { page, url } = await server.person({ viewport: { width: 320, height: 568 } });
  await page.goto(url);
  await openSettings(page);
  const dialog = page.locator("dialog.settings");
  await isClean(page, "settings");
  const cutOff = () =>
    dialog.evaluate((box) =>
      [...box.querySelectorAll("*"), box].flatMap((part) =>
        part.scrollWidth > part.clientWidth + 1 &&
        getComputedStyle(part).display !== "inline" &&
        // The preview shows a quarter of its board.
        !part.matches(".visually-hidden, .preview-frame")
          ? [part.outerHTML]
          : [],
      ),
    );
  expect(await cutOff()).toEqual([]);
  const small = () =>
    dialog
      .locator("label:has(input), button, select")
      .evaluateAll((all) => all.flatMap((one) => (one.getBoundingClientRect().height < 44 ? [one.outerHTML] : [])));
  expect(await small()).toEqual([]);
  await dialog.getByRole("combobox", { name: "Language" }).selectOption({ label: "Deutsch" });
  await page.getByRole("heading", { name: "Einstellungen" }).waitFor();
  expect(await cutOff()).toEqual([]);
  expect(await small()).toEqual([]);
  await isClean(page, "Einstellungen");
});
