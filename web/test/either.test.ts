/** What a word in the field for a player or an opening means beyond doubt, and what is found by it. */
import { afterEach, expect, test, vi } from "vitest";
import { type Condition, meantBy } from "../src/view/archive/either";
import { arePartOfNames, findAbout, findEither } from "../src/view/archive/found";

afterEach(() => void vi.unstubAllGlobals());

const meanings = (words: readonly string[]): Promise<readonly (Condition | null)[]> =>
  Promise.all(words.map((word) => meantBy(word)));

/** The server knows an account, a player of imported games, and openings; `isDown`: paths that it does not answer. */
function serve(isDown: (path: string) => boolean = () => false): void {
  vi.stubGlobal("fetch", (path: string) => {
    if (isDown(path)) return Promise.reject(new Error("no server"));
    const part = new URL(path, "http://test").searchParams.get("name")?.toLowerCase() ?? "";
    const begins = (names: readonly string[]) => names.filter((name) => name.toLowerCase().startsWith(part));
    if (path.startsWith("/api/games/count"))
      return Promise.resolve(Response.json({ games: 30, white_wins: 12, draws: 8, black_wins: 5, others: 5 }));
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
  expect(await meanings(["caro_fan", "Morphy", "italian game", "b10"])).toEqual([
    { player: "Caro_Fan" },
    { player: "Morphy,Paul" },
    { opening: "italian game" },
    { opening: "b10" },
  ]);
});

test("what may mean a player or an opening, or several openings, or nobody, is left to whoever asks", async () => {
  serve();
  expect(await meanings(["caro", "Caro-Kann", "Nobody", ""])).toEqual([null, null, null, null]);
});

test("moves are an opening, which the server is not asked; where it does not answer a player is looked for", async () => {
  serve(() => true);
  expect(await meanings(["1. e4 c5", "d4", "Nobody", "N"])).toEqual([
    { opening: "1. e4 c5" },
    { opening: "d4" },
    { player: "Nobody" },
    { player: "N" },
  ]);
});

test("nothing is meant beyond doubt where the server has not said of both what there is", async () => {
  serve((path) => path.startsWith("/api/openings"));
  expect(await meanings(["caro_fan", "Morphy"])).toEqual([null, null]);
  serve((path) => !path.startsWith("/api/openings"));
  expect(await meanings(["italian game", "b10"])).toEqual([null, null]);
});

test("what was found by the same word is not asked for again", async () => {
  serve();
  const found = await findEither("Morphy");
  serve(() => true);
  expect(await meantBy("Morphy", found.kind === "there" ? found.value : null)).toEqual({ player: "Morphy,Paul" });
});

test("of what is found the ratings that say most are told, and how many games with a result had the opening", async () => {
  serve();
  const found = await findEither("caro");
  expect(found).toMatchObject({
    value: { people: { players: [{ name: "Caro_Fan" }] }, openings: [{ name: "Caro-Kann Defense" }] },
  });
  if (found.kind !== "there") throw new Error(found.kind);
  const ratings = new Map([["Caro_Fan", { rating: 1700 }]]);
  expect(await findAbout("caro", found.value, true)).toMatchObject({ value: { ratings, games: 25 } });
  expect(await findAbout("caro", found.value, false)).toMatchObject({ value: { ratings, games: null } });
});

test("words are a part of openings' names unless there is none, one is called just so, or they are a code", () => {
  const openings = [{ eco: "B10", name: "Caro-Kann Defense", moves: "e4 c6" }];
  expect(["caro", "kann def", "caro-kann defense", "b10"].map((words) => arePartOfNames(words, openings))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([arePartOfNames("Sought_After", []), arePartOfNames("caro", null)]).toEqual([false, false]);
});

test("where one of both cannot be found the other is all the same, and nothing is known of the first", async () => {
  serve((path) => path.startsWith("/api/openings"));
  expect(await findEither("caro")).toMatchObject({
    value: { people: { players: [{ name: "Caro_Fan" }] }, openings: null },
  });
  serve((path) => !path.startsWith("/api/openings"));
  expect(await findEither("italian")).toMatchObject({ value: { people: null, openings: [{ name: "Italian Game" }] } });
});
