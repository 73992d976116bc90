/**
 * Whether a move can be taken back. The rules of such a game allow it, so it chooses these rules; it cannot be rated. Rules that
 * somebody has chosen it leaves alone: where they have no takebacks it says so.
 */
import { isOnline } from "../../state/setup";
import { useText } from "../context";
import type { SetupPart } from "./MoreFields";

interface Props extends SetupPart {
  /** Whether the opponent is asked, who may say no; the computer always agrees. */
  readonly isAsked?: boolean;
}

export function TakebackField({ setup, set, isAsked }: Props) {
  const { home, profiles } = useText();
  const isOff = !isOnline(setup.profile);
  const about = isOff ? home.takebackNot(profiles[setup.profile].name) : isAsked && home.takebackAbout;
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={setup.profile === "casual"}
        disabled={isOff}
        onChange={(event) => set({ ...setup, profile: event.currentTarget.checked ? "casual" : "fide_online" })}
      />
      <span>
        {profiles.casual.name}
        {about && <span class="quiet"> – {about}</span>}
      </span>
    </label>
  );
}
