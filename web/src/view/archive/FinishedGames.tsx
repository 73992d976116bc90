/** The finished games of a player: filters, how many fit, the games newest first, older ones on request, all as PGN. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { AccountId, GameCount } from "#protocol";
import { type GameFilter, NO_FILTER, conditionsOf } from "../../state/gameFilter";
import type { GameTally } from "../../state/gameTally";
import { useStore, useText } from "../context";
import { DownloadGames } from "./DownloadGames";
import { Filters } from "./Filters";
import { GameRows } from "./GameRows";
import { type SearchError, useGames } from "./games";
import { keepFilter, keptFilter } from "./keptFilter";

interface Props {
  readonly account: AccountId;
  /** The opponent with whom the search begins. */
  readonly against?: string | undefined;
}

export function FinishedGames({ account, against = "" }: Props) {
  const store = useStore();
  const text = useText();
  const { archive, lobby } = text;
  const [begun] = useState(() => keptFilter() ?? { ...NO_FILTER, opponent: against });
  // How often all conditions were cleared from below the form, which then begins anew.
  const [cleared, setCleared] = useState(0);
  const [filter, setFilter] = useState(begun);
  const { state, games, isAtEnd, tally, part, error, queries, search, more, again } = useGames(account, begun);
  const counts = useRef<HTMLParagraphElement>(null);
  const isAwaited = useRef(false);
  const look = (wanted: GameFilter): void => {
    keepFilter(wanted);
    setFilter(wanted);
    isAwaited.current = false;
    search(wanted);
  };
  const clear = (): void => {
    setCleared(cleared + 1);
    look(NO_FILTER);
    // The button goes away, and the focus with it.
    document.getElementById("played-title")?.focus();
  };
  const show = (): void => {
    isAwaited.current = true;
    bringIntoView(counts.current);
  };
  useEffect(() => {
    if (state === "loading" || !isAwaited.current) return;
    isAwaited.current = false;
    bringIntoView(counts.current);
  }, [state]);
  const older = async (): Promise<void> => {
    const count = await more();
    if (count > 0) store.say(`${lobby.older}: ${count}`);
  };
  const words =
    state === "loading" ? lobby.loading : state === "failed" ? (error ? wrong(text, error) : lobby.failed) : "";
  return (
    <section class="card played" aria-labelledby="played-title">
      <Filters key={cleared} begun={cleared > 0 ? NO_FILTER : begun} search={look} show={show}>
        <h2 id="played-title" tabIndex={-1}>
          {lobby.playedGames}
        </h2>
      </Filters>
      <p class="counts" role="status" ref={counts}>
        {state === "there" && tally && tallyWords(text, tally)}
        {state === "there" && part && archive.byPart(part.name, games.length, isAtEnd ? null : part.among)}
      </p>
      {state === "there" && games.length === 0 && isAtEnd && (
        <Nothing isFiltered={conditionsOf(filter) > 0} clear={clear} />
      )}
      {games.length > 0 && <GameRows games={games} account={account} />}
      <p role={state === "failed" ? "alert" : "status"} class="quiet">
        {words}
      </p>
      <div class="row">
        {state === "failed" && (
          <button type="button" onClick={again}>
            {lobby.again}
          </button>
        )}
        {state === "there" && !isAtEnd && (
          <button type="button" onClick={() => void older()}>
            {part ? archive.searchOn : lobby.older}
          </button>
        )}
        {games.length > 0 && <DownloadGames queries={queries} isAll={conditionsOf(filter) === 0} />}
      </div>
    </section>
  );
}

function Nothing({ isFiltered, clear }: { readonly isFiltered: boolean; clear(): void }) {
  const { archive } = useText();
  if (!isFiltered) return <p class="quiet">{archive.empty}</p>;
  return (
    <div class="row">
      <p class="quiet">{archive.none}</p>
      <button type="button" onClick={clear}>
        {archive.clearAll}
      </button>
    </div>
  );
}

/** What was found is in sight after a search, also below a long form. */
function bringIntoView(counts: HTMLElement | null): void {
  const top = counts?.getBoundingClientRect().top ?? 0;
  if (top < 0 || top > innerHeight / 2) counts?.scrollIntoView({ block: "start" });
}

function tallyWords(text: ReturnType<typeof useText>, tally: GameTally): string {
  const { archive } = text;
  const show = (count: GameCount): string =>
    typeof count === "number"
      ? count.toLocaleString(text.tag)
      : archive.atLeast(count.at_least.toLocaleString(text.tag));
  const kinds = ["games", "won", "lost", "drawn", "others"] as const;
  // Games without a result are rare.
  const shown = kinds.filter((kind) => kind !== "others" || tally.others !== 0);
  const words = shown.map((kind) => archive.counts[kind](show(tally[kind]))).join(" · ");
  return tally.isIndexing ? `${words} ${archive.indexing}` : words;
}

function wrong({ archive, lobby, analysis }: ReturnType<typeof useText>, error: SearchError): string {
  switch (error.why) {
    case "opening":
      return archive.badOpening;
    case "moves":
      return archive.longOpening;
    case "later":
      return analysis.later(error.seconds);
    case "rejected":
      return `${archive.rejected} ${error.message}`;
    case "failed":
      return lobby.failed;
  }
}
