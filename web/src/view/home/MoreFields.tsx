/**
 * The rare settings of a game, which are shown on request: Chess960, other rules, a start position.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { WireProfile } from "#protocol";
import { type Setup, hasClock, hasIlc } from "../../state/setup";
import { aboutRules } from "../../text/terms";
import { useText } from "../context";

const PROFILES: readonly WireProfile[] = ["fide_online", "fide_board", "us_chess", "casual"];

export interface SetupPart {
  readonly setup: Setup;
  set(setup: Setup): void;
}

interface Props extends SetupPart {
  /** Whether the opponent is the computer. */
  readonly isComputer?: boolean;
  readonly children?: ComponentChildren;
}

export function MoreFields({ setup, set, isComputer = false, children }: Props) {
  const text = useText();
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    // A browser cannot show what is wrong in a field that is hidden. The event does not bubble.
    const open = (): void => void details.current?.setAttribute("open", "");
    details.current?.addEventListener("invalid", open, true);
    return () => details.current?.removeEventListener("invalid", open, true);
  }, []);
  return (
    <details
      ref={details}
      onToggle={(event) => event.currentTarget.open && event.currentTarget.scrollIntoView({ block: "start" })}
    >
      <summary>{text.home.more}</summary>
      <div class="more">
        {children}
        <label class="check">
          <input
            type="checkbox"
            checked={setup.chess960}
            onChange={(event) => set({ ...setup, chess960: event.currentTarget.checked })}
          />
          <span>
            {text.home.variant} <span class="quiet">– {text.home.variantAbout}</span>
          </span>
        </label>
        <Rules setup={setup} set={set} isComputer={isComputer} />
        <label class="field wide">
          <span>{text.home.fen}</span>
          <input
            type="text"
            autocomplete="off"
            spellcheck={false}
            value={setup.fen}
            placeholder={text.home.fenHint}
            onInput={(event) => set({ ...setup, fen: event.currentTarget.value })}
          />
        </label>
      </div>
    </details>
  );
}

function Rules({ setup, set, isComputer = false }: Omit<Props, "children">) {
  const text = useText();
  return (
    <>
      <label class="field">
        <span>{text.home.rules}</span>
        <select
          value={setup.profile}
          onChange={(event) => set({ ...setup, profile: event.currentTarget.value as WireProfile })}
        >
          {PROFILES.map((profile) => (
            <option key={profile} value={profile}>
              {text.profiles[profile].name}
            </option>
          ))}
        </select>
      </label>
      <p class="quiet">{aboutRules(text, setup.profile, hasClock(setup), isComputer)}</p>
      {hasIlc(setup.profile) && (
        <label class="check">
          <input
            type="checkbox"
            checked={setup.ilc}
            onChange={(event) => set({ ...setup, ilc: event.currentTarget.checked })}
          />
          <span>{text.home.ilc}</span>
        </label>
      )}
      {setup.profile === "fide_board" && (
        <label class="field">
          <span>{text.lobby.noDrawBefore}</span>
          <input
            type="number"
            inputMode="numeric"
            min={0}
            max={200}
            value={setup.noDrawBefore}
            placeholder={text.lobby.noDrawHint}
            onInput={(event) => set({ ...setup, noDrawBefore: event.currentTarget.value })}
          />
        </label>
      )}
    </>
  );
}
