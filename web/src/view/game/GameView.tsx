/**
 * A game on the screen, for players and spectators: board, players, moves, status, actions, chat.
 *
 * Joins the pure parts: available actions and positions. What is done on the board renders the board alone, and the
 * lines that say so: this renders when the game changes, or the position shown.
 */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Origin } from "#protocol";
import { type Game, firstClock } from "zeitnot-client";
import { type Color, other } from "../../chess/square";
import { keepScreenOn } from "../../device/wakeLock";
import { inputOf } from "../../state/app";
import { positionsOf } from "../../state/positions";
import { proofMoves, proofPositions } from "../../state/proof";
import { availableActionsOf } from "../../state/availableActions";
import { flip as flipBoard, stepTo } from "../../state/boardInput";
import type { Catalogue } from "../../text";
import { formatOf, showRules } from "../../text/terms";
import { useApp, useStore, useText } from "../context";
import { showKnownDay, showTime } from "../locale";
import { OFTEN, useAskedPresence } from "../people/AskedPresence";
import { Actions, type Question } from "./Actions";
import { Chat, ChatButton, useHasChat } from "./Chat";
import { ConnectionLine } from "./ConnectionLine";
import { GameBoard } from "./GameBoard";
import { MoveList } from "./MoveList";
import { OpeningName } from "./OpeningName";
import { useKeys } from "./keys";
import { PlayerBar } from "./PlayerBar";
import { SureQuestion } from "./SureQuestion";
import { Share } from "./Share";
import { Status, ToAnswer } from "./Status";
import { TypedInput } from "./TypedInput";
import { useZenKeys } from "./zen";

interface Props {
  readonly game: Game;
  readonly seat: Color | null;
}

export function GameView({ game, seat }: Props) {
  const store = useStore();
  const text = useText();
  const cursor = useApp((app) => inputOf(app, game.id).cursor);
  const proven = useApp((app) => inputOf(app, game.id).proof);
  const flipped = useApp((app) => inputOf(app, game.id).flipped);
  const positions = positionsOf(game);
  const now = positions[positions.length - 1];
  const first = game.plyCount - (positions.length - 1);
  const proof = useMemo(
    () => (proven === null || !now ? null : proofPositions(now, proofMoves(game.outcome))),
    [proven === null, game],
  );
  const shown =
    proof && proven !== null ? proof[proven] : cursor === null ? now : positions[Math.max(0, cursor - first)];
  const bottom = flipped ? other(seat ?? "white") : (seat ?? "white");
  const step = (ply: number): void => store.updateInput(game.id, (old) => stepTo(old, ply, game.plyCount));
  const flip = (): void => store.updateInput(game.id, flipBoard);
  useKeys(game, flip);
  useScreen(seat !== null && game.phase === "playing" && game.control.kind === "clock");
  const [asking, ask] = useState<Question | null>(null);
  const available = availableActionsOf(game, seat);
  const { offerDraw, drawToAnswer } = available;
  const isStill = (what: Question | null): boolean => what === "resign" || (what === "draw" && offerDraw);
  useEffect(
    () => ask((what) => (game.phase === "playing" && isStill(what) ? what : null)),
    [game.on, game.phase, offerDraw],
  );
  // Whoever is about to resign sees that a draw is offered.
  useEffect(() => {
    if (drawToAnswer) ask(null);
  }, [drawToAnswer?.seq]);
  useZenKeys(game, asking !== null);
  // Whoever has begun the rematch is there.
  const isOver = useApp((app) => game.phase === "ended" && app.rematches[game.id]?.state !== "begun");
  const rival = seat !== null && isOver ? game.players[other(seat)] : null;
  const offer = useApp((app) => app.rematches[game.id]?.challenge);
  const presence = useAskedPresence(rival === null || rival.bot ? null : rival.account, OFTEN, offer);
  const hasChat = useHasChat(game, seat !== null);
  const hasSeenPlay = useRef(false);
  if (game.phase !== "ended") hasSeenPlay.current = true;

  if (!now || !shown) return null;
  const isNow = cursor === null && proof === null;
  const past = pastClocks(game, cursor);
  const share = <Share game={game} fen={isNow ? game.fen : null} position={shown} />;
  const bar = (color: Color) => (
    <PlayerBar
      game={game}
      color={color}
      seat={seat}
      past={past}
      position={shown}
      presence={color === seat ? null : presence}
    />
  );
  return (
    <main id="content" class={hasChat ? "game with-chat" : "game"}>
      <h1 class="visually-hidden">
        {game.players.white.name} – {game.players.black.name}
      </h1>
      <div class="board-column">
        {bar(other(bottom))}
        <GameBoard game={game} seat={seat} bottom={bottom} position={shown} isNow={isNow} />
        {bar(bottom)}
      </div>
      <div class="side">
        <Details game={game} />
        <MoveList game={game} cursor={cursor} step={step} flip={flip}>
          {hasChat && <ChatButton game={game} isPlayer={seat !== null} />}
        </MoveList>
        {asking === "resign" || asking === "draw" ? (
          <SureQuestion key={asking} what={asking} game={game.id} close={() => ask(null)} />
        ) : (
          <Status
            game={game}
            seat={seat}
            position={now}
            isNew={seat !== null && hasSeenPlay.current}
            presence={presence}
            share={share}
          />
        )}
        <Actions game={game} seat={seat} available={available} positions={positions} asking={asking} ask={ask} />
        {game.origin === null && <TypedInput game={game} seat={seat} position={now} />}
        {game.outcome ? (
          <p class="details">
            {game.origin === null ? showTime(text, new Date(game.began * 1000)) : <OpeningName game={game.id} />}
          </p>
        ) : (
          share
        )}
        <ConnectionLine game={game} />
      </div>
      {hasChat && (
        <Chat
          game={game}
          isPlayer={seat !== null}
          asked={(nothing) => (
            <ToAnswer game={game} seat={seat} position={now}>
              {nothing}
            </ToAnswer>
          )}
        />
      )}
    </main>
  );
}

/** Terms of more letters may not fit one line beside the board, with how many watch. */
const LINE_LETTERS = 30;

/**
 * The terms, or of a game that was imported where and when it was played, and how many watch. Long ones have two lines from
 * the start: whoever comes to watch moves nothing.
 */
function Details({ game }: { readonly game: Game }) {
  const text = useText();
  const terms = (game.origin ? playedAt(text, game.origin) : termsOf(text, game)).filter(Boolean).join(" · ");
  return (
    <p class={terms.length > LINE_LETTERS ? "details long" : "details"}>
      {terms}
      {game.watchers > 0 && <span class="watchers"> · {text.game.watchers(game.watchers)}</span>}
    </p>
  );
}

function termsOf(text: Catalogue, { isRated, variant, control, options }: Game): readonly string[] {
  return [formatOf(text, { rated: isRated, variant, time_control: control }), showRules(text, options.profile)];
}

function playedAt(text: Catalogue, { event, site, round, date }: Origin): readonly (string | undefined)[] {
  return [event ?? text.archive.elsewhere, site, round && text.game.round(round), showKnownDay(text, date)];
}

/** A phone that goes dark while one thinks loses time. */
function useScreen(isNeeded: boolean): void {
  useEffect(() => (isNeeded ? keepScreenOn() : undefined), [isNeeded]);
}

/** The clocks at an earlier ply of a finished game; null shows the current ones. */
function pastClocks(game: Game, cursor: number | null): { white: number | null; black: number | null } | null {
  if (cursor === null || game.phase !== "ended") return null;
  if (cursor === 0) return { white: firstClock(game.control, "white"), black: firstClock(game.control, "black") };
  const ply = game.plies.find((one) => one.ply === cursor);
  return ply ? { white: ply.white_ms, black: ply.black_ms } : null;
}
