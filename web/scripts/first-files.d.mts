/** The types of `first-files.mjs`, for its test. */
interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
  readonly imports?: readonly string[];
  readonly isDynamicEntry?: boolean;
}
export function firstFiles(
  manifest: Readonly<Record<string, Chunk>>,
  document: string,
  weigh: (file: string) => number,
): string[];
