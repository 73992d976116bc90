/**
 * Recovery codes, which are shown once: to copy, to save, and a question that shows that they were kept. Whoever has no time
 * now makes new ones later.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { isSameCode } from "../../state/account";
import { useStore, useText } from "../context";
import { CopyButton } from "../CopyButton";
import { Form } from "../form/Form";

/** The code that is asked for: neither the first nor the last, which one might remember. */
const ASKED = 4;

export function RecoveryCodes({ codes, done }: { codes: readonly string[]; done(): void }) {
  const store = useStore();
  const text = useText();
  const { codesShown } = text.account;
  const [isChecking, check] = useState(false);
  const intro = useRef<HTMLParagraphElement>(null);
  // What had the focus is gone.
  useEffect(() => intro.current?.focus(), [isChecking]);
  const all = `${codes.join("\n")}\n`;
  const later = (
    <button
      type="button"
      onClick={() => {
        store.notice("info", codesShown.laterText);
        done();
      }}
    >
      {codesShown.later}
    </button>
  );
  if (isChecking) {
    const asked = codes[ASKED - 1] ?? "";
    return (
      <>
        <p>{codesShown.check(ASKED)}</p>
        <Form<null>
          fields={[{ name: "code", label: codesShown.checkLabel(ASKED), kind: "code" }]}
          submit={codesShown.checkSubmit}
          check={(form) => (isSameCode(String(form.get("code")), asked) ? null : "other_code")}
          send={() => Promise.resolve({ ok: true, value: null })}
          done={() => {
            store.notice("info", codesShown.right);
            done();
          }}
        />
        <div class="row">
          <button type="button" onClick={() => check(false)}>
            {codesShown.again}
          </button>
          {later}
        </div>
      </>
    );
  }
  return (
    <>
      <p ref={intro} tabIndex={-1}>
        {codesShown.text}
      </p>
      <ol class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="row">
        <CopyButton label={codesShown.copy} value={all} />
        <a
          class="button"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(all)}`}
          download="zeitnot-recovery-codes.txt"
        >
          {codesShown.save}
        </a>
        <button type="button" class="primary" onClick={() => check(true)}>
          {codesShown.kept}
        </button>
        {later}
      </div>
    </>
  );
}
