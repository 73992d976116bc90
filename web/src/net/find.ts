/** Players and openings by a part of their names. */
import type { FoundNames, FoundOpenings, FoundPlayer, FoundPlayers } from "#protocol";
import { type Somebody, isBeginning, meant } from "../state/suggestions";
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

/** Who is meant by a name or the beginning of one; or, where that is not clear, who may be. */
export interface Meant {
  readonly one: Somebody | null;
  readonly others: readonly Somebody[];
}

/** Nobody where the server does not answer. */
export async function whoIsMeant(typed: string): Promise<Meant> {
  const found = typed.length > 1 ? await findPeople(typed) : null;
  const all: readonly Somebody[] = found?.kind === "there" ? [...found.value.players, ...found.value.names] : [];
  const one = meant(typed, all);
  return { one, others: one ? [] : all };
}

/** The openings that somebody may mean by a part of a name, the likeliest first. */
export function findOpenings(part: string): Promise<Answer<FoundOpenings>> {
  return askJson<FoundOpenings>(`/api/openings?name=${encodeURIComponent(part)}`);
}
