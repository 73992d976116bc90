/** A whole number with its sign, as a change is written: `+8`, `−8`, `±0`. */
export function signed(n: number): string {
  if (n === 0) return "±0";
  return n > 0 ? `+${n}` : `−${-n}`;
}
