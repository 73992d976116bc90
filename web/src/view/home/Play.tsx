/** Two tabs: the pools, and the form for a custom game, which is there from when it is first asked for. */
import { useEffect, useRef } from "preact/hooks";
import { setupOfPool } from "../../state/setup";
import { useApp, useText } from "../context";
import { tabKeys } from "../tabs";
import { NewGame } from "./NewGame";
import { Pools } from "./Pools";

export type Way = "quick" | "custom";
const WAYS: readonly Way[] = ["quick", "custom"];

/** Each time the form is asked for it begins anew, with a new number. */
export interface FormStart {
  readonly n: number;
  /** Whether it was asked for because of a clock that no tile has. */
  readonly hasOtherClock: boolean;
}
export const FIRST_FORM: FormStart = { n: 0, hasOtherClock: false };

interface Props {
  readonly way: Way;
  readonly form: FormStart;
  setWay(way: Way): void;
  begin(hasOtherClock: boolean): void;
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
            <Pools otherClock={() => begin(true)} />
          ) : (
            form.n > 0 && <FormFor key={form.n} {...form} />
          )}
        </div>
      ))}
    </section>
  );
}

/**
 * Begins with the clock of the pool that was joined last, as the main button does, and for anybody: a friend has a button of
 * their own.
 */
function FormFor({ hasOtherClock }: Pick<FormStart, "hasOtherClock">) {
  const usual = setupOfPool(useApp((app) => app.settings.pool));
  return <NewGame first={{ ...usual, audience: "lobby" }} hasOtherClock={hasOtherClock} />;
}
