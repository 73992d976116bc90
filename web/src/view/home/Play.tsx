/** Two ways to play, as tabs: a pool, or a game of one's own terms. */
import { useState } from "preact/hooks";
import { useText } from "../context";
import { NewGame } from "./NewGame";
import { Pools } from "./Pools";

type Way = "quick" | "custom";
const WAYS: readonly Way[] = ["quick", "custom"];

export function Play() {
  const text = useText();
  const [way, setWay] = useState<Way>("quick");
  const keys = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    const next = way === "quick" ? "custom" : "quick";
    setWay(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <section class="card play" aria-label={text.lobby.ways}>
      <div class="tabs" role="tablist" aria-label={text.lobby.ways} onKeyDown={keys}>
        {WAYS.map((one) => (
          <button type="button" role="tab" key={one} id={`tab-${one}`} aria-selected={way === one} aria-controls={`panel-${one}`} tabIndex={way === one ? 0 : -1} onClick={() => setWay(one)}>
            {text.lobby[one]}
          </button>
        ))}
      </div>
      {WAYS.map((one) => (
        <div role="tabpanel" key={one} id={`panel-${one}`} aria-labelledby={`tab-${one}`} hidden={way !== one}>
          {one === "quick" ? <Pools /> : way === one && <NewGame />}
        </div>
      ))}
    </section>
  );
}
