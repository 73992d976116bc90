/** Two tabs: the pools, and the form for a custom game. */
import { useEffect, useRef } from "preact/hooks";
import { useText } from "../context";
import { NewGame } from "./NewGame";
import { Pools } from "./Pools";

export type Way = "quick" | "custom";
const WAYS: readonly Way[] = ["quick", "custom"];

interface Props {
  readonly way: Way;
  /** A new number resets the form. */
  readonly formKey: number;
  setWay(way: Way): void;
}

export function Play({ way, formKey, setWay }: Props) {
  const text = useText();
  const custom = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (formKey === 0) return;
    custom.current?.focus();
    // The form has more height than a phone has left below the buttons.
    custom.current?.closest("section")?.scrollIntoView({ block: "nearest" });
  }, [formKey]);
  const show = (next: Way): void => {
    setWay(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    show(way === "quick" ? "custom" : "quick");
  };
  return (
    <section class="card play" aria-label={text.lobby.ways}>
      <div class="tabs" role="tablist" aria-label={text.lobby.ways} onKeyDown={keys}>
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
          {one === "quick" ? <Pools custom={() => show("custom")} /> : <NewGame key={formKey} />}
        </div>
      ))}
    </section>
  );
}
