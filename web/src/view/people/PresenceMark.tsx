/** Whether somebody is here: a dot, filled or empty, and the words for it beside it. */
import type { ComponentChildren } from "preact";

interface Props {
  readonly isHere: boolean;
  /** What a mouse over it says, where the words are for a screen reader alone. */
  readonly title?: string;
  readonly children: ComponentChildren;
}

export function PresenceMark({ isHere, title, children }: Props) {
  return (
    <span class={`presence ${isHere ? "here" : "away"}`} title={title}>
      <span class="dot" aria-hidden="true" />
      {children}
    </span>
  );
}
