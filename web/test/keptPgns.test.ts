/** The PGNs that a tab keeps for their addresses: the last ones, each under a key of its own, in storages that are not trusted. */
import { expect, test } from "vitest";
import { readPgn } from "../src/chess/pgn";
import { PGNS_KEPT, keepPgn, loadPgn } from "../src/net/keptPgns";
import { OPERA_GAME, OPERA_KEY } from "../src/state/operaGame";
import { storage } from "./storage";

test("each text has its key, and the same text the same one", () => {
  const kept = storage();
  expect(["1. e4", "1. d4", "1. e4"].map((text) => keepPgn(kept, text))).toEqual(["1", "2", "1"]);
  expect(["1", "2", "3"].map((key) => loadPgn(kept, key))).toEqual(["1. e4", "1. d4", null]);
});

test("the last ones are kept, and of a full storage fewer", () => {
  const kept = storage();
  const keys = Array.from({ length: PGNS_KEPT + 1 }, (_, at) => keepPgn(kept, `1. e4 {${at}}`));
  expect([loadPgn(kept, keys[0] ?? ""), loadPgn(kept, keys[1] ?? "")]).toEqual([null, "1. e4 {1}"]);
  const small = storage({ room: 60 });
  const [first = "", second = ""] = ["1. e4 e5 2. Nf3 Nc6 3. Bb5", "1. d4 d5 2. c4 e6 3. Nc3"].map((one) =>
    keepPgn(small, one),
  );
  expect([loadPgn(small, first), loadPgn(small, second)]).toEqual([null, "1. d4 d5 2. c4 e6 3. Nc3"]);
});

test("without a storage the last one is there, and what is no PGN is left out", () => {
  const none = storage({ room: 0 });
  expect(loadPgn(none, keepPgn(none, "1. c4"))).toBe("1. c4");
  const foreign = storage({
    room: 0,
    stored: { "zeitnot.pgns": JSON.stringify([{ key: 7, text: "1. e4" }, { key: "8" }, null]) },
  });
  expect(["7", "8"].map((key) => loadPgn(foreign, key))).toEqual([null, null]);
});

test("the famous game of the home page is there in every tab, and no text gets its key", () => {
  const pgn = readPgn(loadPgn(storage(), OPERA_KEY) ?? "");
  expect(pgn).toMatchObject({
    headers: { White: "Paul Morphy", Result: "1-0" },
    moves: OPERA_GAME.moves.map(({ san }) => ({ san })),
  });
  expect(keepPgn(storage(), "1. e4")).not.toBe(OPERA_KEY);
});
