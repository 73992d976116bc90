/** Dates as people write them where they live: the browser's regional variant of the page's language. */

export function localeOf(tag: string): string {
  return navigator.languages.find((one) => one.startsWith(tag)) ?? tag;
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
