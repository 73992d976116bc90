/** The frame of a section, a form that opens at the press of a button, and what a single button sends. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Sent } from "../../../net/api";
import { useStore, useText } from "../../context";
import { showProblem } from "../../form/problem";

interface SectionProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** The title takes the focus when what had it is gone: see `focusTitle`. */
export function Section({ title, children }: SectionProps) {
  const id = useId();
  return (
    <section class="card account-section" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Moves the focus from something that is about to go to the title of its section. */
export function focusTitle(from: EventTarget | null): void {
  if (from instanceof Element) from.closest("section")?.querySelector("h2")?.focus();
}

interface RevealProps {
  readonly label: string;
  readonly danger?: boolean;
  children(close: () => void): ComponentChildren;
}

/** A button, and what stands in its place after it was pressed. */
export function Reveal({ label, danger, children }: RevealProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, open] = useState(false);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  if (isOpen) return <div class="revealed">{children(() => open(false))}</div>;
  return (
    <p>
      <button ref={button} type="button" class={danger ? "danger" : ""} onClick={() => open(true)}>
        {label}
      </button>
    </p>
  );
}

/** Sends what a button asks for and says what became of it. Answers whether it went well. */
export function useRequest(): (sent: Promise<Sent<unknown>>, done: string) => Promise<boolean> {
  const store = useStore();
  const text = useText();
  return async (request, done) => {
    const sent = await request;
    store.notice(sent.ok ? "info" : "error", sent.ok ? done : showProblem(text, sent));
    return sent.ok;
  };
}

/** What stands for a list that is not there. */
export function NotThere({ state, again }: { state: "loading" | "missing" | "failed"; again(): void }) {
  const { lobby } = useText();
  if (state === "loading") return <p class="quiet">{lobby.loading}</p>;
  return (
    <p>
      {lobby.failed}{" "}
      <button type="button" onClick={again}>
        {lobby.again}
      </button>
    </p>
  );
}
