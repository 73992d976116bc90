/**
 * PGN as text and as moves: headers, the moves in SAN, variations, and what is noted: glyphs and comments after a move, and
 * a comment before the first move. One before the first move of a variation comes after that move.
 *
 * Knows no rules: whether a move can be played is for the server to say. Of several games the first one is read.
 */

/** What is written after a move. */
export interface PgnNote {
  /** Glyphs of the standard, `$4` or `$4 $19`. */
  readonly glyph?: string;
  /** What stands in braces: commands such as `[%clk 0:05:00.0]`. */
  readonly comment?: string;
}

/** A move, and the lines that could have been played in its place. */
export interface PgnMove extends PgnNote {
  readonly san: string;
  readonly variations: readonly PgnLine[];
}

export type PgnLine = readonly PgnMove[];

export interface Pgn {
  readonly headers: Readonly<Record<string, string>>;
  /** What stands in braces before the first move. */
  readonly comment?: string;
  readonly moves: PgnLine;
}

/**
 * Why a text is no PGN: nothing to play in it, a bracket without its other half, a variation before any move, or too
 * long. `at` is the piece of text where it was noticed.
 */
export interface PgnError {
  readonly error: "empty" | "bracket" | "variation" | "long";
  readonly at: string;
}

/** Octets of a text that is read: a game with many variations has some 50 KB. */
export const PGN_CHARS_MAX = 200_000;
/** Lines and plies: the server is asked once for each line, and the page shows all plies. */
export const PGN_LINES_MAX = 100;
export const PGN_PLIES_MAX = 3_000;

const TOKEN = /\s+|\{[^}]*\}|;[^\n]*|%[^\n]*|\$\d+|[()]|\[\s*(\w+)\s*"((?:[^"\\]|\\.)*)"\s*\]|[^\s(){}[\];]+/gy;
const RESULT = /^(?:1-0|0-1|1\/2-1\/2|½-½|\*)$/u;

/** The glyphs that are written as punctuation after a move. */
const SUFFIXES: Readonly<Record<string, string>> = {
  "!": "$1",
  "?": "$2",
  "!!": "$3",
  "??": "$4",
  "!?": "$5",
  "?!": "$6",
};

interface Noted {
  glyph?: string;
  comment?: string;
}

interface Open extends Noted {
  readonly san: string;
  readonly variations: Open[][];
}

export function readPgn(text: string): Pgn | PgnError {
  if (text.length > PGN_CHARS_MAX) return { error: "long", at: "" };
  const headers: Record<string, string> = {};
  const moves: Open[] = [];
  const open: Open[][] = [moves];
  const first: Noted = {};
  /** What stands before the first move of a variation. */
  let waiting: string | undefined;
  let plies = 0;
  let lines = 1;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const start = TOKEN.lastIndex;
    const token = TOKEN.exec(text);
    if (!token) return { error: "bracket", at: text.slice(start, start + 20) };
    const [word = "", header, value = ""] = token;
    const line = open.at(-1) ?? moves;
    if (header !== undefined) {
      // The headers of a second game.
      if (plies > 0) break;
      headers[header] = value.replace(/\\(.)/gu, "$1");
    } else if (word === "(") {
      const before = line.at(-1);
      if (!before) return { error: "variation", at: text.slice(start, start + 20) };
      const variation: Open[] = [];
      before.variations.push(variation);
      open.push(variation);
      waiting = undefined;
      lines += 1;
    } else if (word === ")") {
      if (open.length === 1) return { error: "bracket", at: word };
      open.pop();
    } else if (RESULT.test(word)) {
      if (open.length > 1) continue;
      if (word !== "*") headers.Result ??= word.replaceAll("½", "1/2");
      break;
    } else if (/^[{;$]/u.test(word)) {
      const last = line.at(-1) ?? (open.length === 1 ? first : null);
      if (last) note(last, word);
      else waiting = joined(waiting, textOf(word));
    } else {
      const san = sanOf(word);
      if (san === "") continue;
      const move: Open = { san, variations: [] };
      line.push(move);
      note(move, SUFFIXES[/[!?]+$/u.exec(word)?.[0] ?? ""] ?? "");
      if (waiting) move.comment = waiting;
      waiting = undefined;
      plies += 1;
    }
    if (plies > PGN_PLIES_MAX || lines > PGN_LINES_MAX) return { error: "long", at: word };
  }
  if (open.length > 1) return { error: "bracket", at: "(" };
  if (plies === 0 && headers.FEN === undefined) return { error: "empty", at: "" };
  return { headers, ...(first.comment ? { comment: first.comment } : {}), moves };
}

/** Whether a text has games after the first one, by the tag with which each begins. */
export const hasMoreGames = (text: string): boolean => (text.match(/^\s*\[Event\s/gmu) ?? []).length > 1;

/** Adds a glyph or a comment to the move that it follows, or to the first position. */
function note(move: Noted, word: string): void {
  if (word === "") return;
  if (word.startsWith("$")) {
    move.glyph = joined(move.glyph, word);
    return;
  }
  const text = textOf(word);
  if (text !== "") move.comment = joined(move.comment, text);
}

/** A comment without its braces, in one line. */
const textOf = (word: string): string =>
  word
    .replace(/^[{;]|\}/gu, "")
    .replace(/\s+/gu, " ")
    .trim();

const joined = (before: string | undefined, word: string): string => (before ? `${before} ${word}` : word);

/** The move in a word, without number and glyphs; empty if there is none: a number, or white space. */
function sanOf(word: string): string {
  if (/^(?:\s|%)/u.test(word)) return "";
  const move = word
    .replace(/^\d+(?:\.+|…|$)/u, "")
    .replace(/^[.…]+/u, "")
    .replace(/[!?]+$/u, "");
  if (/^(?:[+=\-/∞]*|e\.p\.|N|D)$/u.test(move)) return "";
  return move.replace(/^0-0-0/u, "O-O-O").replace(/^0-0/u, "O-O");
}

/** A header's value as it is written between quotes. */
const quoted = (value: string): string => value.replace(/[\\"]/gu, "\\$&");

/** Lines of a PGN have at most so many characters. */
const WIDTH = 80;

/**
 * A game as PGN. `first`: the number of the first move, and whether Black makes it. The result is that of the headers.
 */
export function writePgn(
  { headers, comment, moves }: Pgn,
  first: { readonly number: number; readonly isBlack: boolean },
): string {
  const head = Object.entries(headers).map(([name, value]) => `[${name} "${quoted(value)}"]\n`);
  const ply = (first.number - 1) * 2 + (first.isBlack ? 1 : 0);
  const words = [...commented(comment), ...wordsOf(moves, ply), headers.Result ?? "*"];
  const rows: string[] = [];
  let row = "";
  for (const word of words) {
    if (row && row.length + 1 + word.length > WIDTH) {
      rows.push(row);
      // Some readers take a bracket at the beginning of a row for a tag of the next game.
      row = word.startsWith("[") ? ` ${word}` : word;
    } else row += (row && " ") + word;
  }
  return `${head.join("")}${head.length ? "\n" : ""}${[...rows, row].join("\n")}\n`;
}

/** A comment word by word, so that its rows are no longer than others. A command, `[%clk 0:05:00.0]`, is one word. */
const commented = (comment: string | undefined): string[] =>
  comment ? (`{${comment}}`.match(/(?:\[%[^\]]*\]|\S)+/gu) ?? []) : [];

/** The words of a line; its first move and each one after a comment or a variation have a number, Black's too. */
function wordsOf(line: PgnLine, from: number): string[] {
  const words: string[] = [];
  let isFresh = true;
  line.forEach(({ san, glyph, comment, variations }, index) => {
    const ply = from + index;
    const number = Math.floor(ply / 2) + 1;
    if (ply % 2 === 0) words.push(`${number}. ${san}`);
    else words.push(isFresh ? `${number}... ${san}` : san);
    if (glyph) words.push(glyph);
    words.push(...commented(comment));
    isFresh = variations.length > 0 || comment !== undefined;
    for (const variation of variations) {
      const inner = wordsOf(variation, ply);
      const [head, last] = [inner[0] ?? "", inner.at(-1) ?? ""];
      if (inner.length === 1) words.push(`(${head})`);
      else words.push(`(${head}`, ...inner.slice(1, -1), `${last})`);
    }
  });
  return words;
}
