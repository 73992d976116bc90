/** One of a few words, which stand side by side as radio buttons. Whoever shows them keeps what is chosen. */
interface Props<T> {
  /** What they choose. */
  readonly legend: string;
  /** The name of the buttons, which no others in the form have. */
  readonly name: string;
  readonly of: readonly T[];
  /** How this choice differs in the style sheet. */
  readonly class?: string;
  /** The word for an option, which no other one has. */
  show(option: T): string;
  /** What is shown below the word, in small letters; whoever hears the form is told it elsewhere. */
  more?(option: T): string;
  isChosen(option: T): boolean;
  /** Whether an option cannot be chosen. */
  isOff?(option: T): boolean;
  /** The id of what is said about them. */
  describedBy?: string;
  choose(option: T): void;
}

export function Segments<T>({
  legend,
  name,
  of,
  class: kind = "",
  show,
  more,
  isChosen,
  isOff,
  describedBy,
  choose,
}: Props<T>) {
  return (
    <fieldset class={`segments ${kind}`.trim()} aria-describedby={describedBy}>
      <legend>{legend}</legend>
      {of.map((option) => (
        <label key={show(option)}>
          <input
            type="radio"
            name={name}
            checked={isChosen(option)}
            disabled={isOff?.(option)}
            onChange={() => choose(option)}
          />
          <span>
            {show(option)}
            {more && <small aria-hidden="true">{more(option)}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
