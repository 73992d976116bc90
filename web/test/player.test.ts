/** What the page of a player begins with: which of the games in progress are shown. */
import { afterEach, expect, test, vi } from "vitest";
import { readPlayer } from "../src/net/player";
import { BLACK, WHITE, snapshot } from "./scene";

afterEach(() => void vi.unstubAllGlobals());

const BOT = { account: BLACK, name: "Computer-1", bot: true };
const over = { phase: "ended", outcome: { score: "1-0", reason: "resignation" } } as const;

/** By id; what is not here cannot be read. */
const GAMES: Readonly<Record<string, object>> = {
  GOINGON00001: snapshot({ game: "GOINGON00001" }),
  OVER00000001: snapshot({ game: "OVER00000001", state: over }),
  UNBEGUN00001: snapshot({ game: "UNBEGUN00001", ply_count: 1, players: { ...snapshot().players, black: BOT } }),
  AGAINSTABOT1: snapshot({ game: "AGAINSTABOT1", ply_count: 2, players: { ...snapshot().players, black: BOT } }),
};

function serve(live: readonly string[]): void {
  vi.stubGlobal("fetch", (path: string) => {
    const id = path.split("/").at(-1) ?? "";
    if (path === "/api/players/One") return Promise.resolve(Response.json({ account: WHITE, name: "One", live }));
    const game = GAMES[id];
    if (id === "UNREACHABLE1") return Promise.reject(new Error("no server"));
    return Promise.resolve(game ? Response.json(game) : Response.json({}, { status: 404 }));
  });
}

const shown = async () => (await readPlayer("One"))?.live.map(({ game }) => game);

test("games of people are shown, and against a program those that have begun", async () => {
  serve(["GOINGON00001", "UNBEGUN00001", "AGAINSTABOT1"]);
  expect(await shown()).toEqual(["GOINGON00001", "AGAINSTABOT1"]);
});

test("at most four are shown, and those without anything to see take no place of others", async () => {
  serve(["UNBEGUN00001", "UNBEGUN00001", "UNBEGUN00001", "OVER00000001", "GOINGON00001"]);
  expect(await shown()).toEqual(["GOINGON00001"]);
  serve(Array(6).fill("GOINGON00001"));
  expect(await shown()).toHaveLength(4);
});

test("one that is over, or that cannot be read, is left out, and nobody's page is nobody's", async () => {
  serve(["OVER00000001", "UNREACHABLE1", "MISSING00001"]);
  expect(await shown()).toEqual([]);
  expect(await readPlayer("Nobody")).toBeNull();
});
