/** A result that rests on a proof: the line by which checkmate was still possible is played out on the board. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import { FLAGGED, ended, announces, pieceOn, startGame, square, type, resign } from "./steps";
import { type TestServer, startTestServer } from "./testServer";
import { covering } from "./covering";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** White runs out of time, and Black could mate in the few moves of both sides that are left. */
const FEN = "8/8/8/8/8/5k2/7q/5K2 w - - 0 1";
const TAKES_PLACE = "8/8/8/8/8/8/2kq4/K7 w - - 0 1";

test.each(covering([FEN, TAKES_PLACE], [FEN]))("from %s: step by step, by itself, by keys, and back", async (fen) => {
  const { white, black } = await startGame(server, { fen, ...FLAGGED });
  await ended(black.page, /out of time$/u);
  const { page } = black;
  const before = await page.getByRole("grid").innerHTML();
  await page.getByRole("button", { name: "Why this result?" }).click();
  await page.getByRole("button", { name: "Show how" }).click();
  const proof = page.getByRole("group", { name: "The proof" });
  await proof.getByText(/^The game ended here\./u).waitFor();
  await proof.getByRole("button", { name: "One move forward in the proof" }).click();
  await announces(page, /^1 of \d+: .+ [a-h][1-8] to [a-h][1-8]/u);
  expect(await page.getByRole("grid").innerHTML()).not.toBe(before);
  await isClean(page, "a proof");
  await proof.getByRole("button", { name: "Last position of the game" }).click();
  await proof.getByText(/^The game ended here\./u).waitFor();
  await proof.getByRole("button", { name: "Play it out" }).click();
  await announces(page, /, checkmate$/u);
  await proof.getByText(/, checkmate$/u).waitFor();
  await page.getByRole("gridcell", { name: /white king, in check/u }).waitFor();
  await proof.getByRole("button", { name: "Play it out" }).waitFor();
  await page.keyboard.press("Home");
  await proof.getByText(/^The game ended here\./u).waitFor();
  await page.keyboard.press("End");
  await proof.getByText(/, checkmate$/u).waitFor();
  await page.keyboard.press("Escape");
  await ended(page, "You win");
  expect(await page.getByRole("grid").innerHTML()).toBe(before);
  await type(page, "proof");
  await proof.waitFor();
  await proof.getByRole("button", { name: "Back to the result" }).click();
  await ended(page, "You win");
  expect([...white.errors, ...black.errors]).toEqual([]);
});

test("where checkmate was impossible, the sentence says why, and there is nothing to play out", {
  tags: "nightly",
}, async () => {
  const { white, black } = await startGame(server, { fen: "8/8/8/4k3/8/8/3P4/3K4 w - - 0 1" });
  await resign(white.page);
  const why = "One side gave the game up, but the other cannot checkmate: a draw. The material left does not allow it.";
  await ended(black.page, why);
  expect([await black.page.getByRole("button", { name: "Show how" }).count(), await pieceOn(black.page, "d2")]).toEqual(
    [0, "wp"],
  );
  await square(black.page, "d2").waitFor();
  await type(black.page, "status");
  await announces(black.page, `Draw. Resignation. ${why}`);
});
