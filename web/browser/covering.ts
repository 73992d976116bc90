/**
 * Windows that several tests look at; and how much of a covering set a run looks at: all of it in the nightly step, and
 * in the default one a few members. Both run the same tests.
 */
export function covering<T>(all: readonly T[], few: readonly T[]): readonly T[] {
  return process.env.ZEITNOT_COVER_ALL === "1" ? all : few;
}

/** A phone on its side, a desk at 200 %, and a phone that shows its keyboard. */
export const LOW_WINDOWS = [
  [667, 375],
  [720, 450],
  [412, 420],
] as const;
