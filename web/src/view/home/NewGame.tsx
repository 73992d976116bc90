/**
 * The form for a custom game: opponent, clock, colour, takebacks, whether it is rated, the button that makes it, which stays in
 * sight, and the rest behind "More". Takebacks come first of the two: a game with them cannot be rated, which is said below.
 *
 * The meaning of the fields is in `state/setup`. The server rejects impossible games, and the reason is shown.
 */
import { useEffect, useState } from "preact/hooks";
import type { ChallengeId, PlayerView } from "#protocol";
import { AUDIENCES, type Setup, canBeRated, challengeOf } from "../../state/setup";
import { ownOpenGames } from "../../state/openGames";
import { isUnknown } from "../../state/people";
import { useApp, useStore, useText } from "../context";
import { Segments } from "../form/Segments";
import { PlayerField } from "../people/PlayerField";
import { ClockFields } from "./ClockFields";
import { ColorFields } from "./ColorFields";
import { MoreFields, type SetupPart } from "./MoreFields";
import { RatedFields, RatingRange } from "./RatedFields";
import { lastOpponents } from "./recent";
import { TakebackField } from "./TakebackField";

interface Props {
  /** The player to challenge, if that is fixed. */
  readonly to?: PlayerView;
  /** Whether games against that player can be rated. */
  readonly isRatable?: boolean;
  /** What the form shows until somebody changes it. */
  readonly first: Setup;
  /** Whether it is for a friend, who gets a link: nobody else is offered. */
  readonly isForFriend?: boolean;
  /** The own invitation whose place the new one takes. */
  readonly before?: ChallengeId | undefined;
  /** Whether the fields of a clock that no tile has are in sight from the start. */
  readonly hasOtherClock?: boolean;
  /** Closes the dialog in which the form is, and whose title says what it is for. */
  close?(): void;
}

export function NewGame({
  to,
  isRatable = true,
  first,
  isForFriend = false,
  before,
  hasOtherClock = false,
  close,
}: Props) {
  const store = useStore();
  const app = useApp();
  const text = useText();
  const [changed, set] = useState<Setup | null>(null);
  // To a guest the field only says why it is not for them.
  const mayBeRated = isRatable && (app.people.kind === "registered" || app.people.kind === "bot");
  const shown = changed ?? first;
  // What was chosen the last time is for new games: the terms of an invitation are those that it has.
  const usual = before ? shown.rated : (app.settings.rated[shown.audience] ?? first.rated);
  const setup = { ...shown, rated: mayBeRated && usual };
  const rate = (rated: boolean): void => {
    if (before) set({ ...setup, rated });
    else store.change({ rated: { ...app.settings.rated, [setup.audience]: rated } });
  };
  const [asked, setAsked] = useState(false);
  const creating = asked && app.link.outbox.some((one) => one.message.t === "create_challenge");
  const create = (event: Event): void => {
    event.preventDefault();
    if (creating) return;
    setAsked(true);
    store.createChallenge(challengeOf(setup, to?.account ?? null), before);
    // The link has a page of its own, which takes the place of the form.
    if (!isForFriend) close?.();
  };
  // A second one may be listed, which is nothing to do first.
  const isListed = setup.audience === "lobby" && ownOpenGames(app).length > 0;
  const forFriend = before ? text.challenge.changeTerms : text.lobby.withFriend;
  const label = to ? text.lobby.challengePlayer(to.name) : isForFriend ? forFriend : text.home.newGame;
  const submit =
    setup.audience === "player"
      ? text.lobby.challenge
      : setup.audience === "lobby"
        ? text.lobby.listIt
        : text.home.create;
  return (
    <form class="new-game" onSubmit={create} aria-label={label}>
      {!close && <h2>{label}</h2>}
      {!to && !isForFriend && <AudienceFields setup={setup} set={set} />}
      {isForFriend && <p class="quiet">{before ? text.challenge.newLink : text.lobby.audienceAbout.link}</p>}
      <ClockFields setup={setup} set={set} hasOther={hasOtherClock} />
      <ColorFields setup={setup} set={set} name="color" />
      {setup.audience !== "lobby" && <TakebackField setup={setup} set={set} isAsked />}
      {isRatable && <RatedFields setup={setup} rate={rate} />}
      <MoreFields setup={setup} set={set}>
        {setup.audience === "lobby" && <RatingRange setup={setup} set={set} />}
      </MoreFields>
      <div class="submit">
        <button type="submit" class={isListed ? "big" : "primary big"} aria-disabled={creating}>
          {creating
            ? text.home.creating
            : mayBeRated
              ? text.people.rated.submit(submit, setup.rated && canBeRated(setup))
              : submit}
        </button>
        {close && (
          <button type="button" class="big" onClick={close}>
            {text.lobby.close}
          </button>
        )}
      </div>
    </form>
  );
}

/** A dialog with the form begins at the clock that is chosen, not at the first of all; for the dialog, which opens before. */
export function useFocusOnClock(): void {
  useEffect(() => document.querySelector<HTMLElement>(".challenge-dialog [aria-pressed=true]")?.focus(), []);
}

function AudienceFields({ setup, set }: SetupPart) {
  const text = useText();
  const account = useApp((app) => app.account);
  const isNobody = useApp((app) => setup.who === null && isUnknown(app.people, setup.name));
  return (
    <>
      <Segments
        legend={text.lobby.audience}
        name="audience"
        class="audience"
        of={AUDIENCES}
        show={(audience) => text.lobby.audiences[audience]}
        isChosen={(audience) => setup.audience === audience}
        choose={(audience) => set({ ...setup, audience })}
      />
      {setup.audience === "player" && (
        <PlayerField
          label={text.lobby.playerName}
          value={setup.name}
          known={lastOpponents(account)}
          required
          wrong={isNobody ? text.codes.unknown_account : ""}
          input={(name) => set({ ...setup, name, who: null })}
          choose={({ account: who, name }) => set({ ...setup, name, who })}
        />
      )}
      <p class="quiet audience-about">{text.lobby.audienceAbout[setup.audience]}</p>
    </>
  );
}
