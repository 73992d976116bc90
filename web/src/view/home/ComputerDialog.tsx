/** The dialog to play the computer: level, time control, colour. The game opens when the computer has accepted. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Color } from "../../chess/square";
import { CONTROLS, FIRST_COMPUTER, STRENGTHS, challengeComputer } from "../../state/computer";
import { useCloseBeside } from "../beside";
import { useStore, useText } from "../context";

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
        <fieldset class="segments levels">
          <legend>{words.level}</legend>
          {levels.map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="level"
                checked={setup.level === one}
                onChange={() => set({ ...setup, level: one })}
              />
              <span>{one}</span>
            </label>
          ))}
        </fieldset>
        <LevelWords level={setup.level} />
        <fieldset class="segments clocks">
          <legend>{text.home.clock}</legend>
          {CONTROLS.map((control) => (
            <label key={control?.join("+") ?? "none"}>
              <input
                type="radio"
                name="control"
                checked={setup.control?.join() === control?.join()}
                onChange={() => set({ ...setup, control })}
              />
              <span>{control ? control.join("+") : text.control.unlimited}</span>
            </label>
          ))}
        </fieldset>
        <fieldset class="segments">
          <legend>{text.home.color}</legend>
          {COLORS.map((color) => (
            <label key={color}>
              <input
                type="radio"
                name="computer-color"
                checked={setup.color === color}
                onChange={() => set({ ...setup, color })}
              />
              <span>{color ? text.sides[color] : text.home.random}</span>
            </label>
          ))}
        </fieldset>
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

/** How a level plays, and what the levels are. */
function LevelWords({ level }: { readonly level: number }) {
  const { strengths, looks, mistakes, about } = useText().lobby.computer;
  const strength = STRENGTHS[level - 1];
  return (
    <div class="level-words">
      <p role="status">
        <strong>{strengths[level - 1]}.</strong>{" "}
        {strength && (
          <span class="how">
            {looks(strength.plies)} {mistakes(strength.mistakes)}
          </span>
        )}
      </p>
      <p class="quiet">{about}</p>
    </div>
  );
}
