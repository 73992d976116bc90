/** What changes the tree at the place shown: promote its variation, delete from here. Each is there where it can do something. */
import { useStore, useText } from "../context";

interface Props {
  readonly mayPromote: boolean;
  readonly mayRemove: boolean;
  promote(): void;
  remove(): void;
}

export function TreeActions({ mayPromote, mayRemove, promote, remove }: Props) {
  const store = useStore();
  const { analysis: words } = useText();
  const button = (label: string, act: () => void, done: string) => (
    <button
      type="button"
      onClick={() => {
        act();
        store.say(done);
      }}
    >
      {label}
    </button>
  );
  if (!mayPromote && !mayRemove) return null;
  return (
    <div class="tree-actions">
      {mayPromote && button(words.promote, promote, words.promoted)}
      {mayRemove && button(words.remove, remove, words.removed)}
    </div>
  );
}
