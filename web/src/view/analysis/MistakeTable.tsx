/**
 * How many inaccuracies, mistakes and blunders each side has, how accurate it was, and what it lost per move. Until all is known
 * it holds for the moves that are, and says so in words; to have no mistake so far says nothing.
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
    const loss = averageLoss(game, known, color);
    return loss === null ? "–" : showFraction(tag, loss / 100, 2);
  };
  const accuracy = (color: "white" | "black"): string => {
    const share = accuracyOf(game, known, color);
    return share === null ? "–" : showPercent(tag, share);
  };
  const soFar = isWhole ? "" : words.soFar;
  return (
    <div class="mistakes">
      <table class="mistake-table">
        <thead>
          <tr>
            <td>{soFar}</td>
            {MARKS.map((mark) => (
              <th scope="col" key={mark} title={words.counted[mark]}>
                <MarkPicture mark={mark} />
                <MarkSign mark={mark} /> <span class="visually-hidden">{words.counted[mark]}</span>
              </th>
            ))}
            {[words.accuracy, words.lost].map((name) => (
              <th scope="col" key={name}>
                {name} <span class="visually-hidden">{soFar}</span>
              </th>
            ))}
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
