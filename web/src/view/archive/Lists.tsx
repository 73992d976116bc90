/**
 * The lists at the head of all games: those of everybody, one's own, those that were played elsewhere. Each is an address, with no
 * other condition; one's own are not offered to a visitor without an account.
 */
import { useText } from "../context";
import { PageLink } from "../HomeLink";
import { type ListOf, type Own, wholeOf } from "./whose";

interface Props {
  readonly shown: ListOf;
  readonly own: Own | null;
}

export function Lists({ shown, own }: Props) {
  const { archive, home } = useText();
  const names: Record<ListOf, string> = { all: archive.all, own: home.yourGames, imported: archive.origins.imported };
  const lists = (Object.keys(names) as ListOf[]).filter((list) => list !== "own" || own);
  return (
    <nav aria-label={archive.title}>
      <ul class="lists">
        {lists.map((list) => (
          <li key={list}>
            <PageLink to={{ at: "games", filter: wholeOf(list, own) }} {...(list === shown && { current: "page" })}>
              {names[list]}
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
