/** Whether a move can be taken back. The rules of such a game allow it, so it chooses these rules; it cannot be rated. */
import { useText } from "../context";
import type { SetupPart } from "./MoreFields";

interface Props extends SetupPart {
  /** Whether the opponent is asked, who may say no; the computer always agrees. */
  readonly isAsked?: boolean;
}

export function TakebackField({ setup, set, isAsked }: Props) {
  const { home, profiles } = useText();
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={setup.profile === "casual"}
        onChange={(event) => set({ ...setup, profile: event.currentTarget.checked ? "casual" : "fide_online" })}
      />
      <span>
        {profiles.casual.name}
        {isAsked && <span class="quiet"> – {home.takebackAbout}</span>}
      </span>
    </label>
  );
}
