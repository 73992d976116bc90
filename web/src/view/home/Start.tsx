/**
 * The first thing to do on the home page: play the next opponent, a friend, or the computer; and what one waits for. While an
 * own game with clocks runs, the way back to it stands in the place of the first.
 *
 * The computer's button is only there while the server's own opponent plays. Whoever waits alone is offered it, and the pool in
 * which somebody else waits.
 */
import { useState } from "preact/hooks";
import { seatOf } from "zeitnot-client";
import { other } from "../../chess/square";
import type { App } from "../../state/app";
import { APART_MS, meetsAgainIn, othersIn, placeOf, waitsAlone, waitsElsewhere } from "../../state/pairing";
import { runningGame } from "../../state/calls";
import { useApp, useStore, useText } from "../context";
import { useNow, useSince } from "../now";
import { BackToGame } from "./BackToGame";
import { ComputerDialog } from "./ComputerDialog";
import { PlayButton } from "./PlayButton";
import { WaitingLine, waitingWords } from "./WaitingLine";
import { useLevels } from "./levels";

interface Props {
  /** Whether the form for a custom game is open. */
  readonly isCustom: boolean;
  withFriend(): void;
}

export function Start({ isCustom, withFriend }: Props) {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const [open, setOpen] = useState(false);
  const levels = useLevels();
  const { pairing } = app;
  const running = runningGame(app);
  const isWaiting = placeOf(pairing) !== null;
  const pools = app.lobby?.pools ?? {};
  const both = useSince(hasPlayed(app) && pairing.pool !== null && othersIn(pairing, pairing.pool, pools) > 0);
  const now = useNow(isWaiting, both === null ? 1000 : 250);
  const inPool = pairing.pool === null ? 0 : (pools[pairing.pool] ?? 0);
  const elsewhere = waitsElsewhere(pairing, pools);
  const isAlone = waitsAlone(pairing, inPool, now);
  const again = meetsAgainIn(both, now);
  const more = elsewhere ? text.lobby.elsewhere(elsewhere) : isAlone ? text.lobby.alone : "";
  const hasComputer = levels !== null && levels.length > 0;
  return (
    <section class="start" aria-label={text.lobby.start}>
      {running ? <BackToGame game={running} /> : <PlayButton isSecond={isCustom} />}
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
        <WaitingLine
          more={again === null ? more : text.lobby.meetsAgain(APART_MS / 1000)}
          counted={again === null ? null : text.lobby.meetsAgain(again)}
        >
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

/** Whether a game against a person has ended on this page, who may be the next opponent again. */
function hasPlayed({ games, account }: App): boolean {
  return Object.values(games).some((game) => {
    const seat = seatOf(game, account);
    return seat !== null && game.phase === "ended" && game.players[other(seat)].bot !== true;
  });
}
