/**
 * The result of a game, in the place of the status line: whose it is and the reason, what can follow, what it did to the
 * ratings, what a series of rematches has come to, and why it is so. It covers nothing: board and players stay as they were.
 * Why it is so, and after a game against the computer the other levels, stand beside it, on a phone below the moves, which stay.
 * That a rematch was offered or declined stands behind the result or on a button, so that nothing moves.
 *
 * It takes the focus only from the page as a whole, where the end of the game has left it: the result itself is read out
 * by the live region. A proof with moves can be played on the board; its controls then take this place.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { RatingStep } from "#protocol";
import { type Game, turnOf } from "zeitnot-client";
import type { Position } from "../../chess/position";
import { type Color, other } from "../../chess/square";
import type { App } from "../../state/app";
import { levelOf } from "../../state/computer";
import { type Fate, fateOf } from "../../state/played";
import { isDecidedByProof, proofMoves } from "../../state/proof";
import { seriesOf } from "../../state/series";
import type { BoardInput } from "../../state/boardInput";
import { showChange, showPoints, showProven } from "../../text/words";
import { useApp, useText } from "../context";
import { isOnPage } from "../focus";
import { useLevels } from "../home/levels";
import type { Presence } from "../people/PresenceMark";
import { AnalyseLink } from "./AnalyseLink";
import { OtherLevels } from "./OtherLevels";
import { ProofSteps } from "./ProofSteps";
import { Rematch, WhyDeclined, rematchOffer } from "./Rematch";
import { Words } from "./ResultWords";
import { Because, WhyButton, isAsked } from "./Why";

/** For so long a press goes through: it was aimed at what stood here before. */
const ARRIVING_MS = 600;

interface Props {
  readonly game: Game;
  readonly seat: Color | null;
  readonly input: BoardInput;
  /** The final position of the game. */
  readonly end: Position;
  /** Whether the player has seen the game end, and not opened a finished one. */
  readonly isNew: boolean;
  /** Whether the opponent is still online; null where nobody asks. */
  readonly presence: Presence | null;
  /** What stands beside it. */
  readonly share: ComponentChildren;
}

export function Result({ game, seat, input, end, isNew, presence, share }: Props) {
  const text = useText();
  const offer = useApp((app) => (seat === null ? null : rematchOffer(app, app.text, game.id)));
  const inShort = useApp((app) => (seat === null ? null : shortly(app, game, seat)));
  const level = seat === null ? null : levelOf(game.players[other(seat)]);
  const here = useLevels(level !== null);
  const computer = level === null ? null : { level, here };
  const [isWhyOpen, openWhy] = useState(false);
  const { outcome } = game;
  const { place, isArriving } = useArrival(isNew);
  if (!outcome) return null;
  const fate = seat === null ? null : fateOf(outcome.score, seat);
  if (input.proof !== null) return <ProofSteps game={game.id} moves={proofMoves(outcome)} at={input.proof} end={end} />;
  const result = (
    <section
      class={`status result ${fate ?? ""} ${isArriving ? "arriving" : ""}`}
      role="group"
      aria-label={text.game.over}
      tabIndex={-1}
      ref={place}
    >
      {fate && <FateMark fate={fate} />}
      <p class="outcome">
        <Words outcome={outcome} seat={seat} offer={offer} inShort={inShort}>
          {isAsked(outcome) && <WhyButton isOpen={isWhyOpen} toggle={() => openWhy(!isWhyOpen)} />}
        </Words>
      </p>
      {share}
      {seat !== null && <Rematch game={game} computer={computer} presence={presence} />}
      {game.plyCount > 0 && (
        <div class="after">
          <AnalyseLink game={game.id} isLesson={computer !== null && fate === "lost"} isOnly={seat === null} />
        </div>
      )}
      <Ratings game={game} seat={seat} />
      {seat !== null && <SeriesScore game={game} seat={seat} />}
      {isDecidedByProof(outcome) && <p class="proof">{showProven(text, outcome, turnOf(game.fen))}</p>}
      {seat !== null && <WhyDeclined game={game} />}
    </section>
  );
  return (
    <>
      {result}
      {isWhyOpen && (
        <Because game={game} ply={input.cursor ?? game.plyCount} outcome={outcome} close={() => openWhy(false)} />
      )}
      {seat !== null && fate && computer && (
        <OtherLevels game={game} seat={seat} computer={computer} fate={fate} isArriving={isArriving} />
      )}
    </>
  );
}

/** The points of the player, large: a filled disc for a win, an empty ring for a loss, a half for a draw. */
const POINTS: Record<Fate, string> = { won: "1", lost: "0", drawn: "½", noResult: "–" };

function FateMark({ fate }: { readonly fate: Fate }) {
  return (
    <span class={`fate-disc ${fate}`} aria-hidden="true">
      {POINTS[fate]}
    </span>
  );
}

/** What happens as the game ends before the player's eyes: the focus that was lost comes here, and so does the page. */
function useArrival(isNew: boolean) {
  const place = useRef<HTMLElement>(null);
  const [isArriving, setArriving] = useState(isNew);
  useEffect(() => {
    if (!isNew) return;
    if (isOnPage()) place.current?.focus({ preventScroll: true });
    // It may be out of sight. Where all of it can be seen down to the ways on, nothing moves.
    const ways = place.current?.querySelectorAll(":is(.rematch, .after) > *");
    const last = ways?.[ways.length - 1] ?? place.current;
    const [top, bottom] = [place.current?.getBoundingClientRect().top ?? 0, last?.getBoundingClientRect().bottom ?? 0];
    if (top < 0 || bottom > innerHeight) place.current?.scrollIntoView({ block: "nearest" });
    const timer = setTimeout(() => setArriving(false), ARRIVING_MS);
    return () => clearTimeout(timer);
  }, []);
  return { place, isArriving };
}

function Ratings({ game: { ratings }, seat }: { game: Game; seat: Color | null }) {
  const { people, result: text, sides } = useText();
  if (!ratings) return null;
  const change = ({ before, after }: RatingStep): [string, string] => [
    people.ratings.step(before, after),
    showChange(after - before),
  ];
  const provisional = seat !== null && ratings[seat].provisional ? `, ${text.provisional}` : "";
  return (
    <p class="rating-change">
      {seat === null
        ? `${text.rating(sides.white, ...change(ratings.white))} · ${text.rating(sides.black, ...change(ratings.black))}`
        : text.yourRating(...change(ratings[seat])) + provisional}
    </p>
  );
}

/** What a game did to the reader's rating, or what a series has come to, in so few words that they stand behind the result. */
function shortly({ rematches, text }: App, game: Game, seat: Color): string | null {
  const step = game.ratings?.[seat];
  if (step) return text.people.ratings.step(step.before, step.after);
  const series = seriesOf(rematches, game, seat);
  return series && text.play.rematch.seriesShort(series.games, showPoints(series.own), showPoints(series.theirs));
}

/** After a rematch, what all the games have come to. */
function SeriesScore({ game, seat }: { readonly game: Game; readonly seat: Color }) {
  const words = useApp(({ rematches, text }) => {
    const series = seriesOf(rematches, game, seat);
    const rival = game.players[other(seat)].name;
    return series && text.play.rematch.series(showPoints(series.own), showPoints(series.theirs), rival);
  });
  return words && <p class="series">{words}</p>;
}
