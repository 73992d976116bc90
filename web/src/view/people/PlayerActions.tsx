/**
 * The menu to block, unblock and report a player, on the player's page. For whoever has an account, a guest's too.
 *
 * Whether the player is blocked is asked when the page opens; nobody is told who has blocked them.
 */
import { useState } from "preact/hooks";
import type { Player } from "#protocol";
import { sendJson } from "../../net/api";
import type { Blocked } from "../../state/account";
import { useStore, useText } from "../context";
import { showProblem } from "../form/problem";
import { Icon } from "../Icon";
import { Menu, MenuItem } from "../Menu";
import { useFetched } from "../fetched";
import { LaterReport } from "./LaterReport";

export function PlayerActions({ player }: { player: Player }) {
  const store = useStore();
  const text = useText();
  const { people } = text;
  const [isReporting, report] = useState(false);
  const { fetched, again } = useFetched<{ readonly blocked: readonly Blocked[] }>("/api/account/blocks");
  const isBlocked = fetched.state === "there" && fetched.value.blocked.some((one) => one.account === player.account);
  const flip = async (): Promise<void> => {
    const sent = await sendJson(isBlocked ? "DELETE" : "PUT", `/api/account/blocks/${player.account}`);
    const done = isBlocked ? people.unblocked(player.name) : people.blocked(player.name);
    store.notice(sent.ok ? "info" : "error", sent.ok ? done : showProblem(text, sent));
    again();
  };
  return (
    <>
      <Menu class="plain" label={people.blockOrReport} face={<Icon name="dots" />}>
        {(choose) => (
          <>
            {fetched.state === "there" && (
              <MenuItem
                label={isBlocked ? people.unblock : people.block}
                about={people.blockAbout}
                act={() => choose(() => void flip())}
              />
            )}
            <MenuItem label={people.report.button} act={() => choose(() => report(true))} />
          </>
        )}
      </Menu>
      {isBlocked && (
        <p class="is-blocked quiet">
          {people.blocked(player.name)} {people.blockAbout}
        </p>
      )}
      {isReporting && <LaterReport who={player} place={null} lines={[]} close={() => report(false)} />}
    </>
  );
}
