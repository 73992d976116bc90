/** The fields of a form as the body of a request: a password as it was typed, all else without white space around it. */
export function bodyOf(form: FormData): Record<string, string> {
  const { username: _, ...body } = Object.fromEntries(
    [...form].map(([name, value]) => [name, name.includes("password") ? String(value) : String(value).trim()]),
  );
  return body;
}
