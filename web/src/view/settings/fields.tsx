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
  /** What stands for a choice. */
  draw?(choice: Settings[K]): ComponentChildren;
  /** Whether the names of drawn choices stand below them. Else they are said, and the chosen one's is shown above. */
  readonly isNamed?: boolean;
}

export function Choice<K extends Word>({ field, label, of, names, draw, isNamed = !draw }: ChoiceProps<K>) {
  const { settings } = useApp();
  const store = useStore();
  return (
    <fieldset class={`choice ${isNamed ? "" : "pictured"} ${draw && isNamed ? "named" : ""}`}>
      <legend>
        {label}
        {!isNamed && <strong aria-hidden="true">{names[settings[field]]}</strong>}
      </legend>
      {of.map((choice) => (
        <label key={choice} title={isNamed ? undefined : names[choice]}>
          <input
            type="radio"
            name={field}
            checked={settings[field] === choice}
            onChange={() => store.change({ [field]: choice })}
          />
          <span>
            {draw?.(choice)}
            <span class={isNamed ? "" : "visually-hidden"}>{names[choice]}</span>
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
