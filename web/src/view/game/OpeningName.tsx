/** The name of the opening of a finished game, which only an answer over HTTP has. Until it has come its line stands empty. */
import type { GameId, Snapshot } from "#protocol";
import { useFetched } from "../fetched";

export function OpeningName({ game }: { readonly game: GameId }) {
  const { fetched } = useFetched<Snapshot>(`/api/games/${game}`);
  const name = fetched.state === "there" ? fetched.value.opening?.name : undefined;
  return <span lang="en">{name ?? "\u00a0"}</span>;
}
