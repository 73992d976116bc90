/**
 * Export: PGN, FEN of the position shown, and link, to copy or to save. The list opens over the page: what one plays with
 * stays where it is. After the game it is a small button beside the result, in sight on a phone too.
 */
import type { Game } from "zeitnot-client";
import { type Position, writeFen } from "../../chess/position";
import { askPgn, pgnPath } from "../../net/gamePgn";
import { useText } from "../context";
import { CopyItem } from "../CopyButton";
import { Icon } from "../Icon";
import { Menu } from "../Menu";

interface Props {
  readonly game: Game;
  /** The server's FEN if the current position is shown. */
  readonly fen: string | null;
  readonly position: Position;
}

export function Share({ game, fen, position }: Props) {
  const text = useText();
  const shown = fen ?? writeFen(position);
  return (
    <div class="share">
      <Menu
        class="plain"
        label={text.game.share}
        face={game.phase === "ended" ? <Icon name="share" /> : text.game.share}
      >
        {(choose) => (
          <>
            <CopyItem label={text.game.copyLink} value={`${location.origin}/${game.id}`} choose={choose} />
            <CopyItem label={text.game.copyPgn} value={() => askPgn(game.id)} choose={choose} />
            <li>
              <a class="button" href={pgnPath(game.id)} download={`${game.id}.pgn`} onClick={() => choose(nothing)}>
                {text.game.savePgn}
              </a>
            </li>
            <CopyItem label={text.game.copyFen} value={shown} choose={choose} />
            <li>
              <a
                class="button"
                href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${shown}\n`)}`}
                download={`${game.id}.fen`}
                onClick={() => choose(nothing)}
              >
                {text.game.saveFen}
              </a>
            </li>
          </>
        )}
      </Menu>
    </div>
  );
}

/** The link saves its file by itself. */
const nothing = (): void => undefined;
