/** The question whether to begin another game while the clocks of an own one run. Escape means no. */
import { useEffect } from "preact/hooks";
import { seatOf } from "zeitnot-client";
import { other } from "../chess/square";
import { runningGame } from "../state/calls";
import { useApp, useStore, useText } from "./context";
import { Dialog } from "./Dialog";

export function AnotherGame() {
  const store = useStore();
  const text = useText();
  const isAsked = useApp((app) => app.another !== null);
  const running = useApp((app) => runningGame(app));
  const account = useApp((app) => app.account);
  const seat = running && seatOf(running, account);
  // The game has ended before the answer.
  useEffect(() => {
    if (isAsked && !seat) store.answerAnother(false);
  }, [isAsked, seat]);
  if (!isAsked || !running || !seat) return null;
  const back = (): void => {
    store.answerAnother(false);
    store.navigate({ at: "game", id: running.id });
  };
  const { name } = running.players[other(seat)];
  return (
    <Dialog class="another-game" title={text.calls.running(name)} close={() => store.answerAnother(false)}>
      <div class="row">
        <button type="button" class="primary big grow" onClick={back}>
          {text.home.backToGame(name)}
        </button>
        <button type="button" class="big grow" onClick={() => store.answerAnother(true)}>
          {text.calls.another}
        </button>
      </div>
    </Dialog>
  );
}
