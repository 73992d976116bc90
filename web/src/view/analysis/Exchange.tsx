/** What goes in and out: a FEN or PGN that is pasted, and the analysis as FEN, PGN and link. */
import { useState } from "preact/hooks";
import { type Analysis, NEW_ANALYSIS, pgnOf } from "../../state/analysis/analysis";
import type { PgnNote } from "../../chess/pgn";
import type { Path } from "../../state/analysis/tree";
import { useStore, useText } from "../context";
import { CopyButton } from "../CopyButton";
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
  readonly analysis: Analysis;
  /** What the PGN notes of the moves. */
  readonly noteOf?: ((path: Path) => PgnNote) | undefined;
  /** Of the position shown. */
  readonly fen: string;
  /** The page's address of the position shown. */
  readonly address: string;
  load(analysis: Analysis): void;
}

export function Exchange({ analysis, noteOf, fen, address, load }: Props) {
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
  const pgn = pgnOf(analysis, noteOf);
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
      <p class="fen">{fen}</p>
      <div class="row">
        <CopyButton label={words.copyFen} value={fen} />
        <CopyButton label={words.copyPgn} value={pgn} />
        <a
          class="button"
          href={`data:application/x-chess-pgn;charset=utf-8,${encodeURIComponent(pgn)}`}
          download="analysis.pgn"
        >
          {words.savePgn}
        </a>
        <CopyButton label={words.copyLink} value={location.origin + address} />
        <button type="button" onClick={() => load(NEW_ANALYSIS)}>
          {words.restart}
        </button>
      </div>
    </details>
  );
}
