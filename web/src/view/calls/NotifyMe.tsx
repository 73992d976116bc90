/**
 * The button that asks the browser for notifications, where a player waits. There is none once that is decided.
 *
 * The answer is said in its place, and gets the focus of the button that has gone.
 */
import { useRef, useState } from "preact/hooks";
import { askPermission, permission } from "../../device/notifications";
import { useText } from "../context";
import { Icon } from "../Icon";

/** `brief`: a sign beside the words, and without them where there is one narrow line for everything. */
export function NotifyMe({ brief = false }: { readonly brief?: boolean }) {
  const text = useText().calls;
  const [first] = useState(permission);
  const [now, set] = useState(first);
  const words = useRef<HTMLParagraphElement>(null);
  if (first !== "default") return null;
  const ask = async (): Promise<void> => {
    set(await askPermission());
    words.current?.focus();
  };
  return (
    <div class="notify-me">
      {now === "default" && (
        <button
          type="button"
          aria-describedby="notify-about"
          {...(brief && { title: text.notifyAbout })}
          onClick={() => void ask()}
        >
          {brief && <Icon name="notify" />}
          <span>{text.notifyMe}</span>
        </button>
      )}
      <p
        class={brief && now === "default" ? "visually-hidden" : "quiet"}
        id="notify-about"
        role="status"
        tabIndex={-1}
        ref={words}
      >
        {now === "default" ? text.notifyAbout : now === "granted" ? text.notifyOn : text.notifyBlocked}
      </p>
    </div>
  );
}
