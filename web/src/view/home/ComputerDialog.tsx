/** The dialog to play the computer: level, time control, colour. The game opens when the computer has accepted. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Color } from "../../chess/square";
import { CONTROLS, FIRST_COMPUTER, challengeComputer, ratingOf } from "../../state/computer";
import { useCloseBeside } from "../beside";
import { useStore, useText } from "../context";
import { Segments } from "../form/Segments";

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
  const wanted = first ?? FIRST_COMPUTER.level;
  const level = levels.includes(wanted) ? wanted : (levels[0] ?? wanted);
  const [setup, set] = useState({ ...FIRST_COMPUTER, level });
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLInputElement>("input:checked")?.focus();
  }, []);
  useCloseBeside(dialog);
  const play = (event: Event): void => {
    event.preventDefault();
    store.send({ t: "create_challenge", d: challengeComputer(setup) });
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
          isChosen={(one) => setup.level === one}
          choose={(chosen) => set({ ...setup, level: chosen })}
        />
        <LevelWords level={setup.level} />
        <Segments
          legend={text.home.clock}
          name="control"
          class="clocks"
          of={CONTROLS}
          show={(control) => control?.join("+") ?? text.control.unlimited}
          isChosen={(control) => setup.control?.join() === control?.join()}
          choose={(control) => set({ ...setup, control })}
        />
        <Segments
          legend={text.home.color}
          name="computer-color"
          of={COLORS}
          show={(color) => (color ? text.sides[color] : text.home.random)}
          isChosen={(color) => setup.color === color}
          choose={(color) => set({ ...setup, color })}
        />
        <div class="row">
          <button type="submit" class="primary big grow">
            {words.play}
          </button>
          <button type="button" class="big" onClick={close}>
            {text.lobby.close}
          </button>
        </div>
      </form>
    </dialog>
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
