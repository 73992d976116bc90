/** What a word in the field for a player or an opening means beyond doubt, and what is found by it. */
import { afterEach, expect, test, vi } from "vitest";
import { meantBy } from "../src/view/archive/either";
import { findEither } from "../src/view/archive/found";

afterEach(() => void vi.unstubAllGlobals());

/** The server knows an account, a player of imported games, and openings; `isDown`: paths that it does not answer. */
function serve(isDown: (path: string) => boolean = () => false): void {
  vi.stubGlobal("fetch", (path: string) => {
    if (isDown(path)) return Promise.reject(new Error("no server"));
    const part = new URL(path, "http://test").searchParams.get("name")?.toLowerCase() ?? "";
    const begins = (names: readonly string[]) => names.filter((name) => name.toLowerCase().startsWith(part));
    if (path.startsWith("/api/games/count")) return Promise.resolve(Response.json({ games: 25 }));
    if (path.startsWith("/api/players/"))
      return Promise.resolve(
        Response.json({
          account: "Caro_Fan",
          ratings: [
            { category: "blitz", rating: 1650, games: 3 },
            { category: "rapid", rating: 1700, games: 9 },
          ],
        }),
      );
    if (path.startsWith("/api/players"))
      return Promise.resolve(
        Response.json({ players: begins(["Caro_Fan"]).map((name) => ({ account: name, name, here: false })) }),
      );
    if (path.startsWith("/api/games/names")) return Promise.resolve(Response.json({ names: begins(["Morphy,Paul"]) }));
    const names = ["Caro-Kann Defense", "Italian Game"].filter(
      (name) => part === "b10" || name.toLowerCase().includes(part),
    );
    return Promise.resolve(Response.json({ openings: names.map((name) => ({ eco: "B10", name, moves: ["e4"] })) }));
  });
}

test("a whole name or code means what has it, and the beginning of one name that player where no opening is called so", async () => {
  serve();
  expect(await Promise.all(["caro_fan", "Morphy", "italian game", "b10"].map(meantBy))).toEqual([
    { player: "Caro_Fan" },
    { player: "Morphy,Paul" },
    { opening: "italian game" },
    { opening: "b10" },
  ]);
});

test("what may mean a player or an opening, or several openings, or nobody, is left to whoever asks", async () => {
  serve();
  expect(await Promise.all(["caro", "Caro-Kann", "Nobody", "  "].map(meantBy))).toEqual([null, null, null, null]);
});

test("moves are an opening, which the server is not asked; where it does not answer a player is looked for", async () => {
  serve(() => true);
  expect(await Promise.all([" 1. e4 c5 ", "d4", "Nobody"].map(meantBy))).toEqual([
    { opening: "1. e4 c5" },
    { opening: "d4" },
    { player: "Nobody" },
  ]);
});

test("players are found with the rating that says most of them, and openings with the number of their games", async () => {
  serve();
  expect(await findEither("caro")).toMatchObject({
    value: {
      people: { players: [{ name: "Caro_Fan" }], ratings: new Map([["Caro_Fan", { rating: 1700 }]]) },
      openings: [{ name: "Caro-Kann Defense" }],
      games: 25,
    },
  });
});

test("where one of both cannot be found the other is all the same", async () => {
  serve((path) => path.startsWith("/api/openings"));
  expect(await findEither("caro")).toMatchObject({ value: { people: { players: [{ name: "Caro_Fan" }] } } });
  serve((path) => !path.startsWith("/api/openings"));
  expect(await findEither("italian")).toMatchObject({ value: { openings: [{ name: "Italian Game" }], games: null } });
});
