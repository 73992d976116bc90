/** How many games there are and how many of them were won, drawn and lost, in words. No count breaks within itself. */
import { Fragment } from "preact";
import type { GameCount } from "#protocol";
import { type GameTally, leastOf } from "../../state/gameTally";
import type { Catalogue } from "../../text";
import { showWhole } from "../../text/numbers";
import { useText } from "../context";

interface Props {
  readonly tally: GameTally;
  readonly kinds: readonly (keyof Catalogue["archive"]["counts"])[];
}

/** A number, or that there are more games than were counted. */
export function showCount({ archive, tag }: Catalogue, count: GameCount): string {
  const counted = showWhole(tag, leastOf(count));
  return typeof count === "number" ? counted : archive.atLeast(counted);
}

export function Tally({ tally, kinds }: Props) {
  const text = useText();
  const { archive } = text;
  // Games without a result are rare.
  const shown = kinds.filter((kind) => kind !== "others" || tally.others !== 0);
  return shown.map((kind, index) => (
    <Fragment key={kind}>
      {index > 0 && " · "}
      <span class="count">{archive.counts[kind](showCount(text, tally[kind]))}</span>
    </Fragment>
  ));
}
