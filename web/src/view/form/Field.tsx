/** One field of a form: its label, a hint, and for a password the button that shows it. */
import { useId, useState } from "preact/hooks";
import { PASSWORD_CHARS_MIN } from "../../state/account";
import { useText } from "../context";
import { Icon } from "../Icon";

/** `name`: of an account; `present` and `new`: a password that there is, and one that is set; `code`: a one-time code. */
export type FieldKind = "name" | "present" | "new" | "code" | "text";

export interface FieldProps {
  /** The field of the request. */
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly hint?: string;
  readonly value?: string;
  readonly longest?: number;
  /** Whether it may be left empty. */
  readonly optional?: boolean;
}

/** What password managers and phones know a field by. */
const COMPLETE: Readonly<Record<FieldKind, string>> = {
  name: "username",
  present: "current-password",
  new: "new-password",
  code: "one-time-code",
  text: "off",
};

/** `error`: the id of the sentence that says what is wrong with it. */
export function Field({ name, label, kind, hint, value, longest, error }: FieldProps & { error: string | null }) {
  const id = useId();
  const [isShown, show] = useState(false);
  const [length, setLength] = useState(0);
  const isPassword = kind === "present" || kind === "new";
  const isShort = kind === "new" && length > 0 && length < PASSWORD_CHARS_MIN;
  // What is wrong with a new password says its rule.
  const isRuleTold = kind === "new" && length > 0 && error !== null;
  const described = [hint === undefined || isRuleTold ? "" : `${id}-hint`, error ?? ""].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="with-button">
        <input
          id={id}
          name={name}
          type={(isPassword && !isShown ? "password" : "text") as "text"}
          class="grow"
          autocomplete={COMPLETE[kind]}
          autocapitalize="off"
          spellcheck={kind === "text"}
          defaultValue={value ?? ""}
          aria-invalid={error !== null}
          {...(longest === undefined ? {} : { maxLength: longest })}
          {...(described ? { "aria-describedby": described } : {})}
          onInput={(event) => kind === "new" && setLength([...event.currentTarget.value].length)}
        />
        {isPassword && <ShowButton isShown={isShown} flip={() => show(!isShown)} />}
      </div>
      {hint !== undefined && !isRuleTold && (
        <div class="hint">
          <p id={`${id}-hint`} class={isShort ? "quiet hidden" : "quiet"}>
            {hint}
          </p>
          {isShort && <Length n={length} />}
        </div>
      )}
    </div>
  );
}

function ShowButton({ isShown, flip }: { isShown: boolean; flip(): void }) {
  const text = useText().account.fields;
  return (
    <button type="button" aria-pressed={isShown} aria-label={text.show} title={text.show} onClick={flip}>
      <Icon name={isShown ? "seen" : "unseen"} />
    </button>
  );
}

/** How far a new password is from long enough: for eyes, in the place of the hint, which says the rule. */
function Length({ n }: { n: number }) {
  const text = useText().account.fields;
  return (
    <p class="quiet" aria-hidden="true">
      {text.length(n)}
    </p>
  );
}
