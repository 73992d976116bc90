/**
 * One's ratings, in a line of the head that leads to one's own page: the one of most games first, as many as fit. The games that
 * made them stand in the list of the last ones. Without any, the line says where it leads to. Until that is known it has no words,
 * so that nothing moves.
 */
import type { AccountId, Player } from "#protocol";
import { useText } from "../context";
import { useFetched } from "../fetched";
import { PageLink } from "../HomeLink";
import { RatingOf } from "../PlayerLink";

export function OwnLine({ account }: { readonly account: AccountId }) {
  const { categories, menu } = useText().account;
  const { fetched } = useFetched<Player>(`/api/players/${account}`);
  const ratings = fetched.state === "there" ? (fetched.value.ratings ?? []) : [];
  if (fetched.state === "loading") return <p>{"\u00a0"}</p>;
  const isNone = ratings.length === 0;
  return (
    <p>
      <PageLink class={isNone ? "own-line words-alone" : "own-line"} to={{ at: "player", who: account, games: true }}>
        <span class={isNone ? "" : "visually-hidden"}>
          {menu.games}
          {!isNone && ": "}
        </span>
        {[...ratings]
          .sort((a, b) => b.games - a.games)
          .map(({ category, rating, provisional }) => (
            <span key={category}>
              {categories[category]}
              <RatingOf points={rating} isProvisional={provisional === true} />
            </span>
          ))}
      </PageLink>
    </p>
  );
}
