/**
 * Finished games as cards with the last position, from the side of the player whose games they are: how each ended, what it
 * did to that player's rating, from where to where, and its opening. The opponent has the rating before the game. A card leads to its game wherever it is pressed; the opponent's name leads to
 * that player's page, the opening to the games with it, and its analysis and its PGN have links of their own. A game keeps the names that it was played under:
 * where the player had another one, the card says which.
 */
import type { FoundPlayer, PlayedGame, Player } from "#protocol";
import { other } from "../../chess/square";
import { pgnPath } from "../../net/gamePgn";
import { NO_FILTER } from "../../state/gameFilter";
import { rowOf } from "../../state/played";
import { playedFormat } from "../../text/terms";
import { showPlayedOut, showReason } from "../../text/words";
import { MiniBoard } from "../board/MiniBoard";
import { useApp, useText } from "../context";
import { showTime } from "../locale";
import { PageLink } from "../HomeLink";
import { Gained } from "../people/Gained";
import { PlayerLink } from "../PlayerLink";
import { showGames } from "./arrival";

/** The player whose games they are, by the name of today. */
type Owner = Pick<Player, "account" | "name">;

interface Props {
  readonly games: readonly PlayedGame[];
  readonly owner: Owner;
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

function GameRow({ game, owner: { account, name }, today }: RowProps) {
  const text = useText();
  const reader = useApp((app) => app.account);
  const { lobby } = text;
  const { color, opponent, fate, moves, step } = rowOf(game, account);
  const { white, black } = game.players;
  const now = today.find((player) => player.account === opponent.account)?.name ?? opponent.name;
  const nameThen = game.players[color].name;
  const ended = new Date(game.ended * 1000);
  const had = text.archive.hadSide(opponent.name, text.sides[other(color)]);
  return (
    <li>
      <PageLink
        class="game-link"
        to={{ at: "game", id: game.game }}
        label={`${text.archive.fates[fate]}${lobby.against}${opponent.name}`}
      >
        <MiniBoard fen={game.fen} last={game.last} bottom={color} />
      </PageLink>
      <div class="game-words">
        <span class="opponent">
          <span class={`disc ${other(color)}`} role="img" aria-label={had} title={had} />
          <PlayerLink player={opponent} />
        </span>
        {now !== opponent.name && <span class="quiet">({text.archive.now(now)})</span>}
        {nameThen !== name && <span class="quiet">{text.archive.under(name, nameThen)}</span>}
        <span class="ending">
          <span class={`fate-mark ${fate}`}>{text.archive.fates[fate]}</span>
          <span class="quiet">{showReason(text, game, color, account === reader)}</span>
          {step && <Gained step={step} />}
        </span>
        <span class="quiet kind">
          {playedFormat(text, game, fate)}
          {moves > 0 && ` · ${lobby.movesCount(moves)}`}
        </span>
        {game.opening && <OpeningLink name={game.opening.name} />}
        {game.played_out && <span class="quiet">{showPlayedOut(text, game.played_out)}</span>}
      </div>
      <time class="quiet" dateTime={ended.toISOString()}>
        {showTime(text, ended)}
      </time>
      <div class="game-links">
        {game.ply_count > 0 && (
          <PageLink
            to={{ at: "analysis", game: game.game, ply: null, fen: null }}
            label={text.archive.analysisOf(white.name, black.name)}
          >
            {text.analysis.open}
          </PageLink>
        )}
        <a href={pgnPath(game.game)} download={`${game.game}.pgn`} aria-label={lobby.pgnOf(white.name, black.name)}>
          {lobby.pgn}
        </a>
      </div>
    </li>
  );
}

/** Leads to the games with the opening among those that are listed. */
function OpeningLink({ name }: { readonly name: string }) {
  const { archive } = useText();
  const route = useApp((app) => app.route);
  if (route.at !== "player") return null;
  const filter = { ...(route.filter ?? NO_FILTER), opening: name };
  return (
    <span class="opening">
      <PageLink to={{ ...route, filter }} label={archive.withOpening(name)} followed={showGames}>
        <span lang="en">{name}</span>
      </PageLink>
    </span>
  );
}
