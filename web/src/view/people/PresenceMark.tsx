/**
 * Whether somebody is online: a dot, filled, half filled for whoever plays another game, or empty, and the words for it beside
 * it. Which page somebody looks at nobody knows: the server tells of connections alone.
 */
import type { ComponentChildren } from "preact";

export type Presence = "here" | "inGame" | "away";

interface Props {
  readonly presence: Presence;
  /** What a mouse over it says, where the words are for a screen reader alone. */
  readonly title?: string;
  readonly children: ComponentChildren;
}

export function PresenceMark({ presence, title, children }: Props) {
  return (
    <span class={`presence ${presence}`} title={title}>
      <span class="dot" aria-hidden="true" />
      {children}
    </span>
  );
}
