/**
 * Which built files a visitor loads before one can play: the document, what it names, all that these import by the
 * bundler's manifest, and a language.
 *
 * Languages are loaded on demand, and yet one of them always at the start: the largest counts. The grains of boards are named
 * by the first style sheet, and loaded where such a board is chosen.
 */
const DOCUMENT = "index.html";
const LANGUAGES = /^src\/text\//u;
const GRAINS = /^src\/style\/textures\//u;

/** A chunk's own files and those of its static imports. */
function closure(manifest, key, seen = new Set()) {
  if (seen.has(key)) return [];
  seen.add(key);
  const { file, css = [], assets = [], imports = [] } = manifest[key];
  return [file, ...css, ...assets, ...imports.flatMap((one) => closure(manifest, one, seen))];
}

/** `document`: the text of the document; `weigh`: the size of a file. */
export function firstFiles(manifest, document, weigh) {
  const named = [...document.matchAll(/(?:src|href)="\/([^"]+)"/gu)].map(([, file]) => file);
  const chunks = Object.keys(manifest).filter((key) => named.includes(manifest[key].file));
  const grains = Object.keys(manifest).flatMap((key) => (GRAINS.test(key) ? [manifest[key].file] : []));
  const first = chunks.flatMap((key) => closure(manifest, key)).filter((file) => !grains.includes(file));
  const own = new Set([DOCUMENT, ...named, ...first]);
  const sum = (files) => files.reduce((total, file) => total + weigh(file), 0);
  const languages = Object.entries(manifest)
    .filter(([key, { isDynamicEntry }]) => isDynamicEntry && LANGUAGES.test(key))
    .map(([key]) => closure(manifest, key).filter((file) => !own.has(file)))
    .sort((a, b) => sum(b) - sum(a));
  return [...own, ...(languages[0] ?? [])];
}
