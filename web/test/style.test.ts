/**
 * The style sheets against what a browser pays for: a `:has()` that asks for a place among siblings, for anything at all, or
 * for a modal dialog has whole parts of the page styled anew at each element that comes or goes. What is allowed is listed.
 */
import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";

const FOLDER = new URL("../src/style/", import.meta.url);

/** What stands in the brackets of each `:has()`, the brackets within included. */
function askedFor(css: string): string[] {
  return css
    .split(":has(")
    .slice(1)
    .map((rest) => {
      let depth = 1;
      let end = 0;
      while (depth > 0 && end < rest.length) {
        depth += rest[end] === "(" ? 1 : rest[end] === ")" ? -1 : 0;
        end += 1;
      }
      return rest.slice(0, end - 1);
    });
}

/** What is more than that, and stands where little comes and goes. */
const EXCEPTIONS = [
  // The names of a game in a list, whose rows come with both.
  "archive.css: + .opponent",
  // The ways to play, which are there from the start.
  "home.css: ~ .big, ~ .place",
  // The palette of the dialog in which a position is set up, which is small.
  "setUp.css: :checked",
  "setUp.css: :focus-visible",
];

/** What is left of it without what is cheap: attributes, classes, elements, and what stands within what. */
const restOf = (asked: string): string => asked.replace(/\[[^\]]*\]|\.?[a-z][\w-]*|[>,\s]/giu, "");

test("no :has() asks for more than classes, attributes and elements", () => {
  const sheets = readdirSync(FOLDER).filter((name) => name.endsWith(".css"));
  const found = sheets.flatMap((name) =>
    askedFor(readFileSync(new URL(name, FOLDER), "utf8"))
      .filter((asked) => restOf(asked) !== "")
      .map((asked) => `${name}: ${asked}`),
  );
  // Each exception is still needed.
  expect([...new Set(found)].sort()).toEqual(EXCEPTIONS);
});
