/**
 * A player's ratings: one for each category with rated games, with a sign that a press unfolds its course, and the course of the
 * one that is chosen. None is chosen at first where its course would stand above the games.
 */
import { useEffect, useState } from "preact/hooks";
import type {
  AccountId,
  CategoryRating,
  GameId,
  PastRating,
  PlayedGames,
  PlayerView,
  RatingHistory,
  WireCategory,
} from "#protocol";
import { askJson } from "../../net/ask";
import { rowOf } from "../../state/played";
import { mainRating } from "../../state/followed";
import { highlightsOf } from "../../state/highlights";
import { COURSE_GAMES, FIRST_RATING, chartOf } from "../../state/ratings";
import { showDay } from "../locale";
import { useText } from "../context";
import { PageLink } from "../HomeLink";
import { Icon } from "../Icon";
import { NameLink } from "../PlayerLink";
import { fateOfPoints } from "./fates";
import { RatingChart } from "./RatingChart";

/** The figures are above the games where they have no room beside them. */
const BESIDE = "(min-width: 60rem)";

/** Shown of a player who has played no rated game. */
const USUAL: readonly WireCategory[] = ["bullet", "blitz", "rapid"];

/** Of a player who may play rated games. */
export function Ratings({ account, ratings }: { account: AccountId; ratings: readonly CategoryRating[] }) {
  const text = useText();
  const { ratings: words, rating } = text.people;
  const main = mainRating(ratings);
  const isCourseFirst = main !== null && main.games >= COURSE_GAMES && matchMedia(BESIDE).matches;
  const [chosen, choose] = useState<WireCategory | null>(isCourseFirst ? main.category : null);
  const isProvisional = ratings.length === 0 || ratings.some((one) => one.category === chosen && one.provisional);
  return (
    <section class="card ratings" aria-labelledby="ratings-title">
      <h2 id="ratings-title">{words.title}</h2>
      <div class="rating-tiles" role="group" aria-label={words.category}>
        {ratings.map((one) => (
          <button
            type="button"
            key={one.category}
            aria-expanded={one.category === chosen}
            aria-controls="rating-course"
            onClick={() => choose(one.category === chosen ? null : one.category)}
          >
            <span class="quiet">{text.account.categories[one.category]}</span>
            <strong>{rating(one.rating, one.provisional === true)}</strong>
            <span class="quiet">
              {words.games(one.games)} <Icon name="unfold" />
            </span>
          </button>
        ))}
        {ratings.length === 0 &&
          USUAL.map((category) => (
            <p key={category}>
              <span class="quiet">{text.account.categories[category]}</span>{" "}
              <strong>{rating(FIRST_RATING, true)}</strong>
            </p>
          ))}
      </div>
      {isProvisional && <p class="quiet provisional-about">{words.provisional}</p>}
      <div id="rating-course">{chosen && <Course key={chosen} account={account} category={chosen} />}</div>
    </section>
  );
}

/** Changes name the other player by the account; the games that made them have the name. */
type Opponents = ReadonlyMap<GameId, PlayerView>;

interface Known {
  readonly changes: readonly PastRating[];
  readonly opponents: Opponents;
  /** The cursors of the next page; undefined on the last one. */
  readonly next: string | undefined;
  readonly nextGames: string | undefined;
  readonly state: "loading" | "there" | "failed";
}

function Course({ account, category }: { account: AccountId; category: WireCategory }) {
  const text = useText();
  const { ratings: words } = text.people;
  const [known, set] = useState<Known>(NOTHING);
  const load = async (): Promise<void> => {
    const { next, nextGames } = known;
    set({ ...known, state: "loading" });
    const games = new URLSearchParams({
      player: account,
      category,
      rated: "true",
      ...(nextGames && { before: nextGames }),
    });
    const [changes, played] = await Promise.all([
      askJson<RatingHistory>(`/api/players/${account}/ratings/${category}${next ? `?before=${next}` : ""}`),
      askJson<PlayedGames>(`/api/games?${games}`),
    ]);
    if (changes.kind !== "there") return set({ ...known, state: "failed" });
    set({
      changes: [...known.changes, ...changes.value.changes],
      opponents: new Map([...known.opponents, ...(played.kind === "there" ? opponentsIn(played.value, account) : [])]),
      next: changes.value.next,
      nextGames: played.kind === "there" ? played.value.next : nextGames,
      state: "there",
    });
  };
  useEffect(() => void load(), []);
  const chart = chartOf(known.changes);
  return (
    <>
      {chart && <RatingChart chart={chart} name={text.account.categories[category]} opponents={known.opponents} />}
      <HighlightList changes={known.changes} isWhole={known.next === undefined} />
      {chart && (
        <details>
          <summary>{words.table}</summary>
          <Table {...known} />
        </details>
      )}
      <p role="status" class="quiet course-state">
        {known.state === "loading" ? text.lobby.loading : known.state === "failed" ? text.lobby.failed : ""}
      </p>
      {known.state !== "loading" && (known.next !== undefined || known.state === "failed") && (
        <button type="button" onClick={() => void load()}>
          {known.state === "failed" ? text.lobby.again : words.older}
        </button>
      )}
    </>
  );
}

const NOTHING: Known = { changes: [], opponents: new Map(), next: undefined, nextGames: undefined, state: "loading" };

function opponentsIn({ games }: PlayedGames, account: AccountId): Opponents {
  return new Map(games.map((game) => [game.game, rowOf(game, account).opponent]));
}

interface HighlightProps {
  readonly changes: readonly PastRating[];
  readonly isWhole: boolean;
}

/** What stands out in the changes that are shown. */
function HighlightList({ changes, isWhole }: HighlightProps) {
  const text = useText();
  const { ratings: words, rating } = text.people;
  const found = highlightsOf(changes);
  if (!found) return null;
  const { peak, best, opponents } = found;
  return (
    <ul class="quiet rating-highlights">
      {!isWhole && <li>{words.latest(changes.length)}</li>}
      <li>{words.peak(rating(peak.after, peak.provisional === true), showDay(text, peak.at))}</li>
      {best && (
        <li>
          <PageLink to={{ at: "game", id: best.game }}>{words.bestWin(best.opponent_rating)}</PageLink>
        </li>
      )}
      <li>{words.opponents(opponents)}</li>
    </ul>
  );
}

function Table({ changes, opponents }: Pick<Known, "changes" | "opponents">) {
  const text = useText();
  const { ratings: words, rating } = text.people;
  return (
    <table class="rating-table">
      <thead>
        <tr>
          <th scope="col">{words.day}</th>
          <th scope="col">{words.result}</th>
          <th scope="col">{words.change}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((one) => (
          <tr key={`${one.game} ${one.at} ${one.cause}`}>
            <td>
              <PageLink to={{ at: "game", id: one.game }}>{showDay(text, one.at)}</PageLink>
            </td>
            <td>
              <div>{fateOfPoints(text, one)}</div>
              <OpponentName player={opponents.get(one.game)} />
              {one.opponent_rating}
            </td>
            <td>
              {words.step(one.before, one.after)}
              {one.provisional && <span class="visually-hidden">, {rating(one.after, true)}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Nothing before the game is known, and where the server did not give it. */
function OpponentName({ player }: { player: PlayerView | undefined }) {
  if (!player) return null;
  return (
    <>
      <NameLink player={player} />{" "}
    </>
  );
}
