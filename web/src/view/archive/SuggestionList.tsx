/**
 * The list below a field of the filters: players with their ratings, openings with their codes and moves, each kind under its name
 * where there are both; and what nothing was found of. It lies over what stands there, so that nothing moves.
 */
import type { FoundOpenings, FoundPlayer } from "#protocol";
import type { Catalogue } from "../../text";
import { showSan } from "../../text/words";
import { keyOf } from "../../state/suggestions";
import { useText } from "../context";
import { intoView, keepFocus, type useListBox } from "../form/listBox";
import { PresenceMark } from "../people/PresenceMark";
import type { RatedPeople, Ratings } from "./found";

export interface Suggestion {
  /** No other suggestion's. */
  readonly id: string;
  /** What comes to stand in the field. */
  readonly value: string;
  /** Whether it says so in other words. */
  readonly label?: string;
  readonly kind: "player" | "opening";
  readonly about: string;
  /** The code of an opening. */
  readonly code?: string;
  readonly here?: boolean;
}

export function suggestPlayers(text: Catalogue, { players, names, ratings }: RatedPeople): readonly Suggestion[] {
  return [
    ...players.map((player) => ({
      id: keyOf(player),
      value: player.name,
      kind: "player" as const,
      about: ratings ? aboutPlayer(text, player, ratings) : "",
      here: player.here,
    })),
    ...names.map((value) => ({ id: keyOf(value), value, kind: "player" as const, about: text.archive.imported })),
  ];
}

/** The rating of a player that says most, or what kind of account it is. */
export function aboutPlayer({ account, people }: Catalogue, player: FoundPlayer, ratings: Ratings): string {
  const rating = ratings.get(player.account);
  const kind = player.bot ? account.kinds.bot : "";
  const rated =
    rating && `${account.categories[rating.category]} ${people.rating(rating.rating, rating.provisional === true)}`;
  return [kind, rated].filter(Boolean).join(" · ") || account.kinds.registered;
}

export function suggestOpenings(text: Catalogue, openings: FoundOpenings["openings"]): readonly Suggestion[] {
  return openings.map(({ eco, name, moves }) => ({
    id: `opening ${moves}`,
    value: name,
    kind: "opening",
    about: showSan(text, moves),
    code: eco,
  }));
}

interface Props extends Pick<ReturnType<typeof useListBox<Suggestion>>, "list" | "option"> {
  readonly label: string;
  readonly all: readonly Suggestion[];
  /** What nothing was found of. */
  readonly none?: readonly string[];
  /** Whether each kind stands under its name. */
  readonly isOfBoth?: boolean;
}

export function SuggestionList({ label, all, none = [], isOfBoth = false, list, option }: Props) {
  const { archive } = useText();
  const rows = (shown: readonly Suggestion[]) =>
    shown.map((one) => <Row key={one.id} one={one} option={option(all.indexOf(one))} />);
  const kinds = (["player", "opening"] as const).filter((kind) => all.some((one) => one.kind === kind));
  return (
    <div key={all.length} ref={intoView} class="suggestions in-parts" onPointerDown={keepFocus}>
      {none.map((words) => (
        <p key={words} class="quiet">
          {words}
        </p>
      ))}
      {all.length > 0 && (
        <div {...list} aria-label={label}>
          {isOfBoth
            ? kinds.map((kind) => (
                <div key={kind} role="group" aria-label={archive[kind]}>
                  <span class="quiet suggested-kind" aria-hidden="true">
                    {archive[kind]}
                  </span>
                  {rows(all.filter((one) => one.kind === kind))}
                </div>
              ))
            : rows(all)}
        </div>
      )}
    </div>
  );
}

interface RowProps {
  readonly one: Suggestion;
  readonly option: ReturnType<Props["option"]>;
}

function Row({ one: { value, label, kind, about, code, here }, option }: RowProps) {
  const { lobby } = useText();
  return (
    <div {...option}>
      {code !== undefined && <span class="quiet">{code}</span>}
      {here && (
        <PresenceMark presence="here">
          <span class="visually-hidden">{lobby.here}</span>
        </PresenceMark>
      )}
      <span class="suggested">
        {label === undefined ? <span lang={kind === "opening" ? "en" : undefined}>{value}</span> : label}{" "}
        <span class="quiet">{about}</span>
      </span>
    </div>
  );
}
