/**
 * One field at the head of the games of everybody while the form is folded: a player or an opening, whose games it leads to. What
 * it may mean stands below it, to choose from, with what nothing was found of; Enter takes what is meant beyond doubt. What else
 * is looked for stays.
 *
 * Whoever has gone on before it is known what is meant, or types something else, is led nowhere.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { areMoves } from "../../state/gameFilter";
import type { Catalogue } from "../../text";
import { showWhole } from "../../text/numbers";
import { useText } from "../context";
import { useListBox } from "../form/listBox";
import { useTyped } from "../form/typed";
import { type Condition, meantBy } from "./either";
import { type FoundEither, findEither } from "./found";
import { type Suggestion, SuggestionList, suggestOpenings, suggestPlayers } from "./SuggestionList";

/** So many openings are suggested together with players. */
const OPENINGS_AMONG = 4;

interface Props {
  search(condition: Condition): void;
}

export function QuickSearch({ search }: Props) {
  const text = useText();
  const { playerOrOpening } = text.archive;
  const [typed, set] = useState("");
  const [isOpen, open] = useState(false);
  /** The words in the field; null when it is gone. */
  const words = useRef<string | null>("");
  /** With the other conditions as they are now. */
  const latest = useRef(search);
  latest.current = search;
  useEffect(
    () => () => {
      words.current = null;
    },
    [],
  );
  const part = typed.trim();
  const last = useTyped(part.length > 1 && !areMoves(part) ? part : null, findEither);
  const found = last?.words === part ? last.found : null;
  const all = found ? suggestEither(text, part, found) : [];
  const none = found ? nothingOf(text, part, found) : [];
  const isShown = isOpen && all.length + none.length > 0;
  const type = (value: string): void => {
    words.current = value;
    set(value);
  };
  const look = (condition: Condition): void => {
    // From now on it stands among the conditions.
    type("");
    latest.current(condition);
  };
  const { input, list, option, reset } = useListBox({
    all,
    isOpen,
    isShown,
    open,
    take: ({ kind, value }) => look(kind === "player" ? { player: value } : { opening: value }),
  });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const value = typed;
    const condition = await meantBy(value);
    if (condition && words.current === value) look(condition);
    else open(true);
  };
  return (
    <form class="quick-search player-field" role="search" onSubmit={(event) => void submit(event)}>
      <label class="field">
        <span class="visually-hidden">{playerOrOpening}</span>
        <input
          type="text"
          {...input}
          value={typed}
          placeholder={playerOrOpening}
          onFocus={() => open(true)}
          onBlur={() => open(false)}
          onInput={({ currentTarget: { value } }) => {
            open(true);
            reset();
            type(value);
          }}
        />
      </label>
      <p role="status" class="visually-hidden">
        {isShown && none.join(" ")}
      </p>
      {isShown && <SuggestionList label={playerOrOpening} all={all} none={none} isOfBoth list={list} option={option} />}
    </form>
  );
}

/** Openings by the words first, with the number of their games where that is known. */
function suggestEither(text: Catalogue, part: string, { people, openings, games }: FoundEither): readonly Suggestion[] {
  const { archive, tag } = text;
  const byWords: Suggestion = {
    value: part,
    label: archive.allNamed(part),
    kind: "opening",
    about: games === null ? "" : archive.counts.games(showWhole(tag, games)),
  };
  return [
    ...suggestPlayers(text, people),
    ...(openings.length > 0 ? [byWords] : []),
    ...suggestOpenings(text, openings.slice(0, OPENINGS_AMONG)),
  ];
}

/** Of which of both nothing was found. */
function nothingOf({ archive, home }: Catalogue, part: string, { people, openings }: FoundEither): readonly string[] {
  return [
    ...(people.players.length + people.names.length === 0 ? [home.find.nobody(part)] : []),
    ...(openings.length === 0 ? [archive.noOpening(part)] : []),
  ];
}
