/** Recovery codes, which are shown once: to copy, to save. Above them it says where new ones can be made later. */
import { useEffect, useRef } from "preact/hooks";
import { useText } from "../context";
import { CopyButton } from "../CopyButton";

interface Props {
  readonly codes: readonly string[];
  /** What is told before them. */
  readonly told?: string;
  done(): void;
}

export function RecoveryCodes({ codes, told = "", done }: Props) {
  const { codesShown } = useText().account;
  const intro = useRef<HTMLParagraphElement>(null);
  // What had the focus is gone.
  useEffect(() => intro.current?.focus(), []);
  const all = `${codes.join("\n")}\n`;
  return (
    <>
      <p ref={intro} tabIndex={-1}>
        {told && <strong>{told} </strong>}
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
        <CopyButton label={codesShown.copy} value={all} primary />
        <a
          class="button"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(all)}`}
          download="zeitnot-recovery-codes.txt"
        >
          {codesShown.save}
        </a>
        <button type="button" onClick={done}>
          {codesShown.done}
        </button>
      </div>
    </>
  );
}
