/** What is wrong with a form: by the server's code, or before it is sent; and for how long. Pure. */
import { wrongPassword } from "../../state/account";
import type { Catalogue } from "../../text";
import type { FieldKind, FieldProps } from "./Field";

export interface Problem {
  readonly code: string;
  /** The seconds after which it may be tried again. */
  readonly wait: number | null;
  /** The field, where the code does not tell it. */
  readonly field?: string;
  /** Whether the page has found it, which then sees when it is right. */
  readonly isOurs?: boolean;
}

/** The kind of field that a code is about. */
const KIND_OF: Readonly<Record<string, FieldKind>> = {
  bad_name: "name",
  name_taken: "name",
  other_name: "text",
  unknown_account: "name",
  bad_password: "new",
  short_password: "new",
  long_password: "new",
  password_is_name: "new",
  wrong_password: "present",
  wrong_name_or_password: "present",
  wrong_code: "code",
  second_factor_needed: "code",
  wrong_second_factor: "code",
};

/** The name of the field that a problem is about. The second factor comes last, after a recovery code. */
export function fieldOf({ code, field }: Problem, fields: readonly FieldProps[]): string | null {
  if (field !== undefined) return field;
  const kind = KIND_OF[code];
  const found = fields.filter((one) => one.kind === kind);
  return (code === "wrong_code" ? found[0] : found[found.length - 1])?.name ?? null;
}

/** What can be known to be wrong before the form is sent. */
export function findProblem(fields: readonly FieldProps[], form: FormData): Problem | null {
  const typed = (name: string): string => String(form.get(name) ?? "");
  const name = typed(fields.find((field) => field.kind === "name")?.name ?? "username");
  for (const field of fields) {
    const value = typed(field.name);
    if (!field.optional && value.trim() === "") return { code: "missing", wait: null, field: field.name };
    const code = field.kind === "new" ? wrongPassword(value, name) : null;
    if (code) return { code, wait: null };
  }
  return null;
}

/**
 * Whether a problem is still true after something was typed into the field `typed`: one that the page has found while it
 * finds it again, one of the server until its field is changed. `found`: what the page finds now.
 */
export function isStillWrong(
  problem: Problem,
  found: Problem | null,
  typed: string,
  all: readonly FieldProps[],
): boolean {
  if (problem.isOurs) return found?.code === problem.code && found.field === problem.field;
  // What does not fit together may be put right in either field.
  const isOfAll = problem.code.startsWith("wrong_");
  return fieldOf(problem, all) === null || !(isOfAll || fieldOf(problem, all) === typed);
}

export function showProblem(text: Catalogue, { code, wait }: Problem): string {
  const known: Readonly<Record<string, string>> = { ...text.codes, ...text.account.codes };
  const why = known[code] ?? text.codes.unavailable;
  return wait === null ? why : `${why} ${text.account.tryAgainIn(wait)}`;
}
