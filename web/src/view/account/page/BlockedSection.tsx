/** The players that the account has blocked. They are blocked on their pages and in the chat. */
import { sendJson } from "../../../net/api";
import type { Blocked } from "../../../state/account";
import { useText } from "../../context";
import { PageLink } from "../../HomeLink";
import { useFetched } from "../../fetched";
import { NotThere, Section, focusTitle, useRequest } from "./Section";

export function BlockedSection() {
  const { blocked } = useText().account;
  const request = useRequest();
  const { fetched, again } = useFetched<{ readonly blocked: readonly Blocked[] }>("/api/account/blocks");
  const unblock = async ({ account, name }: Blocked, from: EventTarget | null): Promise<void> => {
    if (!(await request(sendJson("DELETE", `/api/account/blocks/${account}`), blocked.unblocked(name)))) return;
    focusTitle(from);
    again();
  };
  return (
    <Section title={blocked.title}>
      <p class="quiet">{blocked.text}</p>
      {fetched.state !== "there" ? (
        <NotThere state={fetched.state} again={again} />
      ) : fetched.value.blocked.length === 0 ? (
        <p>{blocked.none}</p>
      ) : (
        <ul class="entries">
          {fetched.value.blocked.map((one) => (
            <li key={one.account}>
              <PageLink to={{ at: "player", who: one.account }}>{one.name}</PageLink>
              <button
                type="button"
                aria-label={blocked.unblockOf(one.name)}
                onClick={(event) => void unblock(one, event.currentTarget)}
              >
                {blocked.unblock}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
