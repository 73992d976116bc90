/**
 * A form that is sent to the server: fields, what is wrong with them, and whether the answer is under way.
 *
 * What is typed stays in the fields and is read when the form is sent, so that password managers find plain inputs. An
 * error is said once, with the focus on the field that it is about, and is taken back as soon as it is no longer true. If the
 * account has a second factor, its field appears after the server has asked for it.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Sent } from "../../net/api";
import { useText } from "../context";
import { Field, type FieldProps } from "./Field";
import { type Problem, fieldOf, findProblem, isStillWrong, showProblem } from "./problem";

interface Props<T> {
  readonly fields: readonly FieldProps[];
  readonly submit: string;
  readonly danger?: boolean;
  /** Between the fields and the button. */
  readonly children?: ComponentChildren;
  /** For the password manager, where the form does not ask for it. */
  readonly username?: string;
  cancel?(): void;
  /** A further check of what is typed; the code of the problem. */
  check?(form: FormData): string | null;
  send(form: FormData): Promise<Sent<T>>;
  done(value: T, form: FormData): void;
}

const SECOND_FACTOR = "second_factor";

export function Form<T>({ fields, submit, danger, children, username, cancel, check, send, done }: Props<T>) {
  const text = useText();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isUnderWay, setUnderWay] = useState(false);
  const [asksFactor, setAsksFactor] = useState(false);
  const { fields: names, sending, cancel: cancelLabel } = text.account;
  const factor: FieldProps = {
    name: SECOND_FACTOR,
    label: names.secondFactor,
    kind: "code",
    hint: names.secondFactorHint,
  };
  const all = asksFactor && fields.every((field) => field.name !== SECOND_FACTOR) ? [...fields, factor] : fields;
  const wrong = problem && fieldOf(problem, all);
  // A form appears when somebody asks for it.
  useEffect(() => form.current?.querySelector<HTMLElement>("input:not([hidden]), button")?.focus(), []);
  useEffect(() => {
    if (wrong) form.current?.querySelector<HTMLInputElement>(`[name="${wrong}"]`)?.focus();
  }, [problem]);
  const find = (typed: FormData): Problem | null => {
    const code = check?.(typed) ?? null;
    const found = findProblem(all, typed) ?? (code === null ? null : { code, wait: null });
    return found && { ...found, isOurs: true };
  };
  const changed = ({ target }: Event): void => {
    if (!problem || !form.current || !(target instanceof HTMLInputElement)) return;
    if (!isStillWrong(problem, find(new FormData(form.current)), target.name, all)) setProblem(null);
  };
  const submitted = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isUnderWay || !form.current) return;
    const typed = new FormData(form.current);
    const found = find(typed);
    if (found) return setProblem(found);
    setProblem(null);
    setUnderWay(true);
    const sent = await send(typed);
    setUnderWay(false);
    if (sent.ok) return done(sent.value, typed);
    if (sent.code === "second_factor_needed") setAsksFactor(true);
    setProblem(sent);
  };
  return (
    <form ref={form} class="form" onSubmit={(event) => void submitted(event)} onInput={changed} noValidate>
      {username !== undefined && (
        <input type="text" name="username" autocomplete="username" value={username} readOnly hidden />
      )}
      {all.map((field) => (
        <Field key={field.name} {...field} error={wrong === field.name ? `${id}-wrong` : null} />
      ))}
      {children}
      <p id={`${id}-wrong`} class="wrong" role="alert">
        {problem ? showProblem(text, problem) : ""}
      </p>
      <div class="row">
        <button type="submit" class={danger ? "danger" : "primary"} aria-disabled={isUnderWay}>
          {isUnderWay ? sending : submit}
        </button>
        {cancel && (
          <button type="button" onClick={cancel}>
            {cancelLabel}
          </button>
        )}
      </div>
    </form>
  );
}
