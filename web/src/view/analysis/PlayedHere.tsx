/**
 * The way from a PGN to the analysis of its game, if that was played here: its tags name it, and the server has it. Until that
 * is known, and without such a game, stands what is handed in; or, without that, the room of the way.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { GameId } from "#protocol";
import { getJson } from "../../net/api";
import { gameNamedBy } from "../../state/analysis/noted";
import { useText } from "../context";
import { PageLink } from "../HomeLink";

interface Props {
  readonly headers: Readonly<Record<string, string>>;
  readonly children?: ComponentChildren;
}

export function PlayedHere({ headers, children }: Props) {
  const { exchange } = useText().analysis;
  const named = gameNamedBy(headers, location.origin);
  const [found, set] = useState<GameId | null>(null);
  useEffect(() => {
    set(null);
    if (named === null) return;
    let isLeft = false;
    getJson(`/api/games/${named}`).then(
      (game) => !isLeft && game !== null && set(named),
      () => undefined,
    );
    return () => {
      isLeft = true;
    };
  }, [named]);
  if (found === null && (children !== undefined || named === null)) return <>{children}</>;
  if (found === null) return <span class="to-game is-room">{exchange.playedHere}</span>;
  return (
    <PageLink class="to-game" to={{ at: "analysis", game: found, ply: null, fen: null }}>
      {exchange.playedHere}
    </PageLink>
  );
}
