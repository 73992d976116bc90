/**
 * A challenge, to answer at once: in the header of every page, where that is too narrow in a bar
 * below it, so that it moves nothing and is in sight however far one has scrolled. While one plays by
 * the clock there is none: the number in the header says that something waits, and it is shown when
 * the game is over (`state/calls`).
 *
 * It takes no focus; the live region reads it out when it comes (`reducer/challenges`). The latest one
 * is shown, and when that is answered or put away the one before; nothing of it answers a press that
 * was aimed at what stood there before; Escape does. What is put away waits on the home page. Its
 * words lead to its own page, where a reason can be given.
 */
import { called } from "../../state/calls";
import { isBeingAnswered } from "../../state/openGames";
import { termsOf } from "../../text/terms";
import { useApp, useStore, useText } from "../context";
import { PageLink } from "../HomeLink";
import { Icon } from "../Icon";
import { Strength } from "../PlayerLink";
import { useSettled } from "../settled";

export function ChallengeToast() {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const challenge = called(app).at(-1) ?? null;
  const isSettled = useSettled(challenge?.challenge ?? null);
  if (!challenge) return null;
  // That it is a rematch is said behind the name.
  const { challenge: id, by, rematch_of: before, ...terms } = challenge;
  const isOff = isBeingAnswered(app, id);
  // The focus stays in the header, where the player has been.
  const leave = (act: () => void) => (event: MouseEvent | KeyboardEvent) => {
    const header = (event.currentTarget as Element).closest("header");
    act();
    header?.querySelector("a")?.focus({ preventScroll: true });
  };
  const guard = (event: MouseEvent): void => {
    if (isSettled) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const dismiss = leave(() => store.putAway(id));
  return (
    <section
      class="toast"
      aria-label={text.calls.toast}
      onClickCapture={guard}
      onKeyDown={(event) => event.key === "Escape" && dismiss(event)}
    >
      <PageLink class="toast-words" to={{ at: "game", id }}>
        <strong class="toast-who">
          <span class="toast-name">{by.name}</span> <Strength player={by} />{" "}
          <span class="toast-verb">{before === undefined ? text.calls.challenges : text.calls.asksRematch}</span>
        </strong>{" "}
        <span>{termsOf(text, terms, "joiner")}</span>
      </PageLink>
      <button
        type="button"
        class="primary"
        aria-label={text.lobby.acceptFrom(by.name)}
        disabled={isOff}
        aria-disabled={!isSettled}
        onClick={leave(() => store.acceptChallenge(id))}
      >
        {text.lobby.accept}
      </button>
      <button
        type="button"
        aria-label={text.lobby.declineFrom(by.name)}
        disabled={isOff}
        aria-disabled={!isSettled}
        onClick={leave(() => store.send({ t: "decline_challenge", d: { challenge: id } }))}
      >
        {text.lobby.decline}
      </button>
      <button
        type="button"
        class="plain"
        aria-label={text.calls.hide}
        title={text.calls.hide}
        aria-disabled={!isSettled}
        onClick={dismiss}
      >
        <Icon name="less" />
      </button>
    </section>
  );
}
