/** The buttons that step through an analysis and turn its board, and what else stands in their row. */
import type { ComponentChildren } from "preact";
import { useText } from "../context";
import { Icon } from "../Icon";

interface Props {
  first(): void;
  back(): void;
  forward(): void;
  last(): void;
  flip(): void;
  readonly children: ComponentChildren;
}

export function StepButtons({ first, back, forward, last, flip, children }: Props) {
  const { analysis, board, game } = useText();
  const button = (label: string, icon: "first" | "back" | "forward" | "last" | "flip", act: () => void) => (
    <button type="button" aria-label={label} title={label} onClick={act}>
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="steps" role="group" aria-label={analysis.moves}>
      {button(game.first, "first", first)}
      {button(game.back, "back", back)}
      {button(game.forward, "forward", forward)}
      {button(game.last, "last", last)}
      {button(board.flip, "flip", flip)}
      {children}
    </div>
  );
}
