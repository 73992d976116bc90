/**
 * How many games a player has won, drawn and lost: all, and with each side, unless they are few. A row leads to its games in the
 * list on the same page.
 *
 * Asked for when the page opens. Nothing is shown of a player without games, nor where the server could not count.
 */
import type { GameCount, Player } from "#protocol";
import type { Color } from "../../chess/square";
import { NO_FILTER, bySide } from "../../state/gameFilter";
import { type GameTally, leastOf, tallyOf } from "../../state/gameTally";
import { countsOf } from "../archive/games";
import { showGames } from "../archive/arrival";
import { Tally } from "../archive/Tally";
import { useApp, useText } from "../context";
import { PageLink } from "../HomeLink";
import { useLoaded } from "../fetched";

/** Of fewer games no shares are told. */
const FEW = 10;

/** In the order of the bar. */
const SHARES = ["won", "drawn", "lost"] as const;

export function Record({ player }: { readonly player: Player }) {
  const { people } = useText();
  const { fetched } = useLoaded(() => countsOf(bySide(player.account, NO_FILTER)), player.account);
  const sides = fetched.state === "there" ? fetched.value : [];
  const all = fetched.state === "there" ? tallyOf(sides) : null;
  if (all ? all.games === 0 : fetched.state !== "loading") return null;
  // Before they are counted there are as many as the ratings tell of.
  const least = all ? leastOf(all.games) : (player.ratings ?? []).reduce((sum, { games }) => sum + games, 0);
  const isFew = least < FEW;
  const of = (color: Color): GameTally | null => all && tallyOf(sides.filter((side) => side.color === color));
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
  readonly tally: GameTally | null;
  readonly isFew?: boolean;
}

/** Keeps its place while the tally is not known. */
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
      <span class="quiet">{tally ? <Tally tally={tally} kinds={SHARES} /> : "\u00a0"}</span>
      {!isFew && <Bar tally={tally} />}
    </li>
  );
}

/** The shares of the games with a result. None is drawn of too many games to count. */
function Bar({ tally }: { readonly tally: GameTally | null }) {
  const counts: readonly GameCount[] = SHARES.map((share) => tally?.[share] ?? 0);
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
