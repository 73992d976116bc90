/**
 * What one can do about a player, on the player's page: follow, block, unblock, report. For whoever has an account, a guest's too.
 *
 * Whether the player is blocked is asked when the page opens; nobody is told who has blocked them.
 */
import { useState } from "preact/hooks";
import type { Player } from "#protocol";
import { sendJson } from "../../net/api";
import type { Blocked } from "../../state/account";
import { useStore, useText } from "../context";
import { showProblem } from "../form/problem";
import { useFetched } from "./fetched";
import { FollowButton } from "./FollowButton";
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
      <FollowButton player={player} />
      <button type="button" disabled={fetched.state !== "there"} title={people.blockAbout} onClick={() => void flip()}>
        {isBlocked ? people.unblock : people.block}
      </button>
      <button type="button" onClick={() => report(true)}>
        {people.report.button}
      </button>
      {isReporting && <LaterReport who={player} place={null} lines={[]} close={() => report(false)} />}
    </>
  );
}
