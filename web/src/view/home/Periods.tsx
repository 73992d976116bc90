/** The periods of one side's clock: time, increment, and the number of moves of all but the last. */
import { PERIODS_MAX, type Setup, addPeriod, removePeriod, setPeriod } from "../../state/setup";
import { useText } from "../context";

interface Props {
  readonly setup: Setup;
  readonly side: "periods" | "black";
  set(setup: Setup): void;
}

export function Periods({ setup, side, set }: Props) {
  const text = useText();
  const fields = setup[side];
  const whose = side === "black" ? text.sides.black : text.sides.white;
  const several = fields.length > 1;
  const number = (
    label: string,
    value: string,
    least: number,
    most: number,
    step: string,
    change: (value: string) => void,
  ) => (
    <label class="field small">
      <span>{label}</span>
      <input
        type="number"
        inputMode="decimal"
        min={least}
        max={most}
        step={step}
        value={value}
        onInput={(event) => change(event.currentTarget.value)}
      />
    </label>
  );
  return (
    <fieldset class="periods">
      <legend class={setup.unequal || several ? "" : "visually-hidden"}>
        {setup.unequal ? whose : text.home.clock}
      </legend>
      {fields.map((field, index) => (
        <div
          class="period"
          key={index}
          role="group"
          aria-label={several ? text.home.period(index + 1) : text.home.clock}
        >
          {number(text.home.minutes, field.minutes, 0, 1440, "any", (minutes) =>
            set(setPeriod(setup, side, index, { minutes })),
          )}
          {setup.kind !== "none" &&
            number(text.home.seconds, field.seconds, 0, 3600, "any", (seconds) =>
              set(setPeriod(setup, side, index, { seconds })),
            )}
          {several &&
            index < fields.length - 1 &&
            number(text.home.periodMoves, field.moves, 1, 200, "1", (moves) =>
              set(setPeriod(setup, side, index, { moves })),
            )}
          {several && index === fields.length - 1 && <span class="quiet rest">{text.home.lastPeriod}</span>}
          {several && (
            <button
              type="button"
              class="remove"
              aria-label={text.home.removePeriod(index + 1)}
              onClick={() => set(removePeriod(setup, side, index))}
            >
              ×
            </button>
          )}
        </div>
      ))}
      {several && fields.length < PERIODS_MAX && (
        <button type="button" onClick={() => set(addPeriod(setup, side))}>
          {text.home.addPeriod}
        </button>
      )}
    </fieldset>
  );
}
