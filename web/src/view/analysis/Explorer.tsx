/**
 * The opening explorer: the moves that the games of this server with a result went on with in the
 * position shown, how often, and how these games ended. A move is played by a press. Where there were
 * none, LastKnown.tsx leads back to where there were.
 *
 * Asked for only where it is in sight, of a position that was looked at for a moment. Until the answer is there, what stood
 * there keeps its place. Beside a game it is folded at first, except under the tab of a phone.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { PlayedMove, PlayedMoves } from "#protocol";
import { keepAsking } from "../../net/ask";
import { askPlayedMoves, knownMoves } from "../../net/playedMoves";
import { type Shares, sharesOf } from "../../state/analysis/shares";
import { NO_FILTER, OPENING_PLIES_MAX } from "../../state/gameFilter";
import { decidedOf, leastOf } from "../../state/gameTally";
import { showPercent } from "../../text/numbers";
import { showSan, speakSan } from "../../text/words";
import { showCount } from "../archive/Tally";
import { useText } from "../context";
import { PageLink } from "../HomeLink";
import "../../style/explorer.css";

/** Whoever steps quickly asks only about the position where they stop. */
const LOOKED_AT_MS = 250;

interface Props {
  readonly fen: string;
  /** The moves from the first position of chess in SAN, by which the games are found; null from another one. */
  readonly moves: readonly string[] | null;
  /** The way back from a position that no game had. */
  readonly back: ComponentChildren;
  play(uci: string): void;
}

interface FoldedProps extends Props {
  readonly isOpen: boolean;
  open(isOpen: boolean): void;
}

/** Where there is no game to be told of, and under a tab. */
export function Explorer(props: Props) {
  const { explorer } = useText().analysis;
  return (
    <section class="share explorer" aria-labelledby="explorer-title">
      <h2 id="explorer-title">{explorer.title}</h2>
      <div class="explored" tabIndex={-1}>
        <Explored {...props} />
      </div>
    </section>
  );
}

/** Below a game. */
export function FoldedExplorer({ isOpen, open, ...props }: FoldedProps) {
  const { explorer } = useText().analysis;
  return (
    <details class="share explorer" open={isOpen} onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>{explorer.title}</summary>
      <div class="explored" tabIndex={-1}>
        {isOpen && <Explored {...props} />}
      </div>
    </details>
  );
}

function Explored({ fen, moves, back, play }: Props) {
  const text = useText();
  const { explorer } = text.analysis;
  const { found, isOfHere, hasFailed } = usePlayedMoves(fen);
  if (!found) return <p class="quiet">{hasFailed ? text.analysis.failed : text.analysis.asking}</p>;
  const games = decidedOf(found.games);
  const isListed = moves !== null && moves.length <= OPENING_PLIES_MAX;
  return (
    <>
      {leastOf(games) === 0 ? (
        <>
          <p class="quiet">{explorer.none}</p>
          {isOfHere && back}
        </>
      ) : (
        <table aria-busy={!isOfHere}>
          <thead>
            <tr>
              <th scope="col">{explorer.move}</th>
              <th scope="col">{explorer.games}</th>
              <th scope="col">{explorer.results}</th>
            </tr>
          </thead>
          <tbody>
            {found.moves.filter(hasResult).map((played) => (
              <Row key={played.uci} played={played} play={(uci) => isOfHere && play(uci)} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{explorer.all}</th>
              <td>{showCount(text, games)}</td>
              <td>
                <Results shares={sharesOf(found.games)} />
              </td>
            </tr>
          </tfoot>
        </table>
      )}
      {isListed && leastOf(games) > 0 && (
        <PageLink class="plain" to={{ at: "games", filter: { ...NO_FILTER, opening: moves.join(" ") } }}>
          {explorer.list}
        </PageLink>
      )}
    </>
  );
}

/** Games without a result are those that were aborted, mostly: the list of games leaves them out too. */
const hasResult = ({ games }: PlayedMove): boolean => leastOf(decidedOf(games)) > 0;

function Row({ played, play }: { readonly played: PlayedMove; play(uci: string): void }) {
  const text = useText();
  return (
    <tr>
      <th scope="row">
        <button type="button" class="plain" onClick={() => play(played.uci)}>
          <span aria-hidden="true">{showSan(text, played.san)}</span>
          <span class="visually-hidden">{speakSan(text, played.san)}</span>
        </button>
      </th>
      <td>{showCount(text, decidedOf(played.games))}</td>
      <td>
        <Results shares={sharesOf(played.games)} />
      </td>
    </tr>
  );
}

/** A share that is wide enough has its number in it. */
const NUMBER_FROM = 18;

function Results({ shares }: { readonly shares: Shares | null }) {
  const { tag, analysis } = useText();
  const { explorer } = analysis;
  if (!shares) return null;
  return (
    <span class="shares" role="img" aria-label={explorer.shares(shares)} title={explorer.shares(shares)}>
      {(["white", "draw", "black"] as const).map((side) => (
        <span key={side} class={side} style={{ flexGrow: shares[side] }} aria-hidden="true">
          {shares[side] >= NUMBER_FROM && showPercent(tag, shares[side])}
        </span>
      ))}
    </span>
  );
}

interface Found {
  /** What was played in the position, or in the last one until the answer is there. */
  readonly found: PlayedMoves | null;
  readonly isOfHere: boolean;
  readonly hasFailed: boolean;
}

function usePlayedMoves(fen: string): Found {
  const [hasFailed, fail] = useState(false);
  const [, answered] = useState("");
  const last = useRef<PlayedMoves | null>(null);
  const known = knownMoves(fen);
  last.current = known ?? last.current;
  useEffect(() => {
    if (known) return;
    return keepAsking(
      LOOKED_AT_MS,
      (left) => askPlayedMoves(fen, left),
      (answer) => {
        fail(answer.kind !== "there");
        answered(fen);
      },
    );
  }, [fen]);
  return { found: last.current, isOfHere: known !== null, hasFailed };
}
