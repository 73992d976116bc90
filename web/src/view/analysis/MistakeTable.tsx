/** How many inaccuracies, mistakes and blunders each side has, how accurate it was, and what it lost per move, as far as known. */
import {
  type Evaluations,
  MARKS,
  type MarkedMove,
  accuracyOf,
  averageLoss,
  countsOf,
} from "../../state/analysis/mistakes";
import type { GameMoves } from "../../state/analysis/times";
import { useText } from "../context";
import { MarkPicture, MarkSign } from "./Mark";

interface Props {
  readonly game: GameMoves;
  readonly known: Evaluations;
  readonly mistakes: readonly MarkedMove[];
}

export function MistakeTable({ game, known, mistakes }: Props) {
  const { analysis, sides, tag } = useText();
  const { whole: words } = analysis;
  const lossOf = (color: "white" | "black"): string => {
    const loss = averageLoss(game, known, color);
    if (loss === null) return "–";
    return (loss / 100).toLocaleString(tag, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  };
  const accuracy = (color: "white" | "black"): string => {
    const share = accuracyOf(game, known, color);
    if (share === null) return "–";
    return (share / 100).toLocaleString(tag, { style: "percent" });
  };
  return (
    <div class="mistakes">
      <table class="mistake-table">
        <thead>
          <tr>
            <td />
            {MARKS.map((mark) => (
              <th scope="col" key={mark} title={words.counted[mark]}>
                <MarkPicture mark={mark} />
                <MarkSign mark={mark} /> <span class="visually-hidden">{words.counted[mark]}</span>
              </th>
            ))}
            <th scope="col">{words.accuracy}</th>
            <th scope="col">{words.lost}</th>
          </tr>
        </thead>
        <tbody>
          {(["white", "black"] as const).map((color) => (
            <tr key={color}>
              <th scope="row">{sides[color]}</th>
              {countsOf(mistakes, color).map((count, index) => (
                <td key={MARKS[index]}>{count}</td>
              ))}
              <td>{accuracy(color)}</td>
              <td>{lossOf(color)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
