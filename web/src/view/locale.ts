/**
 * Dates as people write them where they live: the browser's regional variant of the page's language.
 *
 * The month is a word and the year has four digits, as 11/12/26 is one day to some and another to others. The page's
 * English is British, and so are its dates.
 */
import type { Catalogue } from "../text";
import { dateTag } from "../text/words";

function localeOf(tag: string): string {
  return dateTag(tag) === tag ? (navigator.languages.find((one) => one.startsWith(tag)) ?? tag) : dateTag(tag);
}

/** A day and an hour of the coming week, `Thursday 26 November at 14:05`; `at` in wall-clock ms. */
export function showHour(tag: string, at: number): string {
  return new Date(at).toLocaleString(localeOf(tag), {
    weekday: "long",
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** How long ago it was within the last day, `just now` or `12 minutes ago`, else the day; `seconds` since 1970. */
export function showAgo(text: Catalogue, seconds: number): string {
  const minutes = Math.floor((Date.now() / 1000 - seconds) / 60);
  if (minutes < 1) return text.home.justNow;
  if (minutes >= 24 * 60) return showDay(text, seconds);
  const ago = new Intl.RelativeTimeFormat(localeOf(text.tag), { numeric: "auto" });
  return minutes < 60 ? ago.format(-minutes, "minute") : ago.format(-Math.floor(minutes / 60), "hour");
}

const DAY = { day: "numeric", month: "short", year: "numeric" } as const;

/** A day, `26 Nov 2026`; `seconds` since 1970. In UTC, as the server knows the last use of a token by the day. */
export function showDay({ tag }: Catalogue, seconds: number): string {
  return new Date(seconds * 1000).toLocaleDateString(localeOf(tag), { ...DAY, timeZone: "UTC" });
}

/** A month, `November 2026`; `seconds` since 1970. */
export function showMonth({ tag }: Catalogue, seconds: number): string {
  return new Date(seconds * 1000).toLocaleDateString(localeOf(tag), {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}

/** A day of PGN as far as it is known: `11 Jul 1972`, `July 1972` or `1972`; undefined without a year. */
export function showKnownDay(text: Catalogue, date = ""): string | undefined {
  const [, year, month, day] = /^(\d{4})(?:\.(\d\d)(?:\.(\d\d))?)?/u.exec(date) ?? [];
  const at = Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1)) / 1000;
  return day ? showDay(text, at) : month ? showMonth(text, at) : year;
}

/** A day where the reader is, `26 Nov 2026`. */
export function showDate({ tag }: Catalogue, at: Date): string {
  return at.toLocaleDateString(localeOf(tag), DAY);
}

/** A day and its hour where the reader is, `26 Nov 2026, 14:05`. */
export function showTime({ tag }: Catalogue, at: Date): string {
  return at.toLocaleString(localeOf(tag), { ...DAY, hour: "2-digit", minute: "2-digit" });
}
