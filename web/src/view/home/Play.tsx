/** Two tabs: the pools, and the form for a custom game, which is there from when it is first asked for. */
import { useEffect, useRef } from "preact/hooks";
import { setupOfPool } from "../../state/setup";
import { useApp, useText } from "../context";
import { tabKeys } from "../tabs";
import { NewGame } from "./NewGame";
import { Pools } from "./Pools";

export type Way = "quick" | "custom";
const WAYS: readonly Way[] = ["quick", "custom"];

/** Each time the form is asked for it begins anew, with a new number, and for the opponent whom it was asked for. */
export interface FormStart {
  readonly n: number;
  /** Anybody, with a clock that no tile has; or whoever is chosen in the form. */
  readonly opponent: "anybody" | "chosen";
}
export const FIRST_FORM: FormStart = { n: 0, opponent: "chosen" };

interface Props {
  readonly way: Way;
  readonly form: FormStart;
  setWay(way: Way): void;
  begin(opponent: FormStart["opponent"]): void;
}

export function Play({ way, form, setWay, begin }: Props) {
  const text = useText();
  const custom = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (form.n > 0 && way === "custom") custom.current?.focus();
    // The form has more height than a phone has left below the buttons.
    if (way === "custom") custom.current?.closest("section")?.scrollIntoView({ block: "nearest" });
  }, [form.n, way]);
  return (
    <section class="card play" aria-label={text.lobby.ways}>
      <div class="tabs" role="tablist" aria-label={text.lobby.ways} onKeyDown={tabKeys(WAYS, way, setWay)}>
        {WAYS.map((one) => (
          <button
            type="button"
            role="tab"
            key={one}
            {...(one === "custom" ? { ref: custom } : {})}
            id={`tab-${one}`}
            aria-selected={way === one}
            aria-controls={`panel-${one}`}
            tabIndex={way === one ? 0 : -1}
            onClick={() => setWay(one)}
          >
            {text.lobby[one]}
          </button>
        ))}
      </div>
      {WAYS.map((one) => (
        <div role="tabpanel" key={one} id={`panel-${one}`} aria-labelledby={`tab-${one}`} hidden={way !== one}>
          {one === "quick" ? (
            <Pools otherClock={() => begin("anybody")} />
          ) : (
            form.n > 0 && <FormFor key={form.n} {...form} />
          )}
        </div>
      ))}
    </section>
  );
}

/**
 * Begins with the clock of the pool that was joined last, as the main button does. Whoever comes from the pools looks for
 * anybody, with a clock that no tile has.
 */
function FormFor({ opponent }: Pick<FormStart, "opponent">) {
  const usual = setupOfPool(useApp((app) => app.settings.pool));
  const isForAnybody = opponent === "anybody";
  return <NewGame first={isForAnybody ? { ...usual, audience: "lobby" } : usual} hasOtherClock={isForAnybody} />;
}
