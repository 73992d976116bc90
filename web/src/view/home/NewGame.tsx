/**
 * The form for a new game: quick choices first, every clock kind and rule behind them.
 *
 * What the fields mean is in `state/setup`; what cannot be played is refused by the server and shown.
 */
import { useState } from "preact/hooks";
import type { WireProfile } from "#protocol";
import type { Color } from "../../chess/square";
import { FIRST_SETUP, type Kind, PRESETS, type Setup, challengeOf, hasIlc, isPreset, withPreset } from "../../state/setup";
import { useApp, useStore, useText } from "../context";
import { Periods } from "./Periods";

const KINDS: readonly Kind[] = ["fischer", "delay", "bronstein", "none", "days", "unlimited"];
const COLORS: readonly (Color | null)[] = [null, "white", "black"];
const PROFILES: readonly WireProfile[] = ["fide_online", "fide_board", "us_chess", "casual"];

export function NewGame() {
  const store = useStore();
  const app = useApp();
  const text = useText();
  const [setup, set] = useState(FIRST_SETUP);
  const [asked, setAsked] = useState(false);
  const creating = asked && app.link.outbox.some((one) => one.message.t === "create_challenge");
  const create = (event: Event): void => {
    event.preventDefault();
    if (creating) return;
    setAsked(true);
    store.send({ t: "create_challenge", d: challengeOf(setup) });
  };
  return (
    <form class="card new-game" onSubmit={create} aria-label={text.home.newGame}>
      <h2>{text.home.newGame}</h2>
      <fieldset class="presets">
        <legend>{text.home.presets}</legend>
        <div class="tiles">
          {PRESETS.map(([minutes, seconds]) => (
            <button type="button" key={`${minutes}+${seconds}`} aria-pressed={isPreset(setup, minutes, seconds)} onClick={() => set(withPreset(setup, minutes, seconds))}>
              {minutes}+{seconds}
            </button>
          ))}
        </div>
      </fieldset>
      <ClockFields setup={setup} set={set} />
      <fieldset class="segments">
        <legend>{text.home.color}</legend>
        {COLORS.map((color) => (
          <label key={color}>
            <input type="radio" name="color" checked={setup.color === color} onChange={() => set({ ...setup, color })} />
            <span>{color ? text.sides[color] : text.home.random}</span>
          </label>
        ))}
      </fieldset>
      <More setup={setup} set={set} />
      <button type="submit" class="primary big" aria-disabled={creating}>
        {creating ? text.home.creating : text.home.create}
      </button>
    </form>
  );
}

interface Part {
  readonly setup: Setup;
  set(setup: Setup): void;
}

function ClockFields({ setup, set }: Part) {
  const text = useText();
  return (
    <>
      <label class="field">
        <span>{text.home.clock}</span>
        <select value={setup.kind} onChange={(event) => set({ ...setup, kind: event.currentTarget.value as Kind })}>
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {text.home.kinds[kind]}
            </option>
          ))}
        </select>
      </label>
      {setup.kind === "days" && (
        <label class="field">
          <span>{text.home.days}</span>
          <input type="number" min={1} max={30} value={setup.days} onInput={(event) => set({ ...setup, days: event.currentTarget.value })} />
        </label>
      )}
      {setup.kind !== "days" && setup.kind !== "unlimited" && (
        <>
          <Periods setup={setup} set={set} side="periods" />
          {setup.unequal && <Periods setup={setup} set={set} side="black" />}
        </>
      )}
    </>
  );
}

function More({ setup, set }: Part) {
  const text = useText();
  const isClock = setup.kind !== "days" && setup.kind !== "unlimited";
  return (
    <details>
      <summary>{text.home.more}</summary>
      <div class="more">
        {isClock && (
          <label class="check">
            <input type="checkbox" checked={setup.unequal} onChange={(event) => set({ ...setup, unequal: event.currentTarget.checked, black: setup.periods })} />
            <span>{text.home.unequal}</span>
          </label>
        )}
        {isClock && (
          <label class="check">
            <input
              type="checkbox"
              checked={setup.periods.length > 1}
              onChange={(event) => set({ ...setup, periods: event.currentTarget.checked ? [...setup.periods, { moves: "40", minutes: "15", seconds: setup.periods[0]?.seconds ?? "0" }] : setup.periods.slice(0, 1) })}
            />
            <span>{text.home.periods}</span>
          </label>
        )}
        <label class="check">
          <input type="checkbox" checked={setup.chess960} onChange={(event) => set({ ...setup, chess960: event.currentTarget.checked })} />
          <span>
            {text.home.variant} <span class="quiet">– {text.home.variantAbout}</span>
          </span>
        </label>
        <label class="field">
          <span>{text.home.rules}</span>
          <select value={setup.profile} onChange={(event) => set({ ...setup, profile: event.currentTarget.value as WireProfile })}>
            {PROFILES.map((profile) => (
              <option key={profile} value={profile}>
                {text.profiles[profile].name}
              </option>
            ))}
          </select>
        </label>
        <p class="quiet">{text.profiles[setup.profile].about}</p>
        {hasIlc(setup.profile) && (
          <label class="check">
            <input type="checkbox" checked={setup.ilc} onChange={(event) => set({ ...setup, ilc: event.currentTarget.checked })} />
            <span>{text.home.ilc}</span>
          </label>
        )}
        <label class="field wide">
          <span>{text.home.fen}</span>
          <input type="text" autocomplete="off" spellcheck={false} value={setup.fen} placeholder={text.home.fenHint} onInput={(event) => set({ ...setup, fen: event.currentTarget.value })} />
        </label>
      </div>
    </details>
  );
}
