/**
 * Finished games as cards with the last position, from the side of the player whose games they are: how each ended, what it
 * did to both ratings, from where to where, and its opening. A card leads to its game wherever it is pressed; the opponent's
 * name leads to that player's page, the opening to the games with it, and its analysis and its PGN have links of their own.
 * On a phone the analysis is a sign, and the PGN is left to the page of the game. A game keeps the names that it was played
 * under: where the player had another one, the card says which.
 */
import type { FoundPlayer, PlayedGame } from "#protocol";
import { type Color, other } from "../../chess/square";
import { pgnPath } from "../../net/gamePgn";
import { NO_FILTER } from "../../state/gameFilter";
import { type PlayedRow, type Whose, playerBefore, rowFrom, seatOfWhose } from "../../state/played";
import { playedFormat } from "../../text/terms";
import { showPlayedOut, showReason, showScore } from "../../text/words";
import { MiniBoard } from "../board/MiniBoard";
import { useApp, useText } from "../context";
import { showDate, showKnownDay, showTime } from "../locale";
import { PageLink } from "../HomeLink";
import { Icon } from "../Icon";
import { Gained } from "../people/Gained";
import { PlayerLink } from "../PlayerLink";
import { showGames } from "./arrival";

interface Props {
  readonly games: readonly PlayedGame[];
  /** Whose games they are, of an account by the name of today; null where they are those of everybody. */
  readonly owner: Whose | null;
  /** Players by their names of today, which a card says where the opponent had another one. */
  readonly today: readonly FoundPlayer[];
}

export function GameRows({ games, owner, today }: Props) {
  return (
    <ul class="games">
      {games.map((game) => (
        <GameRow key={game.game} game={game} owner={owner} today={today} />
      ))}
    </ul>
  );
}

interface RowProps extends Omit<Props, "games"> {
  readonly game: PlayedGame;
}

function GameRow({ game, owner, today }: RowProps) {
  const text = useText();
  const reader = useApp((app) => app.account);
  const seat = owner && seatOfWhose(game, owner);
  const row = rowFrom(game, seat ?? "white");
  const { color, opponent, fate } = row;
  const { white, black } = game.players;
  const now = today.find((player) => player.account === opponent.account)?.name ?? opponent.name;
  const nameThen = owner?.account != null && seat !== null ? game.players[color].name : owner?.name;
  return (
    <li>
      <PageLink
        class="game-link"
        to={{ at: "game", id: game.game }}
        label={
          seat === null
            ? text.replay.players(white.name, black.name)
            : `${text.archive.fates[fate]}${text.lobby.against}${opponent.name}`
        }
      >
        <MiniBoard fen={game.fen} last={game.last} bottom={color} />
      </PageLink>
      <div class="game-words">
        <div class="who">
          {seat === null && <Sat game={game} side={color} />}
          <Sat game={game} side={other(color)} />
          {now !== opponent.name && <span class="quiet">({text.archive.now(now)})</span>}
          {owner && nameThen !== undefined && nameThen !== owner.name && (
            <span class="quiet">{text.archive.under(owner.name, nameThen)}</span>
          )}
        </div>
        <How game={game} row={row} seat={seat} isReader={reader !== null && owner?.account === reader} />
        {game.opening && <OpeningLink name={game.opening.name} />}
      </div>
      <When game={game} />
      <Links game={game} />
    </li>
  );
}

interface HowProps {
  readonly game: PlayedGame;
  /** The same from the side of the player, or of White. */
  readonly row: PlayedRow;
  /** That of the player whose games they are; null where they are those of everybody. */
  readonly seat: Color | null;
  /** Whether the page's reader has played it on that side. */
  readonly isReader: boolean;
}

/**
 * How a game ended, after how many moves, and what kind of game it was. Of a game of others the score says who lost, so that
 * the reason is short.
 */
function How({ game, row, seat, isReader }: HowProps) {
  const text = useText();
  const { fate, moves, step } = row;
  const reason = seat === null ? text.archive.reasons[game.reason] : showReason(text, game, seat, isReader);
  const kind = game.imported ? (game.origin?.event ?? text.archive.elsewhere) : playedFormat(text, game, fate);
  return (
    <div class="how">
      <span class="ending">
        {seat === null ? (
          game.score !== "*" && <strong>{showScore(game.score)}</strong>
        ) : (
          <span class={`fate-mark ${fate}`}>{text.archive.fates[fate]}</span>
        )}
        <span class="quiet">
          {reason}
          {moves > 0 && ` · ${text.lobby.movesCount(moves).replace(" ", "\u00a0")}`}
        </span>{" "}
        {seat !== null && step && <Gained step={step} />}
      </span>
      <span class="quiet kind" title={kind}>
        {kind}
      </span>
      {game.played_out && <span class="quiet">{showPlayedOut(text, game.played_out)}</span>}
    </div>
  );
}

/** When it was: of a game that was imported the day that its PGN has, else day and hour of its end; on a phone the day alone. */
function When({ game }: { readonly game: PlayedGame }) {
  const text = useText();
  const played = showKnownDay(text, game.origin?.date);
  if (played) return <span class="quiet when">{played}</span>;
  const ended = new Date(game.ended * 1000);
  return (
    <time class="quiet when" dateTime={ended.toISOString()}>
      <span class="and-hour">{showTime(text, ended)}</span>
      <span class="day-alone">{showDate(text, ended)}</span>
    </time>
  );
}

function Links({ game }: { readonly game: PlayedGame }) {
  const { analysis, archive, lobby } = useText();
  const { white, black } = game.players;
  return (
    <div class="game-links">
      {game.ply_count > 0 && (
        <PageLink
          class="analyse"
          to={{ at: "analysis", game: game.game, ply: null, fen: null, begins: true }}
          label={archive.analysisOf(white.name, black.name)}
        >
          <span>{analysis.open}</span>
          <Icon name="analyse" />
        </PageLink>
      )}
      <a
        class="pgn"
        href={pgnPath(game.game)}
        download={`${game.game}.pgn`}
        aria-label={lobby.pgnOf(white.name, black.name)}
      >
        {lobby.pgn}
      </a>
    </div>
  );
}

/** A player of a game, which side it was, and from where to where it took the rating. */
function Sat({ game, side }: { readonly game: PlayedGame; readonly side: Color }) {
  const { archive, sides } = useText();
  const player = playerBefore(game, side);
  const after = game.ratings?.[side]?.after;
  const had = archive.hadSide(player.name, sides[side]);
  return (
    <span class="opponent">
      <span class={`disc ${side}`} role="img" aria-label={had} title={had} />
      <PlayerLink player={player} />
      {after !== undefined && <span class="player-rating came-to"> → {after}</span>}
    </span>
  );
}

/** Leads to the games with the opening among those that are listed. */
function OpeningLink({ name }: { readonly name: string }) {
  const { archive } = useText();
  const route = useApp((app) => app.route);
  if (route.at !== "player" && route.at !== "games") return null;
  const filter = { ...(route.filter ?? NO_FILTER), opening: name };
  return (
    <span class="opening">
      <PageLink to={{ ...route, filter }} label={archive.withOpening(name)} followed={showGames}>
        <span lang="en" title={name}>
          {name}
        </span>
      </PageLink>
    </span>
  );
}
