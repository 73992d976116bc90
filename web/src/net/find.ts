/** Players and openings by a part of their names. */
import type { FoundNames, FoundOpenings, FoundPlayer, FoundPlayers } from "#protocol";
import { isBeginning } from "../state/suggestions";
import { type Answer, askJson } from "./ask";

/** The players whose names begin so, the likeliest first. */
export function findPlayers(beginning: string): Promise<Answer<FoundPlayers>> {
  return askJson<FoundPlayers>(`/api/players?name=${encodeURIComponent(beginning)}`);
}

/** Whom a name may mean. */
export interface FoundPeople {
  readonly players: readonly FoundPlayer[];
  /** Of players without accounts, who have only imported games. */
  readonly names: readonly string[];
}

/** Everybody whose name begins so, with an account or without. */
export async function findPeople(beginning: string): Promise<Answer<FoundPeople>> {
  const [players, names] = await Promise.all([
    isBeginning(beginning) ? findPlayers(beginning) : null,
    askJson<FoundNames>(`/api/games/names?name=${encodeURIComponent(beginning)}`),
  ]);
  if (players && players.kind !== "there") return players;
  if (names.kind !== "there") return names;
  return { kind: "there", value: { players: players?.value.players ?? [], names: names.value.names } };
}

/** The openings that somebody may mean by a part of a name, the likeliest first. */
export function findOpenings(part: string): Promise<Answer<FoundOpenings>> {
  return askJson<FoundOpenings>(`/api/openings?name=${encodeURIComponent(part)}`);
}
