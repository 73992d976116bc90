/**
 * All games of a search as one file of PGN.
 *
 * The server looks for one side at a time where a side decides who has won: then there are two searches, and the page puts
 * what they find into one file.
 */
import { useState } from "preact/hooks";
import { useStore, useText } from "../context";

const FILE = "games.pgn";
const exportOf = (query: string): string => `/api/games/export?${query}&format=pgn`;

interface Props {
  readonly queries: readonly string[];
  /** Whether they are all games of the player. */
  readonly isAll: boolean;
}

export function DownloadGames({ queries, isAll }: Props) {
  const store = useStore();
  const { archive, lobby } = useText();
  const [isUnderWay, set] = useState(false);
  const label = isAll ? archive.downloadAll : archive.downloadThese;
  const [first, ...others] = queries;
  if (first === undefined) return null;
  if (others.length === 0) {
    return (
      <a class="button" href={exportOf(first)} download={FILE}>
        {label}
      </a>
    );
  }
  const download = async (): Promise<void> => {
    set(true);
    try {
      save(await Promise.all(queries.map(textOf)));
    } catch {
      store.notice("error", lobby.failed);
    }
    set(false);
  };
  return (
    <button type="button" aria-disabled={isUnderWay} onClick={() => !isUnderWay && void download()}>
      {label}
    </button>
  );
}

async function textOf(query: string): Promise<string> {
  const response = await fetch(exportOf(query));
  if (!response.ok) throw new Error(`${response.status}`);
  return response.text();
}

function save(parts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([parts.join("")], { type: "application/x-chess-pgn" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = FILE;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
