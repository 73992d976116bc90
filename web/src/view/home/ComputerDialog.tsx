/**
 * The dialog to play the computer: level, clock, colour, and behind "More" the rest. It begins with what was chosen last.
 *
 * The game opens when the computer has accepted.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Color } from "../../chess/square";
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
import { useCloseBeside } from "../beside";
import { useApp, useStore, useText } from "../context";
import { Segments } from "../form/Segments";
import { OtherClock } from "./ClockFields";
import { MoreFields, type SetupPart } from "./MoreFields";

const COLORS: readonly (Color | null)[] = [null, "white", "black"];

interface Props {
  /** The levels that play now; never empty. */
  readonly levels: readonly number[];
  /** The level to begin with, if it plays now. */
  readonly first?: number | null;
  close(): void;
}

export function ComputerDialog({ levels, first = null, close }: Props) {
  const store = useStore();
  const text = useText();
  const words = text.lobby.computer;
  const dialog = useRef<HTMLDialogElement>(null);
  const kept = useApp((app) => app.settings.computer);
  const wanted = first ?? kept.level;
  const [level, setLevel] = useState(levels.includes(wanted) ? wanted : (levels[0] ?? wanted));
  const [setup, set] = useState(() => formOf(kept));
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLInputElement>("input:checked")?.focus();
  }, []);
  useCloseBeside(dialog);
  const play = (event: Event): void => {
    event.preventDefault();
    store.send({ t: "create_challenge", d: challengeComputer(level, setup) });
    store.change({ computer: choiceOf(level, setup) });
    close();
  };
  return (
    <dialog ref={dialog} class="computer-dialog" aria-labelledby="computer-title" onClose={close}>
      <h2 id="computer-title">{words.title}</h2>
      <form class="new-game" onSubmit={play}>
        <Segments
          legend={words.level}
          name="level"
          class="levels"
          of={levels}
          show={String}
          more={(one) => String(ratingOf(one))}
          isChosen={(one) => level === one}
          choose={setLevel}
        />
        <LevelWords level={level} />
        <Clock setup={setup} set={set} />
        <Segments
          legend={text.home.color}
          name="computer-color"
          of={COLORS}
          show={(color) => (color ? text.sides[color] : text.home.random)}
          isChosen={(color) => setup.color === color}
          choose={(color) => set({ ...setup, color })}
        />
        <MoreFields setup={setup} set={set} />
        <div class="row">
          <button type="submit" class="primary big grow">
            {words.play}
          </button>
          <button type="button" class="big" onClick={close}>
            {text.account.cancel}
          </button>
        </div>
      </form>
    </dialog>
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
