/** How many games there are and how many of them were won, drawn and lost, in words. No count breaks within itself. */
import { Fragment } from "preact";
import type { GameCount } from "#protocol";
import type { GameTally } from "../../state/gameTally";
import type { Catalogue } from "../../text";
import { useText } from "../context";

interface Props {
  readonly tally: GameTally;
  readonly kinds: readonly (keyof Catalogue["archive"]["counts"])[];
}

export function Tally({ tally, kinds }: Props) {
  const text = useText();
  const { archive } = text;
  const show = (count: GameCount): string =>
    typeof count === "number"
      ? count.toLocaleString(text.tag)
      : archive.atLeast(count.at_least.toLocaleString(text.tag));
  // Games without a result are rare.
  const shown = kinds.filter((kind) => kind !== "others" || tally.others !== 0);
  return shown.map((kind, index) => (
    <Fragment key={kind}>
      {index > 0 && " · "}
      <span class="count">{archive.counts[kind](show(tally[kind]))}</span>
    </Fragment>
  ));
}
