/** Which texts of the page that is shown are cut off, and what is wider than the window. Runs in the browser. */

export function clippedTexts(): string[] {
  const found: string[] = [];
  const shown = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  if (document.documentElement.scrollWidth > innerWidth) {
    const wide = [...document.querySelectorAll("body *")].filter(
      (one) => !one.closest("svg, .symbols") && shown(one) && one.getBoundingClientRect().right > innerWidth + 0.5,
    );
    found.push(
      `the page is ${document.documentElement.scrollWidth} px wide: ${wide.map((one) => one.className || one.tagName).join(", ")}`,
    );
  }
  // What an empty field says of itself.
  const pen = document.createElement("canvas").getContext("2d");
  for (const field of document.querySelectorAll<HTMLInputElement>("input[placeholder]")) {
    if (!pen || !shown(field) || field.value !== "") continue;
    const { font, paddingLeft, paddingRight } = getComputedStyle(field);
    pen.font = font;
    const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    if (pen.measureText(field.placeholder).width > room + 1)
      found.push(`"${field.placeholder}" does not fit into its field`);
  }
  const scrolls = /auto|scroll/u;
  for (const element of document.querySelectorAll("header *, main *, dialog *")) {
    if (
      !shown(element) ||
      element.closest(".visually-hidden, svg, .board-frame, option, [aria-hidden=true]:not(.over)")
    )
      continue;
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    );
    if (!hasText || getComputedStyle(element).clipPath !== "none") continue;
    // A name ends with an ellipsis where it is too long: a guest's letters are random, and so is its width.
    // So does that of an opening, and on a phone each fact of a finished game in a list.
    // Of one's last games as many are named as fit.
    if (element.closest(".name, .you, .own-line, .games :is(.opponent, .kind, .opening)")) continue;
    const range = document.createRange();
    range.selectNodeContents(element);
    const text = range.getBoundingClientRect();
    for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box);
      if (scrolls.test(overflowX) || scrolls.test(overflowY)) break;
      const isTight = box === element && box.matches("button, .button, select");
      if (!isTight && overflowX === "visible" && overflowY === "visible") continue;
      const own = box.getBoundingClientRect();
      if (
        text.right > own.right + 1 ||
        text.left < own.left - 1 ||
        text.bottom > own.bottom + 1 ||
        text.top < own.top - 1
      ) {
        found.push(`"${element.textContent?.trim().slice(0, 30)}" is cut off by ${box.className || box.tagName}`);
        break;
      }
    }
  }
  return found;
}
