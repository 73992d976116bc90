/**
 * The dialog for a game against a friend, who gets a link. It begins with the clock of the pool that was joined last. When the
 * link is made its page takes the place of this one. What the server rejects stays in the form, and the reason is said over the
 * dialog.
 */
import { setupOfPool } from "../../state/setup";
import { useApp, useText } from "../context";
import { Dialog } from "../Dialog";
import { PassingNotice } from "../PassingNotice";
import { NewGame, useFocusOnClock } from "./NewGame";

export function FriendDialog({ close }: { close(): void }) {
  const { withFriend } = useText().lobby;
  const first = setupOfPool(useApp((app) => app.settings.pool));
  useFocusOnClock();
  return (
    <Dialog title={withFriend} class="challenge-dialog" closesBeside close={close}>
      <NewGame first={first} isForFriend close={close} />
      <PassingNotice />
    </Dialog>
  );
}
