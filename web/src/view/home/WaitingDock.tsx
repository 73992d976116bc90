/**
 * What one waits for, and what is offered meanwhile: an open game with the same clock, the pool in which somebody waits, an
 * open game with another clock, and the computer while nobody else is there.
 */
import { useLayoutEffect, useRef } from "preact/hooks";
import { seatOf } from "zeitnot-client";
import type { Challenge, PoolId } from "#protocol";
import { other } from "../../chess/square";
import type { App } from "../../state/app";
import { hasOpenGames, isBeingAnswered, openGameFor, openIn } from "../../state/openGames";
import { APART_MS, meetsAgainIn, othersIn, placeOf, waitsAlone, waitsElsewhere } from "../../state/pairing";
import { briefOf, termsOf } from "../../text/terms";
import { useApp, useStore, useText } from "../context";
import { useNow, useSince } from "../now";
import { useOnScreen } from "../onScreen";
import { WaitingLine, waitingWords } from "./WaitingLine";

/** `playComputer`: opens its dialog; null where the server has no computer. */
export function WaitingDock({ playComputer }: { readonly playComputer: (() => void) | null }) {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const { pairing } = app;
  const pools = app.lobby?.pools ?? {};
  const both = useSince(hasPlayed(app) && pairing.pool !== null && othersIn(pairing, pairing.pool, pools) > 0);
  const now = useNow(placeOf(pairing) !== null, both === null ? 1000 : 250);
  const isAlone = waitsAlone(pairing, pools, now);
  const again = meetsAgainIn(both, now);
  const { game, pool } = offered(app, now);
  const more = game
    ? text.lobby.openGame(game.by.name, briefOf(text, game))
    : pool
      ? text.lobby.elsewhere(pool)
      : isAlone && !hasOpenGames(app)
        ? text.lobby.alone
        : "";
  const isInPool = placeOf(pairing) !== null;
  const isPlayInView = usePlayInView(isInPool);
  // The main button ends the wait in a pool, unless it is the way back to a game: while it is in sight no second one does.
  const kind = waitingWords(app, text) ? (isPlayInView ? " waits ends-above" : " waits") : "";
  return (
    <div class={`waiting-dock${kind}`}>
      <WaitingLine
        more={again === null ? more : text.lobby.meetsAgain(APART_MS / 1000)}
        counted={again === null ? null : text.lobby.meetsAgain(again)}
      >
        {game && <JoinGame game={game} />}
        {pool && (
          <button type="button" class="primary" onClick={() => store.joinPool(pool)}>
            {text.lobby.playPool(pool)}
          </button>
        )}
        {isAlone && playComputer && (
          <button type="button" class={game || pool ? "" : "primary"} aria-haspopup="dialog" onClick={playComputer}>
            {text.lobby.computer.meanwhile}
          </button>
        )}
      </WaitingLine>
    </div>
  );
}

/** Whether the main button is there and in sight. */
function usePlayInView(isAsked: boolean): boolean {
  const play = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    play.current = document.getElementById("play");
  });
  return useOnScreen(play, isAsked);
}

/** One thing at a time: the own clock goes before others, and who waits in a pool before an open game. */
function offered(app: App, now: number): { readonly game: Challenge | null; readonly pool: PoolId | null } {
  const game = openGameFor(app, now);
  const pool = waitsElsewhere(app.pairing, app.lobby?.pools ?? {});
  const isSame = game !== null && app.pairing.pool !== null && openIn(app, app.pairing.pool).includes(game);
  return pool && !isSame ? { game: null, pool } : { game, pool: null };
}

function JoinGame({ game }: { readonly game: Challenge }) {
  const store = useStore();
  const text = useText();
  const isUnderWay = useApp((app) => isBeingAnswered(app, game.challenge));
  return (
    <button
      type="button"
      class="primary"
      aria-label={text.lobby.joinSeek(game.by.name, termsOf(text, game, "joiner"))}
      disabled={isUnderWay}
      onClick={() => store.acceptChallenge(game.challenge)}
    >
      {text.lobby.join}
    </button>
  );
}

/** Whether a game against a person has ended on this page, who may be the next opponent again. */
function hasPlayed({ games, account }: App): boolean {
  return Object.values(games).some((game) => {
    const seat = seatOf(game, account);
    return seat !== null && game.phase === "ended" && game.players[other(seat)].bot !== true;
  });
}
