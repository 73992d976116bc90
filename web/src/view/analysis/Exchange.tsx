/** What comes in: a FEN or PGN that is pasted, or nothing, for a new analysis. */
import { useState } from "preact/hooks";
import { type Analysis, NEW_ANALYSIS } from "../../state/analysis/analysis";
import { useStore, useText } from "../context";
import { loadText } from "./loadText";

const EXCHANGE = "exchange";

/** Opens it and leads there. */
export function openExchange(): void {
  const place = document.getElementById(EXCHANGE) as HTMLDetailsElement | null;
  if (!place) return;
  place.open = true;
  place.scrollIntoView({ block: "start" });
  place.querySelector("summary")?.focus({ preventScroll: true });
}

interface Props {
  load(analysis: Analysis): void;
}

export function Exchange({ load }: Props) {
  const store = useStore();
  const text = useText();
  const { exchange: words } = text.analysis;
  const [pasted, setPasted] = useState("");
  const [state, setState] = useState<{ readonly busy: boolean; readonly wrong: string }>({ busy: false, wrong: "" });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (state.busy) return;
    setState({ busy: true, wrong: "" });
    const loaded = await loadText(pasted, text);
    setState({ busy: false, wrong: typeof loaded === "string" ? loaded : "" });
    if (typeof loaded === "string") return;
    setPasted("");
    load(loaded);
    store.say(words.loaded);
  };
  return (
    <details class="share exchange" id={EXCHANGE}>
      <summary>{words.title}</summary>
      <form onSubmit={(event) => void submit(event)}>
        <label class="field">
          <span>{words.paste}</span>
          <textarea
            rows={4}
            spellcheck={false}
            value={pasted}
            aria-invalid={state.wrong !== ""}
            onInput={(event) => setPasted(event.currentTarget.value)}
          />
        </label>
        <p class="wrong" role="alert">
          {state.wrong}
        </p>
        <button type="submit" class="primary" aria-disabled={state.busy}>
          {state.busy ? words.loading : words.load}
        </button>
      </form>
      <p class="row">
        <button type="button" onClick={() => load(NEW_ANALYSIS)}>
          {words.restart}
        </button>
      </p>
    </details>
  );
}
