/** A button that copies a text, and says that it has or could not; and an entry of a menu that does, which closes that. */
import { useState } from "preact/hooks";
import { useStore, useText } from "./context";
import { Icon } from "./Icon";

interface Props {
  readonly label: string;
  readonly value: string | (() => Promise<string>);
  readonly primary?: boolean;
  /** Whether it is large and has a sign before its words: what one has come for. */
  readonly icon?: boolean;
  /** Says that it was copied, where the button itself does not. */
  done?(): void;
}

export function CopyButton({ label, value, primary = false, icon = false, done }: Props) {
  const store = useStore();
  const text = useText();
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof value === "string" ? value : await value());
      if (done) return done();
      setCopied(true);
      store.say(text.game.copied);
      setTimeout(() => setCopied(false), 2000);
    } catch {
      store.notice("error", text.game.copyFailed);
    }
  };
  return (
    <button
      type="button"
      class={["copy", primary ? "primary" : "", icon ? "big" : ""].filter(Boolean).join(" ")}
      onClick={() => void copy()}
    >
      <span class={copied ? "label hidden" : "label"}>
        {icon && <Icon name="copy" />}
        {label}
      </span>
      {copied && (
        <span class="over label">
          {icon && <Icon name="yes" />}
          {text.game.copied}
        </span>
      )}
    </button>
  );
}

interface ItemProps extends Pick<Props, "label" | "value"> {
  choose(what: () => void): void;
}

/** The menu covers what it does not belong to, so it closes, and the notice over the page says what happened. */
export function CopyItem({ label, value, choose }: ItemProps) {
  const store = useStore();
  const { copied } = useText().game;
  return (
    <li>
      <CopyButton label={label} value={value} done={() => choose(() => store.notice("info", copied))} />
    </li>
  );
}
