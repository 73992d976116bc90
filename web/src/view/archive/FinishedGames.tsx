/**
 * The finished games of a player, or of everybody: filters, how many fit, the games newest first, older ones on request, all
 * as PGN.
 *
 * The filter is in the address, so that each search can be gone back to, loaded again and sent to somebody. Whoever goes back
 * finds the list as it was left: with all that was loaded, and in the same place.
 */
import { useEffect, useRef } from "preact/hooks";
import type { Player } from "#protocol";
import { type GameFilter, NO_FILTER, isSameFilter } from "../../state/gameFilter";
import type { Whose } from "../../state/played";
import { type GamesRoute, pathOf } from "../../state/route";
import { type Somebody, isGuestName, nameOf } from "../../state/suggestions";
import type { Catalogue } from "../../text";
import { useApp, useStore, useText } from "../context";
import { HomeLink } from "../HomeLink";
import { useArrival } from "./arrival";
import { DownloadGames } from "./DownloadGames";
import { Filters } from "./Filters";
import { GameRows } from "./GameRows";
import { Lists } from "./Lists";
import { PeopleList } from "./PeopleList";
import { type Found, addressOf, readdress, useGames, whoIs } from "./games";
import type { SearchError } from "./opening";
import { Tally } from "./Tally";
import { type Own, listOf, wholeLike } from "./whose";
import { markEntry, usePlace } from "./wayBack";

const ROOMY = "(min-width: 46rem) and (min-height: 36rem)";

const COUNTED = ["games", "won", "drawn", "lost", "others"] as const;
/** Of all games the record tells how many were won, drawn and lost. */
const COUNTED_OF_ALL = ["games", "others"] as const;

/** `player`: null for the games of everybody. */
export function FinishedGames({ player }: { readonly player: Player | null }) {
  const store = useStore();
  const text = useText();
  const { archive, lobby } = text;
  const route = useApp((app) => app.route);
  const filter = ((route.at === "player" || route.at === "games") && route.filter) || NO_FILTER;
  const named = filter.player.trim();
  const { more, again, ...found } = useGames(player?.account ?? null, filter);
  const { address, state, games, isAtEnd, among, today, error, queries, whose, others } = found;
  const own = useOwn();
  const list = listOf(filter, own);
  const isYou = player ? player.account === own?.account : list === "own";
  const whole = player ? NO_FILTER : wholeLike(filter, own);
  const owner: Whose | null = player ?? (isYou ? own : named === "" ? null : whoIs(whose ?? named));
  const { counts, isOpen, open, begin, show } = useArrival(
    address,
    state,
    games.length,
    // Nothing else is on the page, and on a desk there is room for it; so it is for whoever comes back to what was searched for.
    !player && matchMedia(ROOMY).matches,
  );
  useEffect(markEntry, [route]);
  usePlace(address, found.backTo, counts);
  useWholeName(route.at === "games" ? route : null, filter, state === "there" ? whose : null);
  const look = (wanted: GameFilter): void => {
    begin();
    if (route.at === "player" || route.at === "games") store.navigate({ ...route, filter: wanted });
  };
  const older = async (): Promise<void> => {
    const count = await more();
    if (count > 0) store.say(`${lobby.older}: ${count}`);
  };
  const isFiltered = !isSameFilter(filter, whole);
  const none =
    isFiltered || list === "imported"
      ? archive.none
      : isYou
        ? archive.emptyOwn
        : !player
          ? archive.emptyAll
          : archive.empty(player.name);
  const isNothing = state === "there" && games.length === 0 && isAtEnd;
  // Several players may be meant by the beginning of a name, and none has just that one.
  const isUnclear = route.at === "games" && games.length === 0 && others.length > 0;
  // Whoever has searched keeps the search: what clears it hands the focus on to its button.
  const hasSearched = useRef(false);
  hasSearched.current ||= isFiltered;
  const words =
    state === "loading" ? lobby.loading : state === "failed" ? wrong(text, error, filter.opening.trim()) : "";
  const title = player ? (
    <h2 id="played-title" tabIndex={-1}>
      {lobby.playedGames}
    </h2>
  ) : (
    <h1 id="played-title" tabIndex={-1}>
      {archive.title}
    </h1>
  );
  return (
    <section class="card played" aria-labelledby="played-title">
      {!player && <Lists shown={list} own={own} />}
      {hasSearched.current || !isNothing ? (
        <Filters
          asked={filter}
          whole={whole}
          player={owner?.name ?? ""}
          isOfAll={!player}
          isOpen={isOpen}
          open={open}
          search={look}
          show={show}
        >
          {title}
        </Filters>
      ) : (
        title
      )}
      {!player && owner && !isYou && !isUnclear && <p class="quiet">{archive.of(owner.name)}</p>}
      <p class="counts" role="status" ref={counts}>
        {state === "there" && !isUnclear && (
          <Counts found={found} none={none} isOfAll={player ? !isFiltered : !owner} />
        )}
      </p>
      {isUnclear && (
        <>
          <p>{text.people.beginning(named)}</p>
          <PeopleList people={others} gamesOf={(name) => ({ ...route, filter: { ...filter, player: name } })} />
        </>
      )}
      {games.length > 0 && <GameRows games={games} owner={owner} today={today} />}
      <p role={state === "failed" ? "alert" : "status"} class="quiet">
        {words}
      </p>
      <div class="row">
        {state === "failed" && mayDoLater(error) && (
          <button type="button" onClick={again}>
            {lobby.again}
          </button>
        )}
        {isNothing && !isFiltered && (isYou || !player) && <HomeLink class="button primary">{archive.play}</HomeLink>}
        {state === "there" && !isAtEnd && (
          <button type="button" onClick={() => void older()}>
            {among !== null ? archive.searchOn : lobby.older}
          </button>
        )}
        {games.length > 0 && <DownloadGames queries={queries} isAll={!isFiltered} />}
      </div>
    </section>
  );
}

function useOwn(): Own | null {
  const account = useApp((app) => app.account);
  const name = useApp((app) => app.people.name);
  return account === null || name === null ? null : { account, name };
}

/** Where just one player is meant by the beginning of a name, the address and the form have the whole name from then on. */
function useWholeName(route: GamesRoute | null, filter: GameFilter, whose: Somebody | null): void {
  const store = useStore();
  useEffect(() => {
    const player = whose && nameOf(whose);
    if (!route || player === null || isGuestName(player) || player === filter.player.trim()) return;
    const whole = { ...route, filter: { ...filter, player } };
    readdress(addressOf(null, filter), addressOf(null, whole.filter));
    history.replaceState(history.state, "", pathOf(whole));
    store.go(whole);
  }, [whose]);
}

interface CountsProps {
  readonly found: Found;
  /** Said where no game fits. */
  readonly none: string;
  readonly isOfAll: boolean;
}

/** How many games fit, or that none does. */
function Counts({ found: { games, isAtEnd, tally, among }, none, isOfAll }: CountsProps) {
  const { archive } = useText();
  if (among !== null) return archive.byPart(games.length, isAtEnd ? null : among);
  return (
    <>
      {games.length === 0 && isAtEnd
        ? none
        : tally && <Tally tally={tally} kinds={isOfAll ? COUNTED_OF_ALL : COUNTED} />}
      {tally?.isIndexing && ` ${archive.indexing}`}
    </>
  );
}

/** Whether the same search may have an answer later. */
function mayDoLater(error: SearchError | null): boolean {
  return error === null || error.why === "later" || error.why === "failed";
}

function wrong({ archive, lobby, analysis }: Catalogue, error: SearchError | null, opening: string): string {
  switch (error?.why) {
    case "name":
      return archive.noOpening(opening);
    case "opening":
      return archive.badOpening;
    case "moves":
      return archive.longOpening;
    case "later":
      return analysis.later(error.seconds);
    case "rejected":
      return `${archive.rejected} ${error.message}`;
    default:
      return lobby.failed;
  }
}
