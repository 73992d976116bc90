/**
 * Whether somebody is online: a dot, filled, half filled for whoever plays another game, or empty, and the words for it, which a
 * narrow bar has for a screen reader alone. Which page somebody looks at nobody knows: the server tells of connections alone.
 */
import type { ComponentChildren } from "preact";

export type Presence = "here" | "inGame" | "away";

interface Props {
  readonly presence: Presence;
  readonly children: ComponentChildren;
}

export function PresenceMark({ presence, children }: Props) {
  return (
    <span class={`presence ${presence}`}>
      <span class="dot" aria-hidden="true" />
      {children}
    </span>
  );
}
