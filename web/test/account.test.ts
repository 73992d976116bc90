/** One's own account: who one is on this page, what may be set, and what is said to be wrong. */
import type { Welcome } from "#protocol";
import { describe, expect, test, vi } from "vitest";
import { NO_SERVER, sendJson } from "../src/net/api";
import { reduce } from "../src/reducer";
import { wrongPassword } from "../src/state/account";
import { type App, firstApp } from "../src/state/app";
import { DEFAULT_SETTINGS } from "../src/state/settings";
import { ENGLISH, LANGUAGES, loadCatalogue } from "../src/text";
import { type Problem, fieldOf, findProblem, isStillWrong } from "../src/view/form/problem";
import type { FieldProps } from "../src/view/form/Field";
import { AT, BLACK, GAME, WHITE, snapshot } from "./scene";

const NAME: FieldProps = { name: "name", label: "", kind: "name" };
const PRESENT: FieldProps = { name: "password", label: "", kind: "present" };
const NEW: FieldProps = { name: "new_password", label: "", kind: "new" };
const CODE: FieldProps = { name: "code", label: "", kind: "code" };
const FACTOR: FieldProps = { name: "second_factor", label: "", kind: "code" };

function form(fields: Record<string, string>): FormData {
  const typed = new FormData();
  for (const [name, value] of Object.entries(fields)) typed.set(name, value);
  return typed;
}

test("a password has 10 to 128 characters and is not the name, in whatever case, and what is wrong is named", () => {
  expect(wrongPassword("123456789", "Rook")).toBe("short_password");
  expect(wrongPassword("1234567890", "Rook")).toBeNull();
  expect(wrongPassword("é".normalize("NFD").repeat(9), "Rook")).toBe("short_password");
  expect(wrongPassword("♞".repeat(128), "Rook")).toBeNull();
  expect(wrongPassword("x".repeat(129), "Rook")).toBe("long_password");
  expect(wrongPassword("ROOK_AND_ROLL", "Rook_And_Roll")).toBe("password_is_name");
});

test("every language has a text for each code of the forms", async () => {
  const codes = Object.keys(ENGLISH.account.codes).sort();
  expect(codes).toEqual(expect.arrayContaining(["long_password", "password_is_name", "short_password"]));
  for (const language of LANGUAGES)
    expect(Object.keys((await loadCatalogue(language)).account.codes).sort(), language).toEqual(codes);
});

describe("a form", () => {
  test("is not sent with an empty field, or with a new password that cannot be", () => {
    expect(findProblem([NAME, PRESENT], form({ name: " ", password: "x" }))).toMatchObject({ field: "name" });
    expect(findProblem([NAME, NEW], form({ name: "Rook", new_password: "short" }))).toMatchObject({
      code: "short_password",
    });
    expect(findProblem([NAME, NEW], form({ name: "Rook", new_password: "long enough" }))).toBeNull();
    expect(findProblem([{ ...FACTOR, optional: true }], form({ second_factor: "" }))).toBeNull();
  });

  test("takes back what is wrong as soon as it is not: what the page sees, and what the server said of a field", () => {
    const still = (problem: Partial<Problem>, typed: string, found: Problem | null = null) =>
      isStillWrong({ code: "bad_password", wait: null, ...problem }, found, typed, [NAME, NEW]);
    expect(still({ isOurs: true }, "new_password", { code: "bad_password", wait: null })).toBe(true);
    expect(still({ isOurs: true }, "new_password")).toBe(false);
    expect(still({ isOurs: true, code: "missing", field: "name" }, "name", { code: "bad_password", wait: null })).toBe(
      false,
    );
    expect(still({ code: "name_taken" }, "new_password")).toBe(true);
    expect(still({ code: "name_taken" }, "name")).toBe(false);
    expect(still({ code: "too_many_attempts" }, "name")).toBe(true);
    const isStill = isStillWrong({ code: "wrong_name_or_password", wait: null }, null, "name", [NAME, PRESENT]);
    expect(isStill).toBe(false);
  });

  test("knows the field that a code is about", () => {
    const fields = [NAME, CODE, NEW, FACTOR];
    const about = (code: string) => fieldOf({ code, wait: null }, fields);
    expect(about("name_taken")).toBe("name");
    for (const code of ["bad_password", "short_password", "long_password", "password_is_name"])
      expect(about(code)).toBe("new_password");
    expect(about("wrong_code")).toBe("code");
    expect(about("wrong_second_factor")).toBe("second_factor");
    expect(about("too_many_attempts")).toBeNull();
  });
});

describe("a request", () => {
  const answers = (answer: Response) => vi.stubGlobal("fetch", () => Promise.resolve(answer));

  test("that is rejected has a code, and the seconds to wait", async () => {
    answers(Response.json({ code: "too_many_attempts" }, { status: 429, headers: { "retry-after": "40" } }));
    expect(await sendJson("POST", "/api/x", {})).toEqual({ ok: false, code: "too_many_attempts", wait: 40 });
    answers(Response.json({ code: "wrong_password" }, { status: 403 }));
    expect(await sendJson("POST", "/api/x", {})).toEqual({ ok: false, code: "wrong_password", wait: null });
    vi.unstubAllGlobals();
  });

  test("is answered with what is in the body, or with nothing", async () => {
    answers(Response.json({ codes: ["a"] }));
    expect(await sendJson("POST", "/api/x", {})).toEqual({ ok: true, value: { codes: ["a"] } });
    answers(new Response(null, { status: 204 }));
    expect(await sendJson("DELETE", "/api/x")).toEqual({ ok: true, value: null });
    vi.unstubAllGlobals();
  });

  test("that reaches no server, or something else, throws nothing", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("network")));
    expect(await sendJson("POST", "/api/x")).toEqual({ ok: false, code: NO_SERVER, wait: null });
    answers(new Response("<h1>Bad gateway</h1>", { status: 502 }));
    expect(await sendJson("POST", "/api/x")).toEqual({ ok: false, code: NO_SERVER, wait: null });
    vi.unstubAllGlobals();
  });
});

describe("who one is", () => {
  const welcome = (account: string | null): Welcome => ({ account, boot: "b", epoch: "e", limits: {} as never });
  const meet = (before: App, account: string | null) => {
    const { app } = reduce(before, { on: "welcome", welcome: welcome(account) });
    const message = { t: "welcome", d: welcome(account) } as const;
    return reduce(app, { on: "message", message, arrival: AT, answers: null, now: 0 });
  };
  const first = firstApp(DEFAULT_SETTINGS, { at: "game", id: GAME });

  test("is asked once after the welcome, and again after another name", () => {
    const { app, effects } = meet(first, WHITE);
    expect(effects).toContainEqual({ do: "fetchKind" });
    const known = reduce(app, { on: "kind", kind: "guest" }).app;
    expect(meet(known, WHITE).effects).not.toContainEqual({ do: "fetchKind" });
    const message = { t: "name", d: { name: "Rook" } } as const;
    const named = reduce(known, { on: "message", message, arrival: AT, answers: null, now: 0 });
    expect(named.effects).toContainEqual({ do: "fetchKind" });
    expect(meet(first, null).effects).not.toContainEqual({ do: "fetchKind" });
  });

  test("another account begins with nothing of the last one's, but with the page and its settings", () => {
    const message = { t: "snapshot", d: snapshot() } as const;
    const mine = reduce(reduce(meet(first, WHITE).app, { on: "kind", kind: "guest" }).app, {
      on: "message",
      message,
      arrival: AT,
      answers: null,
      now: 0,
    }).app;
    expect(meet(mine, WHITE).app.games[GAME]).toBeDefined();
    for (const account of [BLACK, null]) {
      const { app } = meet(mine, account);
      expect([app.account, app.games, app.people.kind]).toEqual([account, {}, null]);
      expect([app.route, app.settings]).toEqual([mine.route, mine.settings]);
    }
  });
});
