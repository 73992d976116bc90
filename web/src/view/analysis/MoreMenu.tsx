/**
 * What goes out of an analysis: link, PGN and FEN to copy, and the PGN and a picture of the board to save, in a list over the
 * page as beside a game. It also has the ways to what comes in and to a game, where their buttons stand low on the page, and the
 * way to the server's analysis where a PGN brings its own. A FEN is one line, of which nobody needs a file. The PGN of a finished
 * game has the tags of the game's own PGN, and its name as a file.
 */
import type { GameId } from "#protocol";
import type { PgnNote } from "../../chess/pgn";
import { askTags } from "../../net/gameTags";
import { type Analysis, pgnOf } from "../../state/analysis/analysis";
import type { Path } from "../../state/analysis/tree";
import { useStore, useText } from "../context";
import { CopyItem } from "../CopyButton";
import { Icon } from "../Icon";
import { Menu, MenuItem } from "../Menu";
import { pressWay } from "./Exchange";

interface Props {
  readonly analysis: Analysis;
  /** Whose moves these are. */
  readonly game: GameId | null;
  /** What the PGN notes of the moves. */
  readonly noteOf?: ((path: Path) => PgnNote) | undefined;
  /** Of the position shown. */
  readonly fen: string;
  /** The page's address of the position shown. */
  readonly address: string;
  /** Whether the ways to another analysis stand low on the page. */
  readonly hasWays: boolean;
  /** Whether a game can begin there. */
  readonly mayPlay: boolean;
  /** Analyses the whole game of a PGN in the place of its own evaluations; null where there is no such choice. */
  readonly analyseAnew: (() => void) | null;
}

export function MoreMenu({ analysis, game, noteOf, fen, address, hasWays, mayPlay, analyseAnew }: Props) {
  const store = useStore();
  const text = useText();
  const { exchange: words, failed, playFrom, setUp, whole } = text.analysis;
  const name = game ?? "analysis";
  const pgn = async (): Promise<string> => {
    const tags = game === null ? {} : await askTags(game);
    // In the order of the game's own PGN.
    return pgnOf({ ...analysis, headers: { ...tags, ...analysis.headers, ...tags } }, noteOf);
  };
  const savePgn = (): void => {
    pgn().then(
      (written) => download(`${name}.pgn`, `data:application/x-chess-pgn;charset=utf-8,${encodeURIComponent(written)}`),
      () => store.notice("error", failed),
    );
  };
  const savePicture = async (): Promise<void> => {
    try {
      const { pictureOf } = await import("./picture");
      const board = document.querySelector(".board-column [role=grid]");
      if (board) download(`${name}.png`, pictureOf(board));
    } catch {
      store.notice("error", failed);
    }
  };
  return (
    <Menu class="" label={text.analysis.more} face={<Icon name="dots" />}>
      {(choose) => (
        <>
          <CopyItem label={words.copyLink} value={location.origin + address} choose={choose} />
          {/* Without a game at once: some browsers copy nothing after a wait. */}
          <CopyItem label={words.copyPgn} value={game === null ? pgnOf(analysis, noteOf) : pgn} choose={choose} />
          <MenuItem label={words.savePgn} act={() => choose(savePgn)} />
          <CopyItem label={words.copyFen} value={fen} choose={choose} />
          <MenuItem label={words.savePicture} act={() => choose(() => void savePicture())} />
          {hasWays && <MenuItem label={setUp.open} act={() => choose(() => pressWay("setUp"))} begins />}
          {hasWays && <MenuItem label={words.title} act={() => choose(() => pressWay("load"))} />}
          {analyseAnew && <MenuItem label={whole.start} act={() => choose(analyseAnew)} begins={!hasWays} />}
          {hasWays && mayPlay && <MenuItem label={playFrom} act={() => choose(() => pressWay("play"))} />}
        </>
      )}
    </Menu>
  );
}

/** Hands what an address stands for to the browser as a file. */
function download(name: string, address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}
