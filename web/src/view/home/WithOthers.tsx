/**
 * Other players: the search for one, and ways to play a named one, or anybody on chosen terms, which open the form for a
 * game. A friend is in `Start`.
 */
import type { Audience } from "../../state/setup";
import { useText } from "../context";
import { FindPlayer } from "./FindPlayer";

const AUDIENCES: readonly Audience[] = ["player", "lobby"];

export function WithOthers({ begin }: { begin(audience: Audience): void }) {
  const text = useText();
  return (
    <section class="card with-others" aria-label={text.lobby.withOthers}>
      <FindPlayer />
      <div class="with-others-ways">
        {AUDIENCES.map((audience) => (
          <button type="button" key={audience} onClick={() => begin(audience)}>
            {text.lobby.begin[audience]}
          </button>
        ))}
      </div>
    </section>
  );
}
