// Draws the icons of the installed app from src/icon.svg into public/, when the drawing has changed: node scripts/icons.mjs
//
// A maskable icon fills its square, with the drawing in the middle 80 %, as phones cut it to their own shape.
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const DRAWING = readFileSync("src/icon.svg", "utf8");
const GROUND = "#2f6f5e";
const ICONS = [
  { name: "icon-192", size: 192, share: 1, ground: "transparent" },
  { name: "icon-512", size: 512, share: 1, ground: "transparent" },
  { name: "icon-maskable-512", size: 512, share: 0.8, ground: GROUND },
  { name: "apple-touch-icon", size: 180, share: 0.86, ground: GROUND },
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
for (const { name, size, share, ground } of ICONS) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const side = Math.round(size * share);
  await page.setContent(
    `<body style="margin:0;display:grid;place-items:center;height:100vh;background:${ground}">` +
      DRAWING.replace("<svg ", `<svg width="${side}" height="${side}" `),
  );
  await page.screenshot({ path: `public/${name}.png`, omitBackground: true });
  await page.close();
}
await browser.close();
