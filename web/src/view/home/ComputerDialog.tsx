/**
 * The dialog to play the computer: level, clock, colour, and behind "More" the rest. It begins with what was chosen last.
 *
 * The game opens when the computer has accepted.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import {
  CONTROLS,
  type Control,
  challengeComputer,
  choiceOf,
  formOf,
  isControl,
  ratingOf,
  withControl,
} from "../../state/computer";
import { FIRST_SETUP, type Setup } from "../../state/setup";
import { useApp, useStore, useText } from "../context";
import { Dialog } from "../Dialog";
import { Segments } from "../form/Segments";
import { OtherClock } from "./ClockFields";
import { ColorFields } from "./ColorFields";
import { MoreFields, type SetupPart } from "./MoreFields";
import { TakebackField } from "./TakebackField";

export interface ComputerDialogProps {
  /** The levels that play now; never empty. */
  readonly levels: readonly number[];
  /** The level to begin with, if it plays now. */
  readonly first?: number | null;
  /** The position to begin from, and the side to play; the usual position if there is none. */
  readonly from?: Pick<Setup, "fen" | "chess960" | "color">;
  close(): void;
}

export function ComputerDialog({ levels, first = null, from, close }: ComputerDialogProps) {
  const store = useStore();
  const text = useText();
  const words = text.lobby.computer;
  const form = useRef<HTMLFormElement>(null);
  const kept = useApp((app) => app.settings.computer);
  const wanted = first ?? kept.level;
  const [level, setLevel] = useState(levels.includes(wanted) ? wanted : (levels[0] ?? wanted));
  const [setup, set] = useState(() => ({ ...formOf(kept), ...from }));
  useEffect(() => form.current?.querySelector<HTMLInputElement>("input:checked")?.focus(), []);
  const play = (event: Event): void => {
    event.preventDefault();
    store.send({ t: "create_challenge", d: challengeComputer(level, setup) });
    store.change({ computer: choiceOf(level, from ? { ...setup, color: kept.color } : setup) });
    close();
  };
  return (
    <Dialog title={words.title} class="computer-dialog" closesBeside close={close}>
      <form ref={form} class="new-game" onSubmit={play}>
        <Segments
          legend={words.level}
          name="level"
          class="levels"
          of={levels}
          show={String}
          more={(one) => words.strengths[one - 1] ?? ""}
          isChosen={(one) => level === one}
          choose={setLevel}
        />
        <LevelWords level={level} />
        <Clock setup={setup} set={set} />
        <ColorFields setup={setup} set={set} name="computer-color" />
        <TakebackField setup={setup} set={set} />
        <MoreFields setup={setup} set={set} isComputer />
        <div class="row">
          <button type="submit" class="primary big grow">
            {words.play}
          </button>
          <button type="button" class="big" onClick={close}>
            {text.account.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The clocks in one tap each, and behind the last word every other one. */
function Clock({ setup, set }: SetupPart) {
  const text = useText();
  const [isOther, open] = useState(() => !CONTROLS.some((control) => isControl(setup, control)));
  const options: readonly (Control | "other")[] = [...CONTROLS, "other"];
  return (
    <>
      <Segments
        legend={text.home.clock}
        name="control"
        class="clocks"
        of={options}
        show={(one) => (one === "other" ? text.home.otherClock : (one?.join("+") ?? text.control.unlimited))}
        isChosen={(one) => (one === "other" ? isOther : !isOther && isControl(setup, one))}
        choose={(one) => {
          open(one === "other");
          if (one !== "other") set(withControl(setup, one));
          // Whoever wants another one wants a clock.
          else if (isControl(setup, null)) set({ ...setup, kind: FIRST_SETUP.kind });
        }}
      />
      {isOther && <OtherClock setup={setup} set={set} />}
    </>
  );
}

/** What the chosen level is called and about how well it plays. */
function LevelWords({ level }: { readonly level: number }) {
  const { strengths, rating, about } = useText().lobby.computer;
  return (
    <div class="level-words">
      <p role="status">
        <strong>{strengths[level - 1]}</strong> · {rating(ratingOf(level))}
      </p>
      <p class="quiet">{about}</p>
    </div>
  );
}
