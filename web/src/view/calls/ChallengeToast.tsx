/**
 * A challenge, to answer at once: with the header of every page, and in sight however far one has scrolled.
 *
 * It takes no focus; the live region reads it out when it comes (`reducer/challenges`). The latest one is shown; the others,
 * and one that is put away, wait on the home page, which shows all of them: while they are in sight there, it is not. Its
 * words lead to its own page, where a reason can be given, unless one plays. During a game it stands in the header, so that
 * it covers no board and moves nothing.
 */
import { seatOf } from "zeitnot-client";
import { calledNow } from "../../state/calls";
import { isBeingAnswered } from "../../state/openGames";
import { termsOf } from "../../text/terms";
import { useApp, useStore, useText } from "../context";
import { PageLink } from "../HomeLink";
import { Icon } from "../Icon";
import { Strength } from "../PlayerLink";

export function ChallengeToast() {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const challenge = calledNow(app);
  if (!challenge) return null;
  const { challenge: id, by } = challenge;
  const isUnderWay = isBeingAnswered(app, id);
  // The focus stays in the header, where the player has been.
  const leave = (act: () => void) => (event: MouseEvent | KeyboardEvent) => {
    const header = (event.currentTarget as Element).closest("header");
    act();
    header?.querySelector("a")?.focus({ preventScroll: true });
  };
  const verb = challenge.rematch_of === undefined ? text.calls.challenges : text.calls.asksRematch;
  const terms = termsOf(text, challenge, "joiner");
  const words = (
    <>
      <strong class="toast-who">
        <span class="toast-name">{by.name}</span> <Strength player={by} /> <span class="toast-verb">{verb}</span>
      </strong>{" "}
      <span>{terms}</span>
    </>
  );
  const here = app.route.at === "game" ? app.games[app.route.id] : undefined;
  const isGame = here !== undefined && here.phase !== "ended";
  // Nobody leaves a game that is running by a slip of the finger.
  const plays = isGame && seatOf(here, app.account) !== null;
  const dismiss = leave(() => store.putAway(id));
  return (
    <section
      class={isGame ? "toast at-game" : "toast"}
      aria-label={text.calls.toast}
      onKeyDown={(event) => event.key === "Escape" && dismiss(event)}
    >
      {plays ? (
        <p class="toast-words">{words}</p>
      ) : (
        <PageLink class="toast-words" to={{ at: "game", id }} label={`${by.name} ${verb}: ${terms}`}>
          {words}
        </PageLink>
      )}
      <button
        type="button"
        class="primary"
        aria-label={text.lobby.acceptFrom(by.name)}
        disabled={isUnderWay}
        onClick={leave(() => store.acceptChallenge(id))}
      >
        <Icon name="yes" />
        <span class="toast-word">{text.lobby.accept}</span>
      </button>
      <button
        type="button"
        aria-label={text.lobby.declineFrom(by.name)}
        disabled={isUnderWay}
        onClick={leave(() => store.send({ t: "decline_challenge", d: { challenge: id } }))}
      >
        <Icon name="close" />
        <span class="toast-word">{text.lobby.decline}</span>
      </button>
      <button type="button" class="plain" aria-label={text.calls.hide} title={text.calls.hide} onClick={dismiss}>
        <Icon name="less" />
      </button>
    </section>
  );
}
