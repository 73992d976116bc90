/**
 * What comes in: a position that is set up, nothing, for a new analysis, or a FEN or PGN that is pasted into a dialog. It
 * becomes a page of its own, whose address gives it again, and begins with its moves. Its buttons may come into the place of
 * what led to the analysis: they answer no press that may still be aimed at that.
 */
import { useState } from "preact/hooks";
import { hasMoreGames } from "../../chess/pgn";
import type { Color } from "../../chess/square";
import { keepPgn } from "../../net/keptPgns";
import { keepTab } from "../../net/keptTab";
import { type Analysis, looksLikeFen } from "../../state/analysis/analysis";
import { ANALYSIS_BOARD, type AnalysisRoute } from "../../state/route";
import type { Catalogue } from "../../text";
import { useStore, useText } from "../context";
import { Dialog } from "../Dialog";
import { loadText } from "./loadText";
import { PlayFrom } from "./PlayFrom";
import { SetUpButton } from "./SetUpButton";

/** The buttons that a menu nearer to the board presses too. */
const WAYS = { setUp: "set-up", load: "load-text", play: "play-from" } as const;

export const pressWay = (way: keyof typeof WAYS): void => document.getElementById(WAYS[way])?.click();

interface Props {
  /** The side at the bottom, if the player has turned the board: that stays. */
  readonly turned: Color | null;
  /** The side at the bottom of the board. */
  readonly bottom: Color;
  /** The position shown. */
  readonly fen: string;
  /** Whether castling is written as in Chess960. */
  readonly chess960: boolean;
  /** Whether a game can begin there. */
  readonly mayPlay: boolean;
  /** Whether no press can be aimed at what led to the page. */
  readonly isSettled: boolean;
  /** Begins with what is loaded, though the address stays. */
  anew(): void;
}

export function Exchange({ turned, bottom, fen, chess960, mayPlay, isSettled, anew }: Props) {
  const store = useStore();
  const text = useText();
  const { exchange: words } = text.analysis;
  const [isOpen, setOpen] = useState(false);
  /** Opens what a text says, with a side at the bottom. Why that cannot be done; empty if it could. */
  const load = async (given: string, below = turned): Promise<string> => {
    // What was said of the last text does not hold for this one.
    store.clearNotice();
    const loaded = await loadText(given, text);
    if (typeof loaded === "string") return loaded;
    open(looksLikeFen(given) ? { fen: loaded.start } : { pgn: keepPgn(sessionStorage, given) }, below);
    // The board and the moves show it to the eye. What they do not show is told to all.
    if (hasMoreGames(given)) store.notice("info", `${whatLoaded(text, loaded)} · ${words.onlyFirst}`);
    else store.say(whatLoaded(text, loaded));
    return "";
  };
  const open = (what: Partial<AnalysisRoute>, below = turned): void => {
    // A position has no moves to begin with: on a phone its reader stays where they loaded it.
    if (what.fen === undefined) keepTab(sessionStorage, null);
    store.navigate({ ...ANALYSIS_BOARD, ...what, ...(below === "black" ? { bottom: below } : {}) });
    anew();
  };
  return (
    <section class="exchange" aria-label={words.begin}>
      <div class="exchange-ways" inert={!isSettled}>
        <SetUpButton id={WAYS.setUp} fen={fen} bottom={bottom} load={load} />
        <button type="button" onClick={() => open({})}>
          {words.restart}
        </button>
        <button type="button" id={WAYS.load} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {words.title}
        </button>
        {mayPlay && <PlayFrom id={WAYS.play} fen={fen} chess960={chess960} bottom={bottom} />}
      </div>
      {isOpen && <LoadDialog load={load} close={() => setOpen(false)} />}
    </section>
  );
}

interface LoadProps {
  /** Opens what a text says. Why that cannot be done; empty if it could. */
  load(given: string): Promise<string>;
  close(): void;
}

function LoadDialog({ load, close }: LoadProps) {
  const { analysis, board } = useText();
  const { exchange: words } = analysis;
  const [pasted, setPasted] = useState("");
  const [state, setState] = useState<{ readonly busy: boolean; readonly wrong: string }>({ busy: false, wrong: "" });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (state.busy) return;
    setState({ busy: true, wrong: "" });
    const wrong = await load(pasted);
    setState({ busy: false, wrong });
    if (wrong === "") close();
  };
  return (
    <Dialog title={words.title} class="load-dialog" close={close}>
      <form onSubmit={(event) => void submit(event)}>
        <label class="field">
          <span>{words.paste}</span>
          <textarea
            rows={6}
            spellcheck={false}
            value={pasted}
            aria-invalid={state.wrong !== ""}
            onInput={(event) => setPasted(event.currentTarget.value)}
          />
        </label>
        <p class="wrong" role="alert">
          {state.wrong}
        </p>
        <div class="load-buttons">
          <button type="button" onClick={close}>
            {board.cancel}
          </button>
          <button type="submit" class="primary" aria-disabled={state.busy}>
            {state.busy ? words.loading : words.load}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** That it was loaded, and whose game it is, as far as it says so. */
function whatLoaded({ analysis }: Catalogue, { headers, tree }: Analysis): string {
  const { exchange: words } = analysis;
  if (headers.White && headers.Black) return words.loaded(`${headers.White} – ${headers.Black}`);
  return tree.length > 0 ? words.loadedMoves : words.loadedPosition;
}
