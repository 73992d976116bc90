/** An invitation by link: read, kept, ended while its owner was away, and made again; at 320 px too. */
import type { CreateChallenge } from "#protocol";
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import { ask } from "./ask";
import {
  board,
  challengeByName,
  createGame,
  ended,
  having,
  join,
  nameOneself,
  playOut,
  registered,
  resign,
  startGame,
} from "./steps";
import { type Person, type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const SMALL = { viewport: { width: 320, height: 568 } };

/** Another device of the same person: the same guest, and nothing that the first browser remembers. */
async function otherDevice(of: BrowserContext) {
  const device = await server.person();
  await device.context.addCookies(await of.cookies());
  await device.context.addInitScript(() => localStorage.setItem("zeitnot.guest", "1"));
  return device;
}

test("the link is whole on a phone of 320 px, and says until when it is open", async () => {
  const { page } = await server.person(SMALL).then(async (person) => {
    await createGame(person);
    return person;
  });
  const code = page.locator(".link-text strong");
  expect(`/${await code.innerText()}`).toBe(new URL(page.url()).pathname);
  const box = await code.boundingBox();
  expect(box && box.x >= 0 && box.x + box.width <= 320).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  // One click selects the whole link.
  await code.click();
  expect(await page.evaluate(() => String(getSelection()))).toBe(page.url());
  await page.getByText(/^Open until \w+ \d+ \w+ at \d\d:\d\d\.$/u).waitFor();
  await page.getByText("The first to join plays you.").waitFor();
  await isClean(page, "an invitation to send");
});

test("whoever is invited sees the first position from the side to play, and the whole button at 320 px", {
  tags: "nightly",
}, async () => {
  const owner = await server.person();
  const path = await createGame(owner);
  const guest = await server.person(SMALL);
  await guest.page.goto(guest.url + path);
  await guest.page.getByText("Casual · Blitz · 5+3").waitFor();
  // It has a line of its own.
  await guest.page.getByText(/^you play Black$/u).waitFor();
  await guest.page.getByText("The clocks start after the first moves.").waitFor();
  const lowest = await guest.page
    .locator(".mini-board .figure.black")
    .evaluateAll((all) => Math.max(...all.map((one) => Number(one.getAttribute("y")))));
  expect(lowest).toBe(7);
  const join = await guest.page.getByRole("button", { name: "Join the game" }).boundingBox();
  expect(join && join.y + join.height <= 568).toBe(true);
  // Until when it is open comes after what one presses, and the board is no larger than it needs to be.
  const until = await guest.page.getByText(/^Open until/u).boundingBox();
  expect(until?.y).toBeGreaterThan((join?.y ?? 0) + (join?.height ?? 0));
  await guest.page.setViewportSize({ width: 390, height: 740 });
  expect((await guest.page.locator(".mini-board").boundingBox())?.width).toBeLessThanOrEqual(256);
  await isClean(guest.page, "an invitation");
});

test("its owner changes the terms: the form has them as they are, and the new link takes the place of the old one", async () => {
  const owner = await server.person(SMALL);
  const old = await createGame(owner, { color: "Black" });
  const guest = await server.person();
  await guest.page.goto(guest.url + old);
  await guest.page.getByRole("button", { name: "Join the game" }).waitFor();
  const { page } = owner;
  const change = page.getByRole("button", { name: "Change the terms" });
  expect((await change.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await change.click();
  const dialog = page.getByRole("dialog", { name: "Change the terms" });
  await dialog.getByText("The link you sent will no longer lead to a game. Send the new one.").waitFor();
  await dialog.getByRole("form", { name: "Change the terms" }).waitFor();
  expect(await dialog.locator(".tiles [aria-pressed=true]").innerText()).toBe("5+3");
  expect(await dialog.getByRole("radio", { name: "Black" }).isChecked()).toBe(true);
  await isClean(page, "the terms of an invitation");
  await dialog.getByRole("button", { name: "10+0" }).click();
  await dialog.getByRole("button", { name: "Create the link" }).click();
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => new URL(page.url()).pathname).not.toBe(old);
  await page.locator(".terms").getByText("10+0").waitFor();
  const path = new URL(page.url()).pathname;
  // Whoever has the old link is told that there may be another one, and joins by that.
  await guest.page.getByRole("heading", { name: "This invitation was withdrawn" }).waitFor();
  await guest.page.getByText(/may have made a new one with different terms: ask for its link\./u).waitFor();
  await isClean(guest.page, "an invitation whose terms were changed");
  await join(guest, path);
  for (const one of [page, guest.page]) await board(one).waitFor();
  await page.goto(owner.url);
  expect(await page.locator(".own-challenges").count()).toBe(0);
  expect(owner.errors).toEqual([]);
});

test("the form has it rated only where the invitation is, whatever was chosen for the last one", async () => {
  const terms: CreateChallenge = { time_control: { kind: "clock", periods: [{ base_ms: 300_000 }] } };
  for (const rated of [false, true]) {
    // Another owner each time: the server begins with the challenges that are open.
    const owner = await registered(server, `Rated_${rated}`, having(server, { rated: { link: !rated } }));
    const { page, url } = owner;
    const made = await ask(owner, { t: "create_challenge", d: { ...terms, rated, id: "made" } }, "challenge");
    await page.goto(`${url}/${made.challenge}`);
    await page.getByRole("button", { name: "Change the terms" }).click();
    const form = page.getByRole("dialog", { name: "Change the terms" });
    const box = form.getByRole("radio", { name: "Rated", exact: true });
    // Before it is known that there is an account no game can be rated.
    await expect.poll(() => box.isEnabled()).toBe(true);
    expect(await box.isChecked()).toBe(rated);
    await form.getByRole("radio", { name: rated ? "Casual" : "Rated", exact: true }).check({ force: true });
    expect(await box.isChecked()).toBe(!rated);
  }
});

test("whoever does not want to join is led home, and the invitation stays open", { tags: "nightly" }, async () => {
  const owner = await server.person();
  const path = await createGame(owner);
  const guest = await server.person({ viewport: { width: 390, height: 740 } });
  await guest.page.goto(guest.url + path);
  const no = guest.page.getByRole("link", { name: "No, thanks" });
  const join = guest.page.getByRole("button", { name: "Join the game" });
  const below = async () => ((await no.boundingBox())?.y ?? 0) - ((await join.boundingBox())?.y ?? 1);
  // What is known of the player who invites comes later, and moves both.
  await expect.poll(below).toBe(0);
  expect((await no.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await no.click();
  await guest.page.getByRole("heading", { name: "Play chess" }).waitFor();
  await owner.page.reload();
  await owner.page.getByRole("heading", { name: "Waiting for an opponent" }).waitFor();
});

test("whoever has an account reads how they stand against the player who invites", { tags: "nightly" }, async () => {
  const match = await startGame(server);
  await playOut(match, ["e4", "e5"]);
  await resign(match.white.page);
  await ended(match.black.page, /resigned$/u);
  const path = await createGame(match.white);
  const { page, url } = match.black;
  await page.goto(url + path);
  const score = page.getByText(/^You 1 – 0 Guest-\w+ 1 game$/u);
  await score.waitFor();
  // It comes when it is known, below what one presses.
  const button = await page.getByRole("button", { name: "Join the game" }).boundingBox();
  expect((await score.boundingBox())?.y).toBeGreaterThan(button?.y ?? Number.NaN);
  // Where the way to the games has a line of its own, both lines begin at one edge.
  await score.evaluate((one) => one.style.setProperty("width", "min-content"));
  const [line, games] = [await score.boundingBox(), await score.getByRole("link").boundingBox()];
  expect(games?.x).toBe(line?.x);
  // They need no word about accounts.
  await page.getByRole("button", { name: "Join the game" }).waitFor();
  expect(await page.getByText("No account needed.").count()).toBe(0);
});

test("on a desk the board stands beside the owner's words and the code, and beside the guest's, who is told whether the owner is here", {
  tags: "nightly",
}, async () => {
  const owner = await server.person();
  const path = await createGame(owner, { color: "Black" });
  const guest = await server.person();
  await guest.page.goto(guest.url + path);
  await guest.page.getByText("No account needed.").waitFor();
  const presence = guest.page.getByRole("main").locator(".presence");
  await presence.getByText("online").waitFor();
  expect(await guest.page.locator("main .score").count()).toBe(0);
  const [withdraw, code, own] = await Promise.all(
    [
      owner.page.getByRole("button", { name: "Withdraw" }),
      owner.page.locator("main .qr"),
      owner.page.locator("main .mini-board"),
    ].map((part) => part.boundingBox()),
  );
  expect(withdraw && code && own && Math.max(withdraw.x + withdraw.width, code.x + code.width) <= own.x).toBe(true);
  expect(code?.height).toBeGreaterThanOrEqual(140);
  expect(own?.height).toBeGreaterThan(600);
  const [words, board] = await Promise.all(
    ["main .words", "main .mini-board"].map((part) => guest.page.locator(part).boundingBox()),
  );
  expect(words && board && words.x + words.width <= board.x).toBe(true);
  expect(board?.height).toBeGreaterThan(600);
  expect(board && board.y + board.height).toBeLessThan(900);
  // The guest's words stand in the middle of the height of the board, and the terms are the largest below the name.
  const [title, until, drawn] = await Promise.all(
    ["main h1", "main .words > :last-child", "main .mini-board"].map((part) => guest.page.locator(part).boundingBox()),
  );
  if (!title || !until || !drawn) throw new Error("it is not laid out");
  expect(Math.abs(title.y - drawn.y - (drawn.y + drawn.height - until.y - until.height))).toBeLessThan(4);
  const sizes = await guest.page
    .locator("main .words p")
    .evaluateAll((all) =>
      all.map((one) => [one.className, Number.parseFloat(getComputedStyle(one).fontSize)] as const),
    );
  expect(sizes.sort((a, b) => b[1] - a[1])[0]?.[0]).toBe("terms");
  // From the side that the guest gets.
  expect(await guest.page.locator(".mini-board .figure.black").first().getAttribute("y")).toBe("1");
  await isClean(owner.page, "an invitation to send on a desk");
  await isClean(guest.page, "an invitation on a desk");
  await owner.page.goto("about:blank");
  await guest.page.reload();
  await presence.getByText("offline").waitFor();
});

test("whoever reads an invitation is told when it is withdrawn, and is led to the game when somebody else joins", async () => {
  const owner = await server.person();
  const first = await createGame(owner);
  const reader = await server.person();
  const looksAgain = () => reader.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await reader.page.goto(reader.url + first);
  await reader.page.getByRole("button", { name: "Join the game" }).waitFor();
  await looksAgain();
  await owner.page.getByRole("button", { name: "Withdraw" }).click();
  await owner.page.getByRole("heading", { name: "The invitation was withdrawn" }).waitFor();
  await looksAgain();
  await reader.page.getByRole("heading", { name: /invitation was withdrawn/u }).waitFor();
  await reader.page.getByText("5+3").waitFor();
  expect(await reader.page.getByText(/you get a random colour/iu).count()).toBe(0);
  await isClean(reader.page, "an invitation that was withdrawn while it was read");

  const second = await createGame(owner);
  await reader.page.goto(reader.url + second);
  await reader.page.getByRole("button", { name: "Join the game" }).waitFor();
  await join(await server.person(), second);
  await board(owner.page).waitFor();
  await looksAgain();
  await board(reader.page).waitFor();
  const told = "Somebody else has accepted this invitation. You are watching the game.";
  await reader.page.locator(".notice").getByText(told).waitFor();
  // Whoever only now follows the link is told, too, and is so once.
  const late = await server.person();
  await late.page.goto(late.url + second);
  await board(late.page).waitFor();
  await late.page.locator(".notice").getByText(told).waitFor();
  await late.page.reload();
  await board(late.page).waitFor();
  expect(await late.page.locator(".notice").getByText(told).count()).toBe(0);
  expect([...reader.errors, ...late.errors]).toEqual([]);
});

test("whoever only keeps an invitation open is told of its end within a second or two", {
  tags: "nightly",
}, async () => {
  const owner = await server.person();
  const path = await createGame(owner);
  const reader = await server.person();
  await reader.page.clock.install();
  await reader.page.goto(reader.url + path);
  await reader.page.getByRole("button", { name: "Join the game" }).waitFor();
  await owner.page.getByRole("button", { name: "Withdraw" }).click();
  await owner.page.getByRole("heading", { name: "The invitation was withdrawn" }).waitFor();
  await reader.page.clock.fastForward(1_500);
  await reader.page.getByRole("heading", { name: "This invitation was withdrawn" }).waitFor();
  await reader.page.getByRole("button", { name: "Make it again" }).waitFor();
});

test("the owner is told on return what has become of it, and makes it again in one tap", async () => {
  const owner = await server.person();
  const path = await createGame(owner, { minutes: "7" });
  await owner.page.goto("about:blank");
  const { page: device, url } = await otherDevice(owner.context);
  await device.goto(url + path);
  await device.getByRole("button", { name: "Withdraw" }).click();
  await device.getByRole("heading", { name: "The invitation was withdrawn" }).waitFor();
  await owner.page.goto(owner.url);
  const told = owner.page.getByRole("region", { name: "Your invitations" });
  await told.getByText("The invitation was withdrawn").waitFor();
  await isClean(owner.page, "an invitation that has ended");
  await told.getByRole("button", { name: "Make it again: Casual · Rapid · 7+3 · you play White" }).click();
  await owner.page.getByRole("heading", { name: "Waiting for an opponent" }).waitFor();
  await owner.page.getByText("7+3 · you play White").waitFor();
  const black = await server.person();
  await join(black, new URL(owner.page.url()).pathname);
  await board(owner.page).waitFor();
  // It is told once.
  await owner.page.goto(owner.url);
  await owner.page.getByRole("link", { name: /^Back to the game/u }).waitFor();
  expect(await told.count()).toBe(0);
});

async function named(name: string): Promise<Person> {
  const person = await server.person();
  await person.page.goto(person.url);
  await nameOneself(person.page, name);
  await person.page.getByRole("button", { name: `${name}, guest: menu` }).waitFor();
  return person;
}

test("on a phone the ways to send a link come before its code, the device's own first, and all that its owner presses is in sight", {
  tags: "nightly",
}, async () => {
  const person = await server.person({ viewport: { width: 360, height: 740 } });
  const { page } = person;
  await page.addInitScript(() => {
    navigator.share = async (data) => void sessionStorage.setItem("shared", String(data?.url));
  });
  await createGame(person);
  const parts = [
    page.getByRole("button", { name: "Share" }),
    page.getByRole("button", { name: "Copy the link" }),
    page.getByRole("button", { name: "Withdraw" }),
    page.locator(".qr"),
    page.getByText("Scan to join"),
  ];
  const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
  const order = boxes.map((box) => (box ? box.y * 1000 + box.x : Number.NaN));
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(boxes[2] && boxes[2].y + boxes[2].height).toBeLessThan(740);
  expect(boxes[2]?.height).toBeGreaterThanOrEqual(44);
  // It looks like a button, as every other one does.
  const edge = await parts[2]?.evaluate((one) => getComputedStyle(one).borderTopColor);
  expect(edge).not.toBe("rgba(0, 0, 0, 0)");
  await parts[0]?.click();
  expect(await page.evaluate(() => sessionStorage.getItem("shared"))).toBe(page.url());
  await isClean(page, "an invitation by link on a phone");
});

test("a challenge by name says whom it is for: to its owner, to the player, and to anybody else", {
  tags: "nightly",
}, async () => {
  const [owner, player] = [await named("Challenger"), await named("Challengee")];
  await challengeByName(owner.page, "Challengee");
  await owner.page.getByRole("heading", { name: "Waiting for Challengee" }).waitFor();
  await owner.page.setViewportSize({ width: 768, height: 1024 });
  expect((await owner.page.getByRole("main").boundingBox())?.x).toBeGreaterThan(8);
  const address = owner.page.url();
  await player.page.goto(address);
  await player.page.getByRole("heading", { name: "Challenger challenges you" }).waitFor();
  const main = player.page.getByRole("main");
  for (const name of ["Accept the challenge", "Decline the challenge"])
    expect((await main.getByRole("button", { name }).boundingBox())?.height).toBeGreaterThanOrEqual(48);
  const stranger = await server.person();
  await stranger.page.goto(address);
  await stranger.page.getByRole("heading", { name: "Challenger challenges somebody else" }).waitFor();
  expect(await stranger.page.getByRole("main").getByText("you play").count()).toBe(0);
  await isClean(stranger.page, "a challenge to somebody else");

  await owner.page.getByRole("button", { name: "Withdraw" }).click();
  await owner.page.getByText("It had gone to Challengee.").waitFor();
  await player.page.goto(address);
  await player.page.getByRole("button", { name: "Challenge Challenger", exact: true }).waitFor();
  expect(await main.getByText("send the new link").count()).toBe(0);
  await owner.page.getByRole("button", { name: "Challenge Challengee again" }).click();
  await owner.page.getByRole("heading", { name: "Waiting for Challengee" }).waitFor();
});

test("a player who is away when a challenge is declined is told so on return", { tags: "nightly" }, async () => {
  const [owner, other] = [await named("Owner_Away"), await named("Declines")];
  await challengeByName(owner.page, "Declines");
  await owner.page.getByText("Only Declines can accept").waitFor();
  await owner.page.goto("about:blank");
  const decline = other.page.getByRole("button", { name: "Decline the challenge from Owner_Away" });
  await decline.click();
  // The server has taken it: an owner who comes back earlier is told with the reason, as it happens.
  await decline.waitFor({ state: "detached" });
  await owner.page.goto(owner.url);
  const told = owner.page.getByRole("region", { name: "Your invitations" });
  await told.getByRole("link", { name: "Declines declines" }).waitFor();
  await told.getByRole("button", { name: /^Dismiss/u }).click();
  await told.waitFor({ state: "detached" });
  expect(await owner.page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
  await owner.page.reload();
  await owner.page.getByRole("heading", { name: "Play chess" }).waitFor();
  expect(await told.count()).toBe(0);
});

test.each([
  ["challenge_expired", "This invitation has expired"],
  ["challenge_declined", "This challenge was declined"],
  ["challenge_taken", "Somebody else has accepted this invitation"],
  ["unknown_challenge", "There is no game or invitation here"],
])("whoever comes too late is told: %s", async (code, words) => {
  const { page, url } = await server.person(SMALL);
  await page.route("**/api/challenges/*", (route) =>
    route.fulfill({
      status: code === "unknown_challenge" ? 404 : 410,
      json: { code, message: "" },
    }),
  );
  await page.goto(`${url}/LateComer001`);
  await page.getByRole("heading", { name: words }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  if (code === "unknown_challenge") return;
  await page.getByRole("button", { name: "Make a new invitation" }).click();
  await page.getByRole("heading", { name: "Waiting for an opponent" }).waitFor();
});

test("an invitation that was seen open, and of which the server knows nothing any more, is said to be closed", {
  tags: "nightly",
}, async () => {
  const owner = await server.person();
  const path = await createGame(owner, { minutes: "7", seconds: "1" });
  const { page, url } = await server.person(SMALL);
  await page.goto(url + path);
  await page.getByRole("button", { name: "Join the game" }).waitFor();
  await page.route("**/api/challenges/*", (route) =>
    route.fulfill({ status: 404, json: { code: "unknown_challenge", message: "" } }),
  );
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await page.getByRole("heading", { name: "This invitation is no longer open" }).waitFor();
  await page.getByText("7+1").first().waitFor();
  await page.getByRole("button", { name: "Make it again" }).waitFor();
});

test("whoever comes too late makes the same again: the server remembers its terms", async () => {
  const owner = await server.person();
  const path = await createGame(owner, { minutes: "7", seconds: "1" });
  await owner.page.getByRole("button", { name: "Withdraw" }).click();
  await owner.page.getByRole("heading", { name: "Waiting for an opponent" }).waitFor({ state: "detached" });
  const { page, url } = await server.person(SMALL);
  await page.goto(url + path);
  await page.getByRole("heading", { name: "This invitation was withdrawn" }).waitFor();
  await page.getByText("7+1").first().waitFor();
  await page.getByRole("button", { name: "Make it again" }).click();
  await page.getByRole("heading", { name: "Waiting for an opponent" }).waitFor();
  await page.getByText("7+1").first().waitFor();
});
