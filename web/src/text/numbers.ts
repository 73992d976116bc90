/**
 * Fractions as the reader's language writes them.
 *
 * A formatter is made once for each form: to make one takes longer than to draw the line that it is for, and a list of moves
 * has one number for each move.
 */
const formatters = new Map<string, Intl.NumberFormat>();

/** `least` and `most`: how many digits stand after the decimal mark. Thousands are not set apart. */
export function showFraction(tag: string, value: number, least: number, most = least): string {
  const key = `${tag} ${least} ${most}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.NumberFormat(tag, {
      minimumFractionDigits: least,
      maximumFractionDigits: most,
      useGrouping: false,
    });
    formatters.set(key, formatter);
  }
  return formatter.format(value);
}
