/** Which side one plays in a game that one sets up: either, or by lot. */
import type { Color } from "../../chess/square";
import { useText } from "../context";
import { Segments } from "../form/Segments";
import type { SetupPart } from "./MoreFields";

const COLORS: readonly (Color | null)[] = [null, "white", "black"];

/** `name`: of the radio buttons, which no others on the page have. */
export function ColorFields({ setup, set, name }: SetupPart & { readonly name: string }) {
  const { home, sides } = useText();
  return (
    <Segments
      legend={home.color}
      name={name}
      of={COLORS}
      show={(color) => (color ? sides[color] : home.random)}
      isChosen={(color) => setup.color === color}
      choose={(color) => set({ ...setup, color })}
    />
  );
}
