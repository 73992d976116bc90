/**
 * The first thing to do on the home page: play the next opponent, a friend, or the computer; and what one waits for. While an
 * own game with clocks runs, the way back to it stands in the place of the first.
 *
 * A friend and the computer have a dialog each, so that nothing moves below the buttons. The computer's button is only there
 * while the server's own opponent plays.
 */
import { useState } from "preact/hooks";
import { runningGame } from "../../state/calls";
import { useApp, useText } from "../context";
import { BackToGame } from "./BackToGame";
import { FriendDialog } from "./FriendDialog";
import { LaterComputerDialog } from "./LaterComputerDialog";
import { PlayButton } from "./PlayButton";
import { WaitingDock } from "./WaitingDock";
import { useLevels } from "./levels";

interface Props {
  /** Whether the form for a custom game is open. */
  readonly isCustom: boolean;
}

export function Start({ isCustom }: Props) {
  const running = useApp((app) => runningGame(app));
  const text = useText();
  const [open, setOpen] = useState<"friend" | "computer" | null>(null);
  const close = (): void => setOpen(null);
  const levels = useLevels();
  const hasComputer = levels !== null && levels.length > 0;
  return (
    <section class="start" aria-label={text.lobby.start}>
      {running ? <BackToGame game={running} /> : <PlayButton isSecond={isCustom} />}
      <button type="button" class="big" aria-haspopup="dialog" onClick={() => setOpen("friend")}>
        {text.lobby.withFriend}
      </button>
      {/* Keeps the button's place, so that nothing moves under a finger. */}
      {levels === null && <span class="place" aria-hidden="true" />}
      {hasComputer && (
        <button type="button" class="big" aria-haspopup="dialog" onClick={() => setOpen("computer")}>
          {text.lobby.computer.title}
        </button>
      )}
      <WaitingDock playComputer={hasComputer ? () => setOpen("computer") : null} />
      {open === "friend" && <FriendDialog close={close} />}
      {hasComputer && open === "computer" && <LaterComputerDialog levels={levels} close={close} />}
    </section>
  );
}
