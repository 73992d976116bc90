/**
 * What the nightly step looks at beyond the default one: covering sets, whole, and further sides of a promise. The
 * default step looks at the members that have shown most of the faults. Both run the same tests.
 */
import { test } from "vitest";

const IS_NIGHTLY = process.env.ZEITNOT_COVER_ALL === "1";

export function covering<T>(all: readonly T[], few: readonly T[]): readonly T[] {
  return IS_NIGHTLY ? all : few;
}

/** A test of another side of a promise, which a test of the default step keeps as well. */
export const nightly = test.runIf(IS_NIGHTLY);

/** A phone on its side, a desk at 200 %, and a phone that shows its keyboard. */
export const LOW_WINDOWS = [
  [667, 375],
  [720, 450],
  [412, 420],
] as const;
