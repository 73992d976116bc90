/**
 * The first thing to do on the home page: play the last time control, a friend, or the computer.
 *
 * The computer's button is only there while the server's own opponent plays.
 */
import { useState } from "preact/hooks";
import { useApp, useStore, useText } from "../context";
import { ComputerDialog } from "./ComputerDialog";
import { useLevels } from "./levels";

export function Start({ withFriend }: { withFriend(): void }) {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const [open, setOpen] = useState(false);
  const levels = useLevels();
  const { pool } = app.settings;
  const isWaiting = (app.pairing.wanted ?? app.pairing.pool) !== null;
  return (
    <section class="start" aria-label={text.lobby.start}>
      <button type="button" class="primary big" disabled={isWaiting} onClick={() => store.joinPool(pool)}>
        {text.lobby.playPool(pool)}
      </button>
      <button type="button" class="big" onClick={withFriend}>
        {text.lobby.begin.link}
      </button>
      {/* Keeps the button's place, so that nothing moves under a finger. */}
      {levels === null && <span class="place" aria-hidden="true" />}
      {levels !== null && levels.length > 0 && (
        <button type="button" class="big" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {text.lobby.computer.title}
        </button>
      )}
      {levels !== null && open && <ComputerDialog levels={levels} close={() => setOpen(false)} />}
    </section>
  );
}
