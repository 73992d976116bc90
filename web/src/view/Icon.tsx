/** Our own icons as paths, because not every device has the glyphs. Hidden from screen readers; buttons have labels. */

const PATHS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  back: "M16 5l-9 7 9 7z",
  forward: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  flip: "M8 4v14M4.500 14.500L8 18l3.500-3.500M16 20V6M12.500 9.500L16 6l3.500 3.500",
  close: "M6 6l12 12M18 6L6 18",
  chat: "M4 5.500h16v10.500h-8.500l-4.500 4v-4H4z",
  more: "M12 5v14M5 12h14",
  less: "M5 12h14",
  sound: "M4 9.500v5h3.500l5 4v-13l-5 4zM16 9a4 4 0 0 1 0 6M18.500 6.500a8 8 0 0 1 0 11",
  silence: "M4 9.500v5h3.500l5 4v-13l-5 4zM16.500 9.500l5 5M21.500 9.500l-5 5",
  settings:
    "M4 7h7M17 7h3M4 17h3M13 17h7M14 4.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5zM10 14.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z",
  seen: "M2.500 12s3.500-6 9.500-6 9.500 6 9.500 6-3.500 6-9.500 6-9.500-6-9.500-6zM12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z",
  unseen:
    "M2.500 12s3.500-6 9.500-6 9.500 6 9.500 6-3.500 6-9.500 6-9.500-6-9.500-6zM12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5zM4 20L20 4",
  phrases:
    "M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17zM8 14c1 1.700 2.400 2.500 4 2.500s3-.8 4-2.500M9 9.300v.4M15 9.300v.4",
  people:
    "M9 5a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM2.500 19.500c.7-3.500 3.200-5.200 6.500-5.200s5.800 1.700 6.500 5.200M15.500 5.300a3.500 3.500 0 0 1 0 6.400M18 14.600c2 .8 3.200 2.500 3.600 4.900",
  person: "M12 4.500a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.500 20c.8-4 3.800-6 7.500-6s6.700 2 7.500 6",
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
