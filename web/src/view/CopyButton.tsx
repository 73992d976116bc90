/** A button that copies a text and reports success or failure. */
import { useState } from "preact/hooks";
import { useStore, useText } from "./context";

interface Props {
  readonly label: string;
  readonly value: string | (() => Promise<string>);
  readonly primary?: boolean;
}

export function CopyButton({ label, value, primary = false }: Props) {
  const store = useStore();
  const text = useText();
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof value === "string" ? value : await value());
      setCopied(true);
      store.say(text.game.copied);
      setTimeout(() => setCopied(false), 2000);
    } catch {
      store.notice("error", text.game.copyFailed);
    }
  };
  return (
    <button type="button" class={primary ? "primary copy" : "copy"} onClick={() => void copy()}>
      <span class={copied ? "hidden" : ""}>{label}</span>
      {copied && <span class="over">{text.game.copied}</span>}
    </button>
  );
}
