/** The fields of the settings dialog: one word of several, a switch, the volume. Each change takes effect at once. */
import type { ComponentChildren } from "preact";
import { FULL_VOLUME, type Settings } from "../../state/settings";
import { useApp, useStore, useText } from "../context";
import "../../style/choice.css";

/** The fields of `Settings` that are switched on and off. */
type Switch = { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings];
/** The fields that are one of several words. */
type Word = { [K in keyof Settings]: Settings[K] extends string ? K : never }[keyof Settings];

interface ChoiceProps<K extends Word> {
  readonly field: K;
  readonly label: string;
  readonly of: readonly Settings[K][];
  readonly names: Readonly<Record<Settings[K], string>>;
  /** A picture of a choice, above its name. */
  draw?(choice: Settings[K]): ComponentChildren;
}

export function Choice<K extends Word>({ field, label, of, names, draw }: ChoiceProps<K>) {
  const { settings } = useApp();
  const store = useStore();
  return (
    <fieldset class={draw ? "choice pictured" : "choice"}>
      <legend>{label}</legend>
      {of.map((choice) => (
        <label key={choice}>
          <input
            type="radio"
            name={field}
            checked={settings[field] === choice}
            onChange={() => store.change({ [field]: choice })}
          />
          <span>
            {draw?.(choice)}
            <span>{names[choice]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export function Check({ field, label }: { field: Switch; label: string }) {
  const { settings } = useApp();
  const store = useStore();
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={settings[field]}
        onChange={(event) => store.change({ [field]: event.currentTarget.checked })}
      />
      <span>{label}</span>
    </label>
  );
}

/** Is heard when it is changed. */
export function Volume() {
  const { sound, volume } = useApp().settings;
  const store = useStore();
  const text = useText();
  return (
    <label class="field">
      <span>{text.settings.volume}</span>
      <input
        type="range"
        min={0}
        max={FULL_VOLUME}
        step={10}
        value={volume}
        disabled={!sound}
        aria-valuetext={`${volume} %`}
        onInput={(event) => store.change({ volume: Number(event.currentTarget.value) })}
        onChange={() => store.sound("move")}
      />
    </label>
  );
}
