/**
 * One field at the head of the games of everybody while the form is folded: a player or an opening,
 * whose games it leads to. What it may mean stands below it, to choose from, with what nothing was
 * found of; Enter takes what is meant beyond doubt. What else is looked for stays.
 *
 * While one types on or takes letters back, the last suggestions stay until there are others. Whoever
 * has gone on before it is known what is meant, or types something else, is led nowhere.
 */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { areMoves } from "../../state/gameFilter";
import type { Catalogue } from "../../text";
import { useText } from "../context";
import { useListBox } from "../form/listBox";
import { type FoundFor, useTyped } from "../form/typed";
import { showNobody } from "../people/PlayerField";
import { type Condition, meantBy } from "./either";
import { type AboutEither, type FoundEither, arePartOfNames, findAbout, findEither } from "./found";
import { type Suggestion, SuggestionList, suggestOpenings, suggestPlayers } from "./SuggestionList";
import { showCount } from "./Tally";

/** So many openings are suggested together with players. */
const OPENINGS_AMONG = 4;

interface Props {
  /** Whether nothing else is looked for. */
  readonly isAlone: boolean;
  search(condition: Condition): void;
}

export function QuickSearch({ isAlone, search }: Props) {
  const text = useText();
  const { playerOrOpening } = text.archive;
  const [typed, type] = useState("");
  const [isOpen, open] = useState(false);
  const part = typed.trim();
  const isPart = part.length > 1 && !areMoves(part);
  const last = useTyped(isPart ? part : null, findEither);
  const about = useTyped(last?.words ?? null, (words) => findAbout(words, last?.found ?? NOTHING, isAlone));
  const all =
    isPart && last && isLike(part, last.words)
      ? suggestEither(text, last, about?.words === last.words ? about.found : null, isAlone)
      : [];
  const none = last && last.words === part ? nothingOf(text, last) : [];
  const isShown = isOpen && all.length + none.length > 0;
  const look = (condition: Condition): void => {
    // From now on it stands among the conditions.
    type("");
    search(condition);
  };
  const { field, submit } = useSubmit(last, look, open);
  const { input, list, option, reset } = useListBox({
    all,
    isOpen,
    isShown,
    open,
    take: ({ kind, value }) => look(kind === "player" ? { player: value } : { opening: value }),
  });
  // Nothing is chosen among other suggestions.
  useLayoutEffect(reset, [last]);
  return (
    <form class="quick-search player-field" role="search" onSubmit={(event) => void submit(event)}>
      <label class="field">
        <span class="visually-hidden">{playerOrOpening}</span>
        <input
          ref={field}
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

/** Enter: what is meant beyond doubt is looked for, else the list opens for a choice, unless one has left the field or types on. */
function useSubmit(last: Found | null, look: (condition: Condition) => void, open: (isOpen: boolean) => void) {
  const field = useRef<HTMLInputElement>(null);
  /** With the other conditions as they are now. */
  const latest = useRef(look);
  latest.current = look;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const value = field.current?.value ?? "";
    const word = value.trim();
    const condition = await meantBy(word, last?.words === word ? last.found : null);
    // It is gone with the list, and another value is another question.
    if (field.current?.value !== value) return;
    if (condition) latest.current(condition);
    else if (field.current === document.activeElement) open(true);
  };
  return { field, submit };
}

type Found = FoundFor<FoundEither>;

const NOTHING: FoundEither = { people: null, openings: null };

const isLike = (part: string, words: string): boolean => part.startsWith(words) || words.startsWith(part);

/** Openings by the words first; with the number of their games where nothing else is looked for. */
function suggestEither(
  text: Catalogue,
  { words, found: { people, openings } }: Found,
  about: AboutEither | null,
  isAlone: boolean,
): readonly Suggestion[] {
  const { archive } = text;
  const games = isAlone && about ? about.games : null;
  const byWords: Suggestion = {
    id: "words",
    value: words,
    label: archive.allNamed(words),
    kind: "opening",
    about: games === null ? "" : archive.counts.games(showCount(text, games)),
  };
  return [
    ...(people ? suggestPlayers(text, { ...people, ratings: about?.ratings ?? null }) : []),
    ...(arePartOfNames(words, openings) ? [byWords] : []),
    ...suggestOpenings(text, (openings ?? []).slice(0, OPENINGS_AMONG)),
  ];
}

/** Of which of both nothing was found. */
function nothingOf(text: Catalogue, { words, found: { people, openings } }: Found): readonly string[] {
  return [
    ...(people && people.players.length + people.names.length === 0 ? [showNobody(text, words)] : []),
    ...(openings && openings.length === 0 ? [text.archive.noOpening(words)] : []),
  ];
}
