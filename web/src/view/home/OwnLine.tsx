/**
 * One's ratings, in a line of the head that leads to one's own page: the one of most games first, as many as fit. The games that
 * made them stand in the list of the last ones. Until they are known the line has no words, so that nothing moves.
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
  if (ratings.length === 0) return <p>{"\u00a0"}</p>;
  return (
    <p>
      <PageLink class="own-line" to={{ at: "player", who: account, games: true }}>
        <span class="visually-hidden">{menu.games}: </span>
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
