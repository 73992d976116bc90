/**
 * The first thing to do on the home page: play the next opponent, a friend, or the computer; and what one waits for. While an
 * own game with clocks runs, the way back to it stands in the place of the first.
 *
 * The computer's button is only there while the server's own opponent plays. Whoever waits alone is offered it, and the pool in
 * which somebody else waits.
 */
import { useState } from "preact/hooks";
import { placeOf, waitsAlone, waitsElsewhere, waitsForLast } from "../../state/pairing";
import { runningGame } from "../../state/calls";
import { useApp, useStore, useText } from "../context";
import { useNow } from "../now";
import { BackToGame } from "./BackToGame";
import { ComputerDialog } from "./ComputerDialog";
import { PlayButton } from "./PlayButton";
import { WaitingLine, waitingWords } from "./WaitingLine";
import { useLevels } from "./levels";

export function Start({ withFriend }: { withFriend(): void }) {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const [open, setOpen] = useState(false);
  const levels = useLevels();
  const { pairing } = app;
  const running = runningGame(app);
  const isWaiting = placeOf(pairing) !== null;
  const now = useNow(isWaiting);
  const inPool = pairing.pool === null ? 0 : (app.lobby?.pools[pairing.pool] ?? 0);
  const elsewhere = waitsElsewhere(pairing, app.lobby?.pools ?? {});
  const isAlone = waitsAlone(pairing, inPool, now);
  const isForLast = waitsForLast(pairing, app.lobby?.pools ?? {}, now);
  const more = elsewhere
    ? text.lobby.elsewhere(elsewhere)
    : isForLast
      ? text.lobby.justMet
      : isAlone
        ? text.lobby.alone
        : "";
  const hasComputer = levels !== null && levels.length > 0;
  return (
    <section class="start" aria-label={text.lobby.start}>
      {running ? <BackToGame game={running} /> : <PlayButton />}
      <button type="button" class="big" onClick={withFriend}>
        {text.lobby.begin.link}
      </button>
      {/* Keeps the button's place, so that nothing moves under a finger. */}
      {levels === null && <span class="place" aria-hidden="true" />}
      {hasComputer && (
        <button type="button" class="big" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {text.lobby.computer.title}
        </button>
      )}
      <div class={waitingWords(app, text) ? "waiting-dock" : "waiting-dock none"}>
        <WaitingLine more={more}>
          {elsewhere && (
            <button type="button" class="primary" onClick={() => store.joinPool(elsewhere)}>
              {text.lobby.playPool(elsewhere)}
            </button>
          )}
          {isAlone && hasComputer && (
            <button
              type="button"
              class={elsewhere ? "" : "primary"}
              aria-haspopup="dialog"
              onClick={() => setOpen(true)}
            >
              {text.lobby.computer.meanwhile}
            </button>
          )}
        </WaitingLine>
      </div>
      {hasComputer && open && <ComputerDialog levels={levels} close={() => setOpen(false)} />}
    </section>
  );
}
