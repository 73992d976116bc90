/** The sets of pieces: the usual one comes with the page, each other one is a file that is loaded when it is wanted. */
import type { PieceSet } from "../../../state/settings";
import type { PieceShapes } from "./shape";
import { STAUNTON } from "./staunton";

const LOADED_LATER: Readonly<Record<Exclude<PieceSet, "staunton">, () => Promise<PieceShapes>>> = {
  classic: async () => (await import("./classic")).CLASSIC,
  celtic: async () => (await import("./celtic")).CELTIC,
  fantasy: async () => (await import("./fantasy")).FANTASY,
  kosal: async () => (await import("./kosal")).KOSAL,
  modern: async () => (await import("./modern")).MODERN,
  geometric: async () => (await import("./geometric")).GEOMETRIC,
  round: async () => (await import("./round")).ROUND,
  simple: async () => (await import("./simple")).SIMPLE,
};

const loaded = new Map<PieceSet, PieceShapes>([["staunton", STAUNTON]]);

/** The shapes of a set; null until it is loaded. */
export const shapesOf = (set: PieceSet): PieceShapes | null => loaded.get(set) ?? null;

/** Fails without a network. Another call tries again. */
export async function loadShapes(set: PieceSet): Promise<void> {
  if (set !== "staunton" && !loaded.has(set)) loaded.set(set, await LOADED_LATER[set]());
}
