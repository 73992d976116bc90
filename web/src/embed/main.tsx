/** Entry point of a game in a frame on another site: reads the address, connects, renders. Keeps nothing. */
import { render } from "preact";
import { SUBPROTOCOL, commandIds } from "zeitnot-client";
import "../style/base.css";
import "../style/boardColors.css";
import "../style/pieces.css";
import "../style/boards.css";
import "./embed.css";
import { ENGLISH, chooseLanguage, loadCatalogue } from "../text";
import { EmbeddedGame } from "./EmbeddedGame";
import { watch } from "./watching";

const text = await loadCatalogue(chooseLanguage(navigator.languages)).catch(() => ENGLISH);
document.documentElement.lang = text.tag;

const id = location.pathname.split("/")[2] ?? "";
/** `?side=black` turns the board. */
const bottom = new URLSearchParams(location.search).get("side") === "black" ? "black" : "white";
const world = {
  open: (url: string) => new WebSocket(url, SUBPROTOCOL),
  now: () => performance.now(),
  url: `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`,
  commandId: commandIds(),
};
const place = document.getElementById("game");
if (place) watch(id, world, (watched) => render(<EmbeddedGame {...watched} text={text} bottom={bottom} />, place));
