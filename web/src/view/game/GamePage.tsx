/**
 * What stands at `/{id}`: a game, one's own open challenge, somebody's invitation, or nothing.
 *
 * One link leads through all of them, as a game has its challenge's id. Only chooses; the parts are elsewhere.
 */
import { useEffect } from "preact/hooks";
import { seatOf } from "../../state/game";
import { showResult } from "../../text/words";
import { useApp, useStore, useText } from "../context";
import { Gone, Invitation, Waiting } from "./ChallengePage";
import { GameTable } from "./GameTable";

export function GamePage({ id }: { id: string }) {
  const app = useApp();
  const text = useText();
  const store = useStore();
  const game = app.games[id];
  const challenge = app.challenges[id] ?? app.invitations[id];
  const seat = game ? seatOf(game, app.account) : null;

  useEffect(() => {
    if (!game) document.title = text.site.title;
    else if (game.outcome) document.title = `${showResult(text, game.outcome, seat)} – Zeitnot`;
    else document.title = `${game.turn && seat ? text.game.yourTurn : text.game.live} – Zeitnot`;
  }, [game?.outcome, game?.turn, seat, text]);
  useEffect(() => () => store.clearNotice(), [id]);

  if (game) return <GameTable key={id} game={game} seat={seat} />;
  if (challenge === "unread") return <Invitation id={id} challenge={null} />;
  if (challenge && challenge.by.account === app.account) return <Waiting challenge={challenge} />;
  if (app.gone[id]) return <Gone id={id} />;
  if (challenge) return <Invitation id={id} challenge={challenge} />;
  return (
    <main id="content" class="narrow">
      <h1 class="unseen">{text.game.live}</h1>
      <p role="status">{text.link.connecting}</p>
    </main>
  );
}
