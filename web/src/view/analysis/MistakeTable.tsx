/**
 * How many inaccuracies, mistakes and blunders each side has, as far as known; and how accurate it was, and what it lost per move,
 * once all is known: of a part of the game these would be something else, and to have none so far says nothing.
 */
import {
  type Evaluations,
  MARKS,
  type MarkedMove,
  accuracyOf,
  averageLoss,
  countsOf,
} from "../../state/analysis/mistakes";
import type { GameMoves } from "../../state/analysis/times";
import { showFraction, showPercent } from "../../text/numbers";
import { useText } from "../context";
import { MarkPicture, MarkSign } from "./Mark";

interface Props {
  readonly game: GameMoves;
  readonly known: Evaluations;
  readonly mistakes: readonly MarkedMove[];
  /** Whether all is known that there is to know. */
  readonly isWhole: boolean;
}

export function MistakeTable({ game, known, mistakes, isWhole }: Props) {
  const { analysis, sides, tag } = useText();
  const { whole: words } = analysis;
  const lossOf = (color: "white" | "black"): string => {
    const loss = isWhole ? averageLoss(game, known, color) : null;
    if (loss === null) return "–";
    return showFraction(tag, loss / 100, 2);
  };
  const accuracy = (color: "white" | "black"): string => {
    const share = isWhole ? accuracyOf(game, known, color) : null;
    if (share === null) return "–";
    return showPercent(tag, share);
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
                <td key={MARKS[index]}>{isWhole || count > 0 ? count : "–"}</td>
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
