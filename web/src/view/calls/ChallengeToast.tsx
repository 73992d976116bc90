/**
 * A challenge, to answer at once: in the header of every page, so that it covers no board and moves nothing, and in sight
 * however far one has scrolled.
 *
 * It takes no focus; the live region reads it out when it comes (`reducer/challenges`). The latest one is shown, and when that
 * is answered or put away the one before; its buttons answer no press that was aimed at another one. What is put away waits on
 * the home page. Its words lead to its own page, where a reason can be given, unless one plays. On a phone the buttons are signs,
 * so that two lines say who asks for what.
 */
import { seatOf } from "zeitnot-client";
import { type Color, other } from "../../chess/square";
import { called } from "../../state/calls";
import { isBeingAnswered } from "../../state/openGames";
import { briefOf, termsOf } from "../../text/terms";
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
  const { challenge: id, by } = challenge;
  const isOff = isBeingAnswered(app, id);
  // The focus stays in the header, where the player has been.
  const leave = (act: () => void) => (event: MouseEvent | KeyboardEvent) => {
    const header = (event.currentTarget as Element).closest("header");
    act();
    header?.querySelector("a")?.focus({ preventScroll: true });
  };
  const answer = (act: () => void) => (event: MouseEvent) => isSettled && leave(act)(event);
  const isRematch = challenge.rematch_of !== undefined;
  const words = (
    <>
      <strong class="toast-who">
        <span class="toast-name">{by.name}</span> <Strength player={by} />{" "}
        <span class="toast-verb">{isRematch ? text.calls.asksRematch : text.calls.challenges}</span>
      </strong>{" "}
      <span class="toast-terms">{termsOf(text, challenge, "joiner")}</span>
      <span class="toast-brief">
        {challenge.color !== null && <OwnColor color={other(challenge.color)} />}
        {isRematch && `${text.lobby.rematch} · `}
        {briefOf(text, { ...challenge, color: null })}
      </span>
    </>
  );
  const here = app.route.at === "game" ? app.games[app.route.id] : undefined;
  const isGame = here !== undefined && here.phase !== "ended";
  // Nobody leaves a game that is running by a slip of the finger.
  const plays = isGame && seatOf(here, app.account) !== null;
  const dismiss = leave(() => store.putAway(id));
  return (
    <section
      class={isGame ? "toast at-game" : "toast elsewhere"}
      aria-label={text.calls.toast}
      onKeyDown={(event) => event.key === "Escape" && dismiss(event)}
    >
      {plays ? (
        <p class="toast-words">{words}</p>
      ) : (
        <PageLink class="toast-words" to={{ at: "game", id }}>
          {words}
        </PageLink>
      )}
      <button
        type="button"
        class="primary"
        aria-label={text.lobby.acceptFrom(by.name)}
        disabled={isOff}
        aria-disabled={!isSettled}
        onClick={answer(() => store.acceptChallenge(id))}
      >
        <Icon name="yes" />
        <span class="toast-word">{text.lobby.accept}</span>
      </button>
      <button
        type="button"
        aria-label={text.lobby.declineFrom(by.name)}
        disabled={isOff}
        aria-disabled={!isSettled}
        onClick={answer(() => store.send({ t: "decline_challenge", d: { challenge: id } }))}
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

/** A sign, for which there is room in every language. */
function OwnColor({ color }: { readonly color: Color }) {
  const { lobby, sides } = useText();
  return <span class={`disc ${color}`} role="img" aria-label={lobby.youPlay(sides[color])} />;
}
