/** Finished games of several searches as one list: in order, each once, bounded, and nothing lost when a request fails. */
import { expect, test } from "vitest";
import type { PlayedGame, PlayedGames } from "#protocol";
import type { Answer } from "../src/net/ask";
import { GameReader, REQUESTS_A_TURN } from "../src/net/gameReader";

const game = (id: string, ended: number) => ({ game: id, ended }) as PlayedGame;
const there = (games: PlayedGame[], next?: string): Answer<PlayedGames> => ({
  kind: "there",
  value: { games, ...(next === undefined ? {} : { next }) } as PlayedGames,
});
const ids = (games: Awaited<ReturnType<GameReader["turn"]>>) =>
  "kind" in games ? games.kind : games.map((one) => one.game);

test("two searches are one list, newest first", async () => {
  const pages: Record<string, Answer<PlayedGames>> = {
    "/api/games?w": there([game("a", 9), game("b", 4)], "4"),
    "/api/games?w&before=4": there([game("c", 1)]),
    "/api/games?b": there([game("d", 8), game("e", 3), game("f", 2)]),
  };
  const reader = new GameReader(["w", "b"], undefined, async (path) => pages[path] ?? { kind: "failed" });
  expect(ids(await reader.turn())).toEqual(["a", "d", "b", "e", "f", "c"]);
  expect([reader.isAtEnd, reader.looked]).toEqual([true, 6]);
  expect(await reader.turn()).toEqual([]);
});

test("a turn that finds nothing ends after so many requests, and the next goes on from there", async () => {
  let asked = 0;
  const reader = new GameReader(
    ["all"],
    (one) => one.game === "wanted",
    async () => {
      asked += 1;
      return asked === REQUESTS_A_TURN + 2
        ? there([game("wanted", 0)])
        : there([game("x", 100 - asked)], String(asked));
    },
  );
  expect([await reader.turn(), reader.isAtEnd, asked]).toEqual([[], false, REQUESTS_A_TURN]);
  expect(ids(await reader.turn())).toEqual(["wanted"]);
  expect([reader.isAtEnd, reader.looked]).toEqual([true, REQUESTS_A_TURN + 2]);
});

test("what was found before a request failed comes with the next turn", async () => {
  const answers: Answer<PlayedGames>[] = [
    there([game("a", 2)], "2"),
    { kind: "later", seconds: 3 },
    there([game("b", 1)]),
  ];
  const reader = new GameReader(["all"], undefined, async () => answers.shift() ?? { kind: "failed" });
  expect(ids(await reader.turn())).toBe("later");
  expect(ids(await reader.turn())).toEqual(["a", "b"]);
});
