/** Entry point: reads settings and address, connects the store to the browser, renders the page. */
import { render } from "preact";
import { SUBPROTOCOL, commandIds } from "zeitnot-client";
import { showCall } from "./device/notifications";
import { installWorker } from "./device/worker";
import { getJson } from "./net/api";
import { CookieIdentity } from "./net/identity";
import { SettingsKeeper } from "./net/settingsKeeper";
import { firstApp } from "./state/app";
import { loadKept, saveKept } from "./state/invitations";
import { savePairing, takePairing } from "./state/keptPairing";
import { loadRematches, saveRematches } from "./state/rematch";
import { type Route, routeOf } from "./state/route";
import { loadSettings } from "./state/settings";
import { Store } from "./store";
import "./style/base.css";
import "./style/invitation.css";
import "./style/boardColors.css";
import "./style/pieces.css";
import "./style/board.css";
import "./style/boardMarks.css";
import "./style/boards.css";
import "./style/player.css";
import "./style/game.css";
import "./style/clock.css";
import "./style/home.css";
import "./style/result.css";
import "./style/chat.css";
import "./style/lobby.css";
import "./style/waiting.css";
import "./style/people.css";
import "./style/calls.css";
import "./style/account.css";
import "./style/layout.css";
import "./style/zen.css";
import "./style/contrast.css";
import "./style/print.css";
import { ENGLISH, loadCatalogue } from "./text";
import { Page } from "./view/Page";
import { loadShapes } from "./view/board/pieceSets";
import { StoreProvider } from "./view/context";

/** Long enough to be felt in a pocket. */
const VIBRATION_MS = 120;

const JSON_BODY = { "content-type": "application/json" };

const identity = new CookieIdentity({
  storage: localStorage,
  fetch: (path, method) => fetch(path, { method }),
});
const world = {
  open: (url: string) => new WebSocket(url, SUBPROTOCOL),
  now: () => performance.now(),
  url: `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`,
  commandId: commandIds(),
};
const keeper = new SettingsKeeper({
  storage: localStorage,
  get: (path) => getJson<unknown>(path).catch(() => null),
  // A page that is left still sends it.
  put: (path, body) =>
    void fetch(path, { method: "PUT", body, headers: JSON_BODY, keepalive: true }).catch(() => undefined),
  now: () => Date.now(),
});
const settings = loadSettings(localStorage, navigator.languages);

/** The page of the address. Where a player's name has taken the place of the account, that is in the browser's history. */
function shownRoute(): Route {
  const route = routeOf(location.pathname, location.search);
  const { who } = (history.state ?? {}) as { readonly who?: string };
  return route.at === "player" && who !== undefined ? { ...route, who } : route;
}

/** Not at the top level: a language's file imports parts of this one, and would wait for it. */
async function start(): Promise<void> {
  // Before anything is shown, so that no text changes its language and no piece its shape. Without its file the page is in
  // English, and has the usual pieces.
  const [text] = await Promise.all([
    loadCatalogue(settings.language).catch(() => ENGLISH),
    loadShapes(settings.pieces).catch(() => undefined),
  ]);
  const first = {
    ...firstApp(settings, shownRoute(), text),
    kept: loadKept(localStorage),
    rematches: loadRematches(localStorage),
    pairing: takePairing(sessionStorage),
  };
  const store = new Store(first, world, identity, {
    keepSettings: (chosen) => keeper.keep(chosen),
    settingsOf: (account, isRegistered) => keeper.join(account, isRegistered),
    keepChallenges: (kept) => saveKept(localStorage, kept),
    keepRematches: (rematches) => saveRematches(localStorage, rematches),
    call: showCall,
    // Before the player has touched the page a browser forbids it, and complains.
    vibrate: () => void (navigator.userActivation?.hasBeenActive && navigator.vibrate?.(VIBRATION_MS)),
  });

  installWorker((path) => store.navigate(routeOf(path)));
  addEventListener("popstate", () => store.go(shownRoute()));
  addEventListener("pagehide", () => {
    keeper.flush();
    savePairing(sessionStorage, store.state.pairing, Date.now());
    // A browser that keeps the page would keep the connection too, and the player would seem to be here.
    store.leave();
  });
  addEventListener("pageshow", (event) => event.persisted && store.hurry());
  addEventListener("online", () => store.hurry());
  addEventListener("focus", () => store.hurry());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && store.hurry());

  const page = document.getElementById("page");
  if (page) {
    render(
      <StoreProvider value={store}>
        <Page />
      </StoreProvider>,
      page,
    );
  }
}

void start();
