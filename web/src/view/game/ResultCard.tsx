/**
 * The card that lies over the board when a game of one's own has ended: the result in words, what it did to the
 * ratings, its proof, and what can follow.
 *
 * It can be closed, and a button in the status line brings it back. It takes the focus only from the page as a whole,
 * where the end of the game has left it: the result itself is read out by the live region.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { RatingStep } from "#protocol";
import type { Game } from "zeitnot-client";
import type { Color } from "../../chess/square";
import { isDecidedByProof, proofMoves } from "../../state/proof";
import { proveTo } from "../../state/boardInput";
import { showChange, showProof } from "../../text/words";
import { useStore, useText } from "../context";
import { isOnPage } from "../focus";
import { Icon } from "../Icon";
import { AnalyseLink } from "./AnalyseLink";
import { Rematch } from "./Rematch";
import { DETAILS_BUTTON } from "./Result";
import { Words } from "./ResultWords";

/** For so long a press goes through the card: it was aimed at the board. */
const ARRIVING_MS = 600;

interface Props {
  readonly game: Game;
  readonly seat: Color | null;
  close(): void;
}

export function ResultCard({ game, seat, close }: Props) {
  const text = useText();
  const card = useRef<HTMLElement>(null);
  const [isArriving, setArriving] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setArriving(false), ARRIVING_MS);
    if (isOnPage()) card.current?.focus({ preventScroll: true });
    return () => clearTimeout(timer);
  }, []);
  const leave = (): void => {
    const hadFocus = card.current?.contains(document.activeElement) ?? false;
    close();
    if (hadFocus) requestAnimationFrame(() => document.getElementById(DETAILS_BUTTON)?.focus());
  };
  useEffect(() => {
    const keys = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (event.key !== "Escape" || event.defaultPrevented || target.closest("[role=dialog], dialog")) return;
      event.preventDefault();
      leave();
    };
    // Before the keys of the page, for which Escape means something else.
    addEventListener("keydown", keys, true);
    return () => removeEventListener("keydown", keys, true);
  }, []);
  const { outcome } = game;
  if (!outcome) return null;
  return (
    <section
      class={`result-card ${isArriving ? "arriving" : ""}`}
      role="group"
      aria-label={text.game.over}
      tabIndex={-1}
      ref={card}
    >
      <button type="button" class="plain close" aria-label={text.result.close} onClick={leave}>
        <Icon name="close" />
      </button>
      <p class="words">
        <Words outcome={outcome} seat={seat} />
      </p>
      <Ratings game={game} seat={seat} />
      <Proof game={game} />
      {seat !== null && <Rematch game={game} />}
      <div class="after">
        <AnalyseLink game={game.id} />
      </div>
    </section>
  );
}

function Ratings({ game: { ratings }, seat }: { game: Game; seat: Color | null }) {
  const text = useText().result;
  const { sides } = useText();
  if (!ratings) return null;
  const change = ({ before, after }: RatingStep): [number, string] => [after, showChange(after - before)];
  const provisional = seat !== null && ratings[seat].provisional ? `, ${text.provisional}` : "";
  return (
    <p class="rating-change">
      {seat === null
        ? `${text.rating(sides.white, ...change(ratings.white))} · ${text.rating(sides.black, ...change(ratings.black))}`
        : text.yourRating(...change(ratings[seat])) + provisional}
    </p>
  );
}

/** The proof: beside the result that it decided, else for whoever asks why. */
function Proof({ game: { id, outcome } }: { game: Game }) {
  const store = useStore();
  const text = useText();
  const moves = proofMoves(outcome);
  if (!outcome || outcome.proof === undefined || isDecidedByProof(outcome)) return null;
  return (
    <details class="why">
      <summary>{text.result.why}</summary>
      <p>{showProof(text, outcome.proof)}</p>
      {moves.length > 0 && (
        <button type="button" onClick={() => store.updateInput(id, (old) => proveTo(old, 0, moves.length))}>
          {text.play.proof.show}
        </button>
      )}
    </details>
  );
}
