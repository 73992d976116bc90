/**
 * The clock of a new game: the usual time controls in one tap each, and behind the last tile every other one.
 *
 * The fields are in sight as soon as none of the tiles says what they do, or from the start (`hasOther`).
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { KINDS, type Kind, PRESETS, hasClock, isPreset, withPreset } from "../../state/setup";
import { useText } from "../context";
import type { SetupPart } from "./MoreFields";
import { Periods } from "./Periods";

export function ClockFields({ setup, set, hasOther }: SetupPart & { readonly hasOther: boolean }) {
  const text = useText();
  const [isOpen, open] = useState(hasOther);
  const chosen = isOpen ? undefined : PRESETS.find(([minutes, seconds]) => isPreset(setup, minutes, seconds));
  return (
    <>
      <fieldset class="presets">
        <legend>{text.home.presets}</legend>
        <div class="tiles">
          {PRESETS.map((preset) => {
            const [minutes, seconds] = preset;
            return (
              <button
                type="button"
                key={`${minutes}+${seconds}`}
                aria-pressed={preset === chosen}
                onClick={() => {
                  open(false);
                  set(withPreset(setup, minutes, seconds));
                }}
              >
                {minutes}+{seconds}
              </button>
            );
          })}
          <button type="button" aria-pressed={!chosen} onClick={() => open(true)}>
            {text.home.otherClock}
          </button>
        </div>
      </fieldset>
      {!chosen && <OtherClock setup={setup} set={set} />}
    </>
  );
}

/** The fields of any clock. */
export function OtherClock({ setup, set }: SetupPart) {
  const text = useText();
  const row = useRef<HTMLDivElement>(null);
  // On a phone they come below the edge.
  useEffect(() => row.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <div class="clock-row" ref={row}>
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
          <input
            type="number"
            min={1}
            max={30}
            value={setup.days}
            onInput={(event) => set({ ...setup, days: event.currentTarget.value })}
          />
        </label>
      )}
      {hasClock(setup) && (
        <>
          <Periods setup={setup} set={set} side="periods" />
          {setup.unequal && <Periods setup={setup} set={set} side="black" />}
          <OddClocks setup={setup} set={set} />
        </>
      )}
    </div>
  );
}

/** What few clocks have: another one for Black, and several periods. */
function OddClocks({ setup, set }: SetupPart) {
  const text = useText();
  const [first] = setup.periods;
  return (
    <div class="odd-clocks">
      <label class="check">
        <input
          type="checkbox"
          checked={setup.unequal}
          onChange={(event) => set({ ...setup, unequal: event.currentTarget.checked, black: setup.periods })}
        />
        <span>{text.home.unequal}</span>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={setup.periods.length > 1}
          onChange={(event) =>
            set({
              ...setup,
              periods: event.currentTarget.checked
                ? [...setup.periods, { moves: "40", minutes: "15", seconds: first?.seconds ?? "0" }]
                : setup.periods.slice(0, 1),
            })
          }
        />
        <span>{text.home.periods}</span>
      </label>
    </div>
  );
}
