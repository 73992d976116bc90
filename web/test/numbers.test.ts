/** Fractions in each language, and that a formatter is made once. */
import { expect, test, vi } from "vitest";
import { showFraction, showPercent, showWhole } from "../src/text/numbers";

test("a fraction has its language's decimal mark and as many digits as asked for", () => {
  expect(showFraction("en", 0.5, 1)).toBe("0.5");
  expect(showFraction("de", 3, 1)).toBe("3,0");
  expect(showFraction("fr", 1234.56, 0, 1)).toBe("1234,6");
  expect(showFraction("es", 2, 0, 2)).toBe("2");
});

test("the thousands of a count are set apart as the language does", () => {
  expect([showWhole("en", 1518), showWhole("de", 1518)]).toEqual(["1,518", "1.518"]);
});

test("a percentage has the space that its language has", () => {
  expect([showPercent("en", 39), showPercent("de", 39)]).toEqual(["39%", "39\u00a0%"]);
});

test("a list of moves makes one formatter", () => {
  const real = new Intl.NumberFormat("en");
  const made = vi.spyOn(Intl, "NumberFormat").mockImplementation(function give() {
    return real;
  });
  for (let took = 0; took < 200; took += 1) showFraction("en-GB", took / 10, 1);
  expect(made).toHaveBeenCalledTimes(1);
  made.mockRestore();
});
