/**
 * Finished games of one or several searches as one list, newest first, read page by page.
 *
 * What the server cannot look for is looked for here, among the games that it sends: `fits`. A turn asks for a bounded
 * number of pages, and what it has found when a request fails comes with the next turn.
 */
import type { PlayedGame, PlayedGames } from "#protocol";
import { type Answer, askJson } from "./ask";

/** The games of a turn, as many as a page of the server has. */
const GAMES_A_TURN = 50;
/** So many requests a turn at most: 500 games are looked at when few of them fit. */
export const REQUESTS_A_TURN = 10;

type Failure = Exclude<Answer<unknown>, { readonly kind: "there" }>;

interface List {
  readonly query: string;
  /** Read, and not yet looked at. */
  games: PlayedGame[];
  /** From where to read on; undefined before the first page, null after the last one. */
  next: string | undefined | null;
}

export class GameReader {
  private readonly lists: readonly List[];
  private found: PlayedGame[] = [];
  /** How many games have been looked at. */
  looked = 0;

  constructor(
    readonly queries: readonly string[],
    private readonly fits: (game: PlayedGame) => boolean = () => true,
    private readonly ask: (path: string) => Promise<Answer<PlayedGames>> = askJson,
  ) {
    this.lists = queries.map((query) => ({ query, games: [], next: undefined }));
  }

  get isAtEnd(): boolean {
    return this.lists.every(({ games, next }) => games.length === 0 && next === null);
  }

  /** The next games that fit. None, though it is not at the end, if a whole turn has found none. */
  async turn(): Promise<readonly PlayedGame[] | Failure> {
    let requests = 0;
    while (this.found.length < GAMES_A_TURN) {
      // The newest game of all is known when each list has one, or has no more.
      const dry = this.lists.find(({ games, next }) => games.length === 0 && next !== null);
      if (dry) {
        if (requests === REQUESTS_A_TURN) break;
        requests += 1;
        const failure = await this.read(dry);
        if (failure) return failure;
        continue;
      }
      const game = this.newest();
      if (!game) break;
      this.looked += 1;
      if (this.fits(game)) this.found.push(game);
    }
    return this.found.splice(0);
  }

  private async read(list: List): Promise<Failure | null> {
    const before = list.next ? `&before=${encodeURIComponent(list.next)}` : "";
    const answer = await this.ask(`/api/games?${list.query}${before}`);
    if (answer.kind !== "there") return answer;
    list.games = [...answer.value.games];
    list.next = answer.value.next ?? null;
    return null;
  }

  private newest(): PlayedGame | undefined {
    const [first] = this.lists
      .filter(({ games }) => games.length > 0)
      .sort((a, b) => (b.games[0]?.ended ?? 0) - (a.games[0]?.ended ?? 0));
    return first?.games.shift();
  }
}
