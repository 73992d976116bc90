/** Begins and ends following a player, and says whether one does. Whoever follows as many as one may is told so, and loses none of them. */
import type { Player } from "#protocol";
import { FOLLOWED_MAX } from "../../state/followed";
import { withAccount } from "../../state/settings";
import { useApp, useStore, useText } from "../context";
import { Icon } from "../Icon";

export function FollowButton({ player: { account, name } }: { player: Player }) {
  const store = useStore();
  const { follow } = useText().people;
  const followed = useApp((app) => app.settings.followed);
  const isFollowed = followed.includes(account);
  const flip = (): void => {
    if (!isFollowed && followed.length >= FOLLOWED_MAX) {
      store.notice("error", follow.full(FOLLOWED_MAX));
      return;
    }
    store.change({ followed: withAccount(followed, account, !isFollowed, FOLLOWED_MAX) });
    store.notice("info", isFollowed ? follow.ended(name) : follow.begun(name));
  };
  return (
    <button type="button" class="follow" title={isFollowed ? follow.end : follow.about} onClick={flip}>
      {isFollowed ? follow.is : follow.begin}
      {isFollowed && (
        <>
          <Icon name="yes" />
          <span class="visually-hidden">{follow.end}</span>
        </>
      )}
    </button>
  );
}
