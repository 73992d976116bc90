/**
 * The status line: whose turn it is, a move to confirm, an open offer, premoves, or the result.
 *
 * It keeps its place and height, so that the page does not jump.
 */
import type { ComponentChildren } from "preact";
import { type Game, turnOf } from "zeitnot-client";
import type { Position } from "../../chess/position";
import { type Color, other } from "../../chess/square";
import { availableActionsOf } from "../../state/availableActions";
import { inputOf, isCutOff, isOnePremoveTold } from "../../state/app";
import { levelOf } from "../../state/computer";
import { whyNoDraw } from "../../state/drawOffers";
import { type BoardInput, displayed, stepTo } from "../../state/boardInput";
import { isRepeated } from "../../state/positions";
import { aheadOf, endPremoves, withGivenUp } from "../../state/premove";
import { showPly } from "../../text/stood";
import { showDropped, showUci } from "../../text/words";
import { NotifyMe } from "../calls/NotifyMe";
import { useApp, useStore, useText } from "../context";
import { useLasts } from "../now";
import type { Presence } from "../people/PresenceMark";
import { Absence } from "./Absence";
import { ConfirmMove } from "./ConfirmMove";
import { FirstMove } from "./FirstMove";
import { Result } from "./Result";
import { useSettled } from "../settled";

interface Props {
  readonly game: Game;
  readonly seat: Color | null;
  readonly position: Position;
  /** Whether a player has seen the game end. */
  readonly isNew: boolean;
  /** Whether the opponent is still online after the game; null where nobody asks. */
  readonly presence: Presence | null;
  /** What stands beside the result. */
  readonly share: ComponentChildren;
}

export function Status({ game, seat, position, ...result }: Props) {
  const input = useApp((app) => inputOf(app, game.id));
  if (game.outcome) return <Result game={game} seat={seat} input={input} end={position} {...result} />;
  if (game.phase === "deciding") return <Deciding hasClock={game.clocks !== null} />;
  return (
    <ToAnswer game={game} seat={seat} position={position}>
      <Unasked game={game} seat={seat} position={position} input={input} />
    </ToAnswer>
  );
}

interface UnaskedProps extends Pick<Props, "game" | "seat" | "position"> {
  readonly input: BoardInput;
}

/** What there is to say while nothing is asked. */
function Unasked({ game, seat, position, input }: UnaskedProps) {
  if (input.cursor !== null && seat !== null) return <Past game={game} seat={seat} cursor={input.cursor} />;
  if (input.premoves.length > 0) return <Premoves game={game} seat={seat} input={input} position={position} />;
  return <Plain game={game} seat={seat} input={input} />;
}

/** An earlier position is shown. */
function Past({ game, seat, cursor }: { readonly game: Game; readonly seat: Color; readonly cursor: number }) {
  const store = useStore();
  const text = useText();
  const isOwn = seat === turnOf(game.fen);
  const shown = text.game.past(showPly(text, game, cursor));
  return (
    <div class="status">
      <p>{isOwn ? `${text.game.yourTurn} · ${shown}` : shown}</p>
      <button
        type="button"
        class={isOwn ? "primary" : undefined}
        onClick={() => store.updateInput(game.id, (old) => stepTo(old, game.plyCount, game.plyCount))}
      >
        {text.game.returnLive}
      </button>
    </div>
  );
}

interface ToAnswerProps extends Pick<Props, "game" | "seat" | "position"> {
  /** Shown while nothing is asked. */
  readonly children: ComponentChildren;
}

/** What asks the player for an answer: a move to confirm, an offer, the claim of a game whose other player is away. */
export function ToAnswer({ game, seat, position, children }: ToAnswerProps) {
  const store = useStore();
  const input = useApp((app) => inputOf(app, game.id));
  const text = useText();
  const available = availableActionsOf(game, seat);
  if (input.confirming?.on === game.on)
    return <ConfirmMove game={game} move={input.confirming.uci} position={position} />;
  if (available.takebackToAnswer) {
    const { seq, by, plies } = available.takebackToAnswer;
    return (
      <Offer
        key={seq}
        text={text.game.takebackOffered(game.players[by].name, plies)}
        accept={() => store.send({ t: "accept_takeback", d: { game: game.id, offer: seq } })}
        decline={() => store.send({ t: "decline_takeback", d: { game: game.id, offer: seq } })}
      />
    );
  }
  if (available.drawToAnswer) {
    const { seq, by, ilc } = available.drawToAnswer;
    return (
      <Offer
        key={seq}
        text={(ilc ? text.game.ilcOffered : text.game.drawOffered)(game.players[by].name)}
        accept={() => store.send({ t: "accept_draw", d: { game: game.id, offer: seq } })}
        decline={() => store.send({ t: "decline_draw", d: { game: game.id, offer: seq } })}
      />
    );
  }
  if (available.claimAbsenceAt !== null && seat !== null) {
    return (
      <Absence game={game} at={available.claimAbsenceAt}>
        {children}
      </Absence>
    );
  }
  return <>{children}</>;
}

/** A verdict mostly comes within a moment: that it is looked for is said only if it takes longer. */
const DECIDES_WITHIN_MS = 1_000;

function Deciding({ hasClock }: { readonly hasClock: boolean }) {
  const { deciding, clocksStand } = useText().game;
  const lasts = useLasts(DECIDES_WITHIN_MS);
  return (
    <div class="status" data-deciding>
      <p>{lasts && (hasClock ? `${clocksStand} ${deciding}` : deciding)}</p>
    </div>
  );
}

/** Whose turn it is; before that, that the connection is lost. */
function Plain({ game, seat, input }: Omit<UnaskedProps, "position">) {
  const text = useText();
  const isLost = useApp(isCutOff);
  const isSent = input.sent?.on === game.on;
  const { white, black } = game.players;
  const isProgram = white.bot === true || black.bot === true;
  const isOffered = seat !== null && game.drawOffer?.by === seat;
  return (
    <div class={`status ${isLost ? "lost" : isOffered && !isSent ? "offering" : ""}`}>
      <p>
        {isLost && <strong>{text.link.waiting} </strong>}
        {plainly(game, seat, isSent, text)}
        {game.firstMoveBy !== null && !isSent && (
          <FirstMove by={game.firstMoveBy} isOwn={seat === turnOf(game.fen)} isProgram={isProgram} />
        )}
        {!isSent && <Note game={game} seat={seat} input={input} />}
      </p>
      {game.control.kind === "days" && seat === other(turnOf(game.fen)) && <NotifyMe />}
    </div>
  );
}

/** So many premoves are named, the others are counted: the line keeps its height. The board shows all. */
const NAMED = 4;

function Premoves({ game, seat, input, position }: UnaskedProps) {
  const store = useStore();
  const text = useText();
  const isAhead = useApp((app) => app.settings.premoves === "several");
  const isExplained = useApp((app) => app.settings.premoves === "one" && isOnePremoveTold(app, game));
  const allowSeveral = (): void => {
    store.change({ premoves: "several" });
    store.updateInput(game.id, (old) => withGivenUp(old, store.state.onePremoveTold?.first));
  };
  const { premoves } = input;
  const from = displayed(position, { ...input, premoves: [] }, game.on);
  const moves = premoves
    .slice(0, NAMED)
    .map((uci, n) => showUci(text, uci, isAhead ? aheadOf(from, premoves.slice(0, n)) : from));
  return (
    <div class={`status ${isExplained ? "one-premove" : premoves.length > 1 ? "premoves" : ""}`}>
      <p>
        {isExplained
          ? text.game.premoveOnly(moves.join())
          : premoves.length === 1
            ? text.game.premoveSet(moves.join())
            : text.board.premovesSet(moves.join(", "), premoves.length - moves.length)}
        {!isExplained && <Note game={game} seat={seat} input={input} />}
      </p>
      {isExplained && (
        <button type="button" onClick={allowSeveral}>
          {text.game.premoveSeveral}
        </button>
      )}
      <button
        type="button"
        aria-label={premoves.length === 1 ? text.game.premoveCancel : text.board.premovesCancel}
        onClick={() => store.updateInput(game.id, endPremoves)}
      >
        {text.board.cancel}
      </button>
    </div>
  );
}

function plainly(game: Game, seat: Color | null, isSent: boolean, text: ReturnType<typeof useText>): string {
  if (isSent) return text.game.onItsWay;
  const side = turnOf(game.fen);
  const asked = seat && game.takebackOffer?.by === seat ? ` · ${text.game.takebackSent}` : "";
  if (seat === side) return text.game.yourTurn + asked;
  const thinker = game.players[side];
  if (levelOf(thinker) !== null) return text.game.thinks(thinker.name) + asked;
  return (seat ? text.game.theirTurn : text.game.toMove(text.sides[side])) + asked;
}

/** What there is to say below whose turn it is, or below premoves: in one line on a phone, so that nothing moves. */
function Note({ game, seat, input }: Omit<UnaskedProps, "position">) {
  const text = useText();
  const note = seat === null ? null : noteOf(game, seat, input, text);
  return note === null ? null : <span class="status-note">{note}</span>;
}

function noteOf(game: Game, seat: Color, input: BoardInput, words: ReturnType<typeof useText>): string | null {
  const text = words.game;
  const { dropped } = input;
  if (dropped !== null) return showDropped(words, game, dropped.uci);
  if (input.cancelledOn === game.on && input.premoves.length === 0) return words.announcements.premoveGone;
  if (game.drawOffer?.by === seat) return text.drawSentUntil;
  if (game.drawDeclined !== other(seat)) return isRepeated(game) ? text.repeated : null;
  const no = whyNoDraw(game, seat);
  return text.drawDeclined(no?.why === "again" ? no.move : null);
}

/** It comes unasked, maybe into the place of a button that is about to be pressed. */
function Offer({ text, accept, decline }: { text: string; accept(): void; decline(): void }) {
  const words = useText();
  const isSettled = useSettled(text);
  return (
    <div class="status offer" role="group" aria-label={text}>
      <p>{text}</p>
      <button type="button" class="primary" aria-disabled={!isSettled} onClick={() => isSettled && accept()}>
        {words.game.accept}
      </button>
      <button type="button" aria-disabled={!isSettled} onClick={() => isSettled && decline()}>
        {words.game.decline}
      </button>
    </div>
  );
}
