/** Ways to play a named player, or anybody on chosen terms: each opens the form for a game. A friend is in `Start`. */
import type { Audience } from "../../state/setup";
import { useText } from "../context";

const AUDIENCES: readonly Audience[] = ["player", "lobby"];

export function WithOthers({ begin }: { begin(audience: Audience): void }) {
  const text = useText();
  return (
    <section class="card with-others" aria-label={text.lobby.withOthers}>
      {AUDIENCES.map((audience) => (
        <button type="button" key={audience} class="big" onClick={() => begin(audience)}>
          {text.lobby.begin[audience]}
        </button>
      ))}
    </section>
  );
}
