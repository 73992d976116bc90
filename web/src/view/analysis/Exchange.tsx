/**
 * What comes in: a position that is set up, nothing, for a new analysis, or a FEN or PGN that is pasted, whose form a button
 * opens. It becomes a page of its own, whose address gives it again. Its buttons may come into the place of what led to the
 * analysis: they answer no press that may still be aimed at that.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Color } from "../../chess/square";
import { keepPgn } from "../../net/keptPgns";
import { type Analysis, looksLikeFen } from "../../state/analysis/analysis";
import { ANALYSIS_BOARD, type AnalysisRoute } from "../../state/route";
import type { Catalogue } from "../../text";
import { useStore, useText } from "../context";
import { useSettled } from "../settled";
import { loadText } from "./loadText";
import { SetUpButton } from "./SetUpButton";

/** The button, and the form that it opens. */
const EXCHANGE = "exchange";
const FORM = "exchange-form";

/** Opens the form, where it is not open yet, and leads there. */
export function openExchange(): void {
  const opener = document.getElementById(EXCHANGE);
  if (opener?.ariaExpanded === "false") opener.click();
  else document.getElementById(FORM)?.querySelector("textarea")?.focus();
}

interface Props {
  /** The side at the bottom, if the player has turned the board: that stays. */
  readonly turned: Color | null;
  /** The side at the bottom of the board. */
  readonly bottom: Color;
  /** The position shown. */
  readonly fen: string;
  /** What else leads on from the position. */
  readonly children: ComponentChildren;
  /** Begins with what is loaded, though the address stays. */
  anew(): void;
}

export function Exchange({ turned, bottom, fen, children, anew }: Props) {
  const store = useStore();
  const text = useText();
  const { exchange: words } = text.analysis;
  const [pasted, setPasted] = useState("");
  const [isOpen, setOpen] = useState(false);
  const isSettled = useSettled(EXCHANGE);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    form.current?.scrollIntoView({ block: "nearest" });
    form.current?.querySelector("textarea")?.focus({ preventScroll: true });
  }, [isOpen]);
  const [state, setState] = useState<{ readonly busy: boolean; readonly wrong: string }>({ busy: false, wrong: "" });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (state.busy) return;
    setState({ busy: true, wrong: "" });
    setState({ busy: false, wrong: await load(pasted) });
  };
  /** Opens what a text says, with a side at the bottom. Why that cannot be done; empty if it could. */
  const load = async (given: string, below = turned): Promise<string> => {
    // What was said of the last text does not hold for this one.
    store.clearNotice();
    const loaded = await loadText(given, text);
    if (typeof loaded === "string") return loaded;
    open(looksLikeFen(given) ? { fen: loaded.start } : { pgn: keepPgn(sessionStorage, given) }, below);
    store.notice("info", whatLoaded(text, loaded));
    return "";
  };
  const open = (what: Partial<AnalysisRoute>, below = turned): void => {
    store.navigate({ ...ANALYSIS_BOARD, ...what, ...(below === "black" ? { bottom: below } : {}) });
    anew();
  };
  return (
    <section class="exchange" aria-label={words.begin}>
      <div class="exchange-ways" inert={!isSettled}>
        <SetUpButton fen={fen} bottom={bottom} load={load} />
        <button type="button" onClick={() => open({})}>
          {words.restart}
        </button>
        <button
          type="button"
          id={EXCHANGE}
          aria-expanded={isOpen}
          aria-controls={FORM}
          onClick={() => setOpen(!isOpen)}
        >
          {words.title}
        </button>
        {children}
      </div>
      <form ref={form} id={FORM} hidden={!isOpen} onSubmit={(event) => void submit(event)}>
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
    </section>
  );
}

/** That it was loaded, and whose game it is, as far as it says so. */
function whatLoaded({ analysis }: Catalogue, { headers, tree }: Analysis): string {
  const { exchange: words } = analysis;
  if (headers.White && headers.Black) return words.loaded(`${headers.White} – ${headers.Black}`);
  return tree.length > 0 ? words.loadedMoves : words.loadedPosition;
}
