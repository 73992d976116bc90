/** Whether a word in the field for a player or an opening means the one or the other. */
import { afterEach, expect, test, vi } from "vitest";
import { conditionOf, findEither, whichOf } from "../src/view/archive/either";

afterEach(() => void vi.unstubAllGlobals());

/** The server knows an account, a player of imported games, and openings; `isDown`: paths that it does not answer. */
function serve(isDown: (path: string) => boolean = () => false): void {
  vi.stubGlobal("fetch", (path: string) => {
    if (isDown(path)) return Promise.reject(new Error("no server"));
    const part = new URL(path, "http://test").searchParams.get("name")?.toLowerCase() ?? "";
    const begins = (names: readonly string[]) => names.filter((name) => name.toLowerCase().startsWith(part));
    if (path.startsWith("/api/players"))
      return Promise.resolve(
        Response.json({ players: begins(["Caro_Fan"]).map((name) => ({ account: name, name, here: false })) }),
      );
    if (path.startsWith("/api/games/names")) return Promise.resolve(Response.json({ names: begins(["Morphy,Paul"]) }));
    const names = ["Caro-Kann Defense", "Italian Game"].filter((name) => name.toLowerCase().includes(part));
    return Promise.resolve(Response.json({ openings: names.map((name) => ({ eco: "B10", name, moves: ["e4"] })) }));
  });
}

test("a player comes before an opening, and what nobody is called is one", async () => {
  serve();
  expect(await Promise.all(["caro", "Morphy", "Caro-Kann", "italian", "Nobody"].map(whichOf))).toEqual([
    "player",
    "player",
    "opening",
    "opening",
    "player",
  ]);
});

test("moves are an opening, which the server is not asked", async () => {
  serve(() => true);
  expect(await Promise.all(["1. e4 c5", "d4", "Nobody"].map(whichOf))).toEqual(["opening", "opening", "player"]);
});

test("where one of both cannot be found the other is all the same", async () => {
  serve((path) => path.startsWith("/api/openings"));
  expect(await findEither("caro")).toMatchObject({ value: { people: { players: [{ name: "Caro_Fan" }] } } });
  serve((path) => !path.startsWith("/api/openings"));
  expect(await whichOf("italian")).toBe("opening");
});

test("a list is searched for it, unless that is not wanted any more when it is known", async () => {
  serve();
  expect(await conditionOf(" Morphy ", () => true)).toEqual({ player: "Morphy" });
  expect(await conditionOf("1. e4 c5", () => true)).toEqual({ opening: "1. e4 c5" });
  expect(await conditionOf("  ", () => true)).toBeNull();
  // Whether it is wanted is looked at after the server has answered, and not before.
  let isWanted = true;
  const condition = conditionOf("Morphy", () => isWanted);
  isWanted = false;
  expect(await condition).toBeNull();
});
