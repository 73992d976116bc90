/**
 * Counts, fractions and shares as the reader's language writes them.
 *
 * A formatter is made once for each form: to make one takes longer than to draw the line that it is for, and a list of moves
 * has one number for each move.
 */
const formatters = new Map<string, Intl.NumberFormat>();

function formatter(tag: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = tag + JSON.stringify(options);
  const made = formatters.get(key) ?? new Intl.NumberFormat(tag, options);
  formatters.set(key, made);
  return made;
}

/** A whole number, `1,518`. */
export function showWhole(tag: string, count: number): string {
  return formatter(tag, {}).format(count);
}

/** `least` and `most`: how many digits stand after the decimal mark. Thousands are not set apart. */
export function showFraction(tag: string, value: number, least: number, most = least): string {
  const digits = { minimumFractionDigits: least, maximumFractionDigits: most };
  return formatter(tag, { ...digits, useGrouping: false }).format(value);
}

/** Of a hundred, `39%` or `39 %`. */
export function showPercent(tag: string, percent: number): string {
  return formatter(tag, { style: "percent" }).format(percent / 100);
}
