/**
 * The way back to an own game whose clocks run: the first thing to do on the home page as long as there is one, with its board,
 * the opponent, whose move it is, and both clocks.
 */
import { type Game, seatOf } from "zeitnot-client";
import { other } from "../../chess/square";
import { MiniBoard } from "../board/MiniBoard";
import { useApp, useText } from "../context";
import { PageLink } from "../HomeLink";
import { OwnClocks } from "./OwnClocks";

export function BackToGame({ game }: { readonly game: Game }) {
  const { home } = useText();
  const seat = useApp((app) => seatOf(game, app.account)) ?? "white";
  return (
    <PageLink class="button primary big back-to-game" to={{ at: "game", id: game.id }}>
      <MiniBoard fen={game.fen} last={game.plies.at(-1)?.uci} bottom={seat} />
      <span class="back-words">
        <span>{home.backToGame(game.players[other(seat)].name)}</span>{" "}
        <span class="back-state">
          {game.turn ? home.yourMove : home.theirMove}
          <OwnClocks game={game} seat={seat} />
        </span>
      </span>
    </PageLink>
  );
}
