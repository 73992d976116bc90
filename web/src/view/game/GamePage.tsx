/**
 * The page at `/{id}`: a game, an own open challenge, an invitation, or nothing.
 *
 * One link leads to all of them, because a game has the id of its challenge. Only chooses between components.
 */
import { useEffect } from "preact/hooks";
import { seatOf } from "zeitnot-client";
import { whileSeen } from "../../device/whileSeen";
import { chatOf, roomsOf, unreadCount } from "../../state/chat";
import { showResult } from "../../text/words";
import { useApp, useStore, useText } from "../context";
import { PageLoader } from "../PageLoader";
import { AcceptedPage } from "./AcceptedPage";
import { Invitation, Waiting } from "./ChallengePage";
import { GameView } from "./GameView";
import { useLate } from "./late";

/** The server tells only those whom a challenge concerns that it has ended: whoever has its link asks. */
const ASK_AGAIN_MS = 1_000;

export function GamePage({ id }: { id: string }) {
  const game = useApp((app) => app.games[id]);
  const challenge = useApp((app) => app.challenges[id] ?? app.invitations[id]);
  const account = useApp((app) => app.account);
  const chat = useApp((app) => chatOf(app, id));
  const isGone = useApp((app) => app.gone[id] !== undefined);
  const text = useText();
  const store = useStore();
  const seat = game ? seatOf(game, account) : null;
  const unread = game ? unreadCount(chat, roomsOf(game, seat !== null)) : 0;

  useEffect(() => {
    const what = game?.outcome
      ? showResult(text, game.outcome, seat)
      : game?.turn && seat
        ? text.game.yourTurn
        : text.game.live;
    document.title = game ? `${unread ? `(${unread}) ` : ""}${what} – Zeitnot` : text.site.title;
  }, [game?.outcome, game?.turn, seat, text, unread]);
  useEffect(() => () => store.clearNotice(), [id]);
  useLate(id, game !== undefined && !game.outcome && seat === null);
  const isInvited = useApp((app) => !game && id in app.invitations && !(id in app.challenges) && !app.gone[id]);
  useEffect(() => (isInvited ? whileSeen(() => store.askAgain(id), ASK_AGAIN_MS) : undefined), [id, isInvited]);

  if (game) return <GameView key={id} game={game} seat={seat} />;
  if (challenge === "unread") return <Invitation id={id} challenge={null} />;
  if (challenge?.accepted_by) return <AcceptedPage challenge={challenge} by={challenge.accepted_by} />;
  if (challenge && challenge.by.account === account) return <Waiting key={id} challenge={challenge} />;
  if (isGone) {
    return (
      <PageLoader
        of={id}
        title={text.lobby.loading}
        props={{ id }}
        load={async () => (await import("./EndedChallengePage")).EndedChallengePage}
      />
    );
  }
  if (challenge) return <Invitation id={id} challenge={challenge} />;
  return (
    <main id="content" class="narrow">
      <h1 class="visually-hidden">{text.game.live}</h1>
      <p role="status">{text.link.connecting}</p>
    </main>
  );
}
