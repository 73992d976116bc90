/**
 * The dialog for a game against a friend, who gets a link. It begins with the clock of the pool that was joined last, or with
 * the terms of an own invitation, whose place the new one takes: its link then leads to no game. When the link is made its page
 * takes the place of this one. What the server rejects stays in the form, and the reason is said over the dialog.
 */
import type { Challenge } from "#protocol";
import { setupOfChallenge, setupOfPool } from "../../state/setup";
import { useApp, useText } from "../context";
import { Dialog } from "../Dialog";
import { PassingNotice } from "../PassingNotice";
import { NewGame, useFocusOnClock } from "./NewGame";

interface Props {
  /** The own invitation by link that is changed. */
  readonly before?: Challenge;
  close(): void;
}

export function FriendDialog({ before, close }: Props) {
  const text = useText();
  const usual = setupOfPool(useApp((app) => app.settings.pool));
  const first = before ? { ...setupOfChallenge(before), audience: "link" as const } : usual;
  useFocusOnClock();
  return (
    <Dialog
      title={before ? text.challenge.changeTerms : text.lobby.withFriend}
      class="challenge-dialog"
      closesBeside
      close={close}
    >
      <NewGame first={first} isForFriend before={before?.challenge} close={close} />
      <PassingNotice />
    </Dialog>
  );
}
