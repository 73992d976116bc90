/** Which players are suggested for what was typed of a name. */
import type { FoundPlayer } from "#protocol";
import { describe, expect, test } from "vitest";
import {
  SUGGESTED_MAX,
  beginningsOf,
  isBeginning,
  isGuestName,
  isNoName,
  isWhole,
  meant,
  suggested,
} from "../src/state/suggestions";

const player = (name: string, here = false): FoundPlayer => ({ account: `of ${name}`, name, here });
const names = (players: readonly FoundPlayer[]) => players.map(({ name }) => name);

describe("suggested are", () => {
  test("those whom one knows by any part of the name, then those whose names begin so", () => {
    const known = [player("Anna"), player("Susanna"), player("Bob")];
    expect(names(suggested("", known, []))).toEqual(["Anna", "Susanna", "Bob"]);
    expect(names(suggested(" aNN ", known, [player("Annika"), player("Anna", true)]))).toEqual([
      "Anna",
      "Susanna",
      "Annika",
    ]);
  });

  test("each once, with what the server says of them, and not too many", () => {
    expect(suggested("an", [player("Anna")], [player("Anna", true)])).toEqual([player("Anna", true)]);
    const many = Array.from({ length: 20 }, (_, n) => player(`Anna${n}`));
    expect(suggested("an", many, many)).toHaveLength(SUGGESTED_MAX);
  });
});

test("a name that stands there means whoever has it, else the only one suggested", () => {
  const [anna, annika] = [player("Anna"), player("Annika")];
  expect(meant("anna", [annika, anna])).toBe(anna);
  expect(meant("ann", [annika])).toBe(annika);
  expect(meant("ann", [annika, anna])).toBeNull();
  expect(meant("ann", [])).toBeNull();
});

test("a guest's name is known by its beginning, and nobody else's is near it", () => {
  for (const guest of ["gu", "GUEST", "guest-", " Guest-A6AEN"]) expect(isGuestName(guest), guest).toBe(true);
  for (const name of ["", "g", "Guests", "Gunnar"]) expect(isGuestName(name), name).toBe(false);
  expect(beginningsOf("Nimzo")).toEqual(["Nimzo", "Nimz", "Nim", "Ni"]);
  expect(beginningsOf("Nim")).toEqual(["Nim", "Ni"]);
  expect([beginningsOf("Guest-A6AEN"), beginningsOf("01935d2e-7f6b-7c3a-9a40-5b8c6d7e8f90")]).toEqual([[], []]);
});

test("the server is asked for what may be a beginning of a name", () => {
  for (const good of ["an", "A-1_b"]) expect(isBeginning(good)).toBe(true);
  for (const bad of ["", "a", "1a", "a b", "ä1", "a".repeat(21)]) expect(isBeginning(bad)).toBe(false);
  expect([isWhole("01935d2e-7f6b-7c3a-9a40-5b8c6d7e8f90"), isWhole("a b")]).toEqual([true, false]);
  for (const none of ["a b", "Dekker,M", "ä1"]) expect(isNoName(none), none).toBe(true);
  for (const some of ["", "ä", "an", "1a", "01935d2e-7f6b-7c3a-9a40-5b8c6d7e8f90"])
    expect(isNoName(some), some).toBe(false);
});
