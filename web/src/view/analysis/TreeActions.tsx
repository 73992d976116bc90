/** What changes the tree at the place shown: promote its variation, delete from here. What cannot be done now keeps its place. */
import { useStore, useText } from "../context";

interface Props {
  /** Whether there is anything to change at some place of the tree. */
  readonly isThere: boolean;
  readonly mayPromote: boolean;
  readonly mayRemove: boolean;
  promote(): void;
  remove(): void;
}

export function TreeActions({ isThere, mayPromote, mayRemove, promote, remove }: Props) {
  const store = useStore();
  const { analysis: words } = useText();
  const button = (label: string, may: boolean, act: () => void, done: string) => (
    <button
      type="button"
      aria-disabled={!may}
      onClick={() => {
        if (!may) return;
        act();
        store.say(done);
      }}
    >
      {label}
    </button>
  );
  if (!isThere) return null;
  return (
    <div class="tree-actions">
      {button(words.promote, mayPromote, promote, words.promoted)}
      {button(words.remove, mayRemove, remove, words.removed)}
    </div>
  );
}
