/** A board that links to its game, with the players above and below. */
import type { ComponentChildren } from "preact";
import type { GameId, PlayerView } from "#protocol";
import { useText } from "../context";
import { PageLink } from "../HomeLink";

interface Props {
  readonly game: GameId;
  readonly top: PlayerView;
  readonly bottom: PlayerView;
  readonly board: ComponentChildren;
  readonly terms: string;
  readonly plies: number;
  readonly topClock?: ComponentChildren;
  readonly bottomClock?: ComponentChildren;
  /** Whether White is shown at the top. */
  readonly flipped?: boolean;
}

export function WatchLink({ game, top, bottom, board, terms, plies, topClock, bottomClock, flipped = false }: Props) {
  const { lobby } = useText();
  return (
    <PageLink class="live-card" to={{ at: "game", id: game }}>
      <span class="live-player">
        <span class="visually-hidden">{lobby.watch}</span>
        <span class={`disc ${flipped ? "white" : "black"}`} aria-hidden="true" />
        <span class="live-name">{top.name}</span>
        {topClock}
      </span>
      {board}
      <span class="live-player">
        <span class="visually-hidden">{lobby.against}</span>
        <span class={`disc ${flipped ? "black" : "white"}`} aria-hidden="true" />
        <span class="live-name">{bottom.name}</span>
        {bottomClock}
      </span>
      <span class="quiet live-terms">
        <span class="visually-hidden">, </span>
        {terms}
        <span class="visually-hidden">, {plies === 0 ? lobby.notBegun : lobby.moveNumber(Math.ceil(plies / 2))}</span>
      </span>
    </PageLink>
  );
}
