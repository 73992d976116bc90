/**
 * What the fields of the filters find by a part of a name: players with their ratings, or players and openings, of which ratings and
 * numbers of games are found afterwards.
 */
import type { AccountId, CategoryRating, FoundOpenings, GameCount, GameCounts, Player } from "#protocol";
import { type Answer, askJson } from "../../net/ask";
import { type FoundPeople, findOpenings, findPeople } from "../../net/find";
import { mainRating } from "../../state/followed";
import { isEcoCode } from "../../state/gameFilter";
import { decidedOf } from "../../state/gameTally";

/** Of the players whose ratings are known. */
export type Ratings = ReadonlyMap<AccountId, CategoryRating>;

export interface RatedPeople extends FoundPeople {
  /** Null until they are known. */
  readonly ratings: Ratings | null;
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
  /** Null where the server did not say. */
  readonly people: FoundPeople | null;
  readonly openings: FoundOpenings["openings"] | null;
}

/** Where the server answers one question alone, what that finds. */
export async function findEither(part: string): Promise<Answer<FoundEither>> {
  const [people, openings] = await Promise.all([findPeople(part), findOpenings(part)]);
  if (people.kind !== "there" && openings.kind !== "there") return people;
  return {
    kind: "there",
    value: {
      people: people.kind === "there" ? people.value : null,
      openings: openings.kind === "there" ? openings.value.openings : null,
    },
  };
}

/** Whether these words are a part of openings' names: none is called just so, and they are no code. */
export function arePartOfNames(words: string, openings: FoundEither["openings"]): boolean {
  if (!openings || openings.length === 0 || isEcoCode(words)) return false;
  return !openings.some(({ name }) => name.toLowerCase() === words.toLowerCase());
}

/** What is said of players and openings beside their names. */
export interface AboutEither {
  readonly ratings: Ratings;
  /** The games with a result that had an opening with the words in its name; null where they are not counted. */
  readonly games: GameCount | null;
}

export async function findAbout(
  words: string,
  { people, openings }: FoundEither,
  isCounted: boolean,
): Promise<Answer<AboutEither>> {
  const [ratings, counted] = await Promise.all([
    ratingsOf(people?.players.map(({ account }) => account) ?? []),
    isCounted && arePartOfNames(words, openings)
      ? askJson<GameCounts>(`/api/games/count?opening=${encodeURIComponent(words)}`)
      : null,
  ]);
  return { kind: "there", value: { ratings, games: counted?.kind === "there" ? decidedOf(counted.value) : null } };
}
