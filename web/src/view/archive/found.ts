/** What the fields of the filters find by a part of a name: openings; players, with their ratings; or both, with how many games. */
import type { AccountId, CategoryRating, FoundOpenings, GameCounts, Player } from "#protocol";
import { type Answer, askJson } from "../../net/ask";
import { type FoundPeople, findOpenings, findPeople } from "../../net/find";
import { mainRating } from "../../state/followed";

/** Of the players whose ratings are known. */
export type Ratings = ReadonlyMap<AccountId, CategoryRating>;

export interface RatedPeople extends FoundPeople {
  readonly ratings: Ratings;
}

/** The rating of each that says most of the player; a list of players has at most eight. */
export async function ratingsOf(accounts: readonly AccountId[]): Promise<Ratings> {
  const answers = await Promise.all(accounts.map((account) => askJson<Player>(`/api/players/${account}`)));
  const ratings = answers.flatMap((answer) => {
    const rating = answer.kind === "there" ? mainRating(answer.value.ratings ?? []) : null;
    return answer.kind === "there" && rating ? [[answer.value.account, rating] as const] : [];
  });
  return new Map(ratings);
}

export async function findRated(beginning: string): Promise<Answer<RatedPeople>> {
  const found = await findPeople(beginning);
  if (found.kind !== "there") return found;
  const ratings = await ratingsOf(found.value.players.map(({ account }) => account));
  return { kind: "there", value: { ...found.value, ratings } };
}

export interface FoundEither {
  readonly people: RatedPeople;
  readonly openings: FoundOpenings["openings"];
  /** With one of these openings; null where it is not known. */
  readonly games: number | null;
}

const NOBODY: RatedPeople = { players: [], names: [], ratings: new Map() };

/** Where the server answers one question alone, what that finds. */
export async function findEither(part: string): Promise<Answer<FoundEither>> {
  const [people, openings, counted] = await Promise.all([
    findRated(part),
    findOpenings(part),
    askJson<GameCounts>(`/api/games/count?opening=${encodeURIComponent(part)}`),
  ]);
  if (people.kind !== "there" && openings.kind !== "there") return people;
  return {
    kind: "there",
    value: {
      people: people.kind === "there" ? people.value : NOBODY,
      openings: openings.kind === "there" ? openings.value.openings : [],
      games: counted.kind === "there" && typeof counted.value.games === "number" ? counted.value.games : null,
    },
  };
}
