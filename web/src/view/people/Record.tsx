/**
 * How many games a player has won, drawn and lost: all, and with each side, unless they are few. A row leads to its games in the
 * list on the same page.
 *
 * Counts nothing itself: the games are counted before the page is shown, so that nothing moves. Nothing is shown of a player
 * without games.
 */
import type { GameCount } from "#protocol";
import type { Color } from "../../chess/square";
import { NO_FILTER } from "../../state/gameFilter";
import { type CountsOfSide, type GameTally, leastOf, tallyOf } from "../../state/gameTally";
import { showGames } from "../archive/arrival";
import { Tally } from "../archive/Tally";
import { useApp, useText } from "../context";
import { PageLink } from "../HomeLink";

/** Of fewer games no shares are told. */
const FEW = 10;

/** In the order of the bar. */
const SHARES = ["won", "drawn", "lost"] as const;

interface Props {
  readonly counted: readonly CountsOfSide[];
}

export function Record({ counted }: Props) {
  const { people } = useText();
  const all = tallyOf(counted);
  if (all.games === 0) return null;
  const isFew = leastOf(all.games) < FEW;
  const of = (color: Color): GameTally => tallyOf(counted.filter((side) => side.color === color));
  return (
    <section class="card record" aria-labelledby="record-title">
      <h2 id="record-title">{people.record.title}</h2>
      <ul>
        <Row of="" tally={all} isFew={isFew} />
        {!isFew && <Row of="white" tally={of("white")} />}
        {!isFew && <Row of="black" tally={of("black")} />}
      </ul>
    </section>
  );
}

interface RowProps {
  readonly of: "" | Color;
  readonly tally: GameTally;
  readonly isFew?: boolean;
}

function Row({ of, tally, isFew = false }: RowProps) {
  const { record } = useText().people;
  const route = useApp((app) => app.route);
  if (route.at !== "player") return null;
  return (
    <li>
      <PageLink to={{ ...route, filter: { ...NO_FILTER, color: of } }} followed={showGames}>
        {of !== "" && <span class={`disc ${of}`} aria-hidden="true" />}
        {record.sides[of || "both"]}
      </PageLink>{" "}
      <span class="quiet">
        <Tally tally={tally} kinds={SHARES} />
      </span>
      {!isFew && <Bar tally={tally} />}
    </li>
  );
}

/** The shares of the games with a result. None is drawn of too many games to count. */
function Bar({ tally }: { readonly tally: GameTally }) {
  const counts: readonly GameCount[] = SHARES.map((share) => tally[share]);
  const known = counts.filter((count) => typeof count === "number");
  const sum = known.reduce((a, b) => a + b, 0);
  const isKnown = known.length === SHARES.length && sum > 0;
  return (
    <svg class="record-bar" viewBox={`0 0 ${sum || 1} 1`} preserveAspectRatio="none" aria-hidden="true">
      {isKnown &&
        SHARES.map((share, index) => (
          <rect
            key={share}
            class={share}
            x={known.slice(0, index).reduce((a, b) => a + b, 0)}
            width={known[index] ?? 0}
            height="1"
          />
        ))}
    </svg>
  );
}
