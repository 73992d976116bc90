/**
 * Who one is, in the header of every page, and what follows from it: pages, dialogs, signing out. On a desk the ways into an
 * account stand before it for whoever is known to have none, also after a game has made them a guest.
 *
 * Dialogs are loaded when they are first opened.
 */
import { useState } from "preact/hooks";
import { sendJson } from "../../net/api";
import type { Route } from "../../state/route";
import { useApp, useStore, useText } from "../context";
import { showProblem } from "../form/problem";
import { PageLink } from "../HomeLink";
import { Icon } from "../Icon";
import { Menu, MenuItem } from "../Menu";
import { AccountDialog, type AccountDialogName } from "./AccountDialog";

const WAYS = ["signIn", "register"] as const;

type Open = AccountDialogName | null;

export function AccountMenu() {
  const { name, kind } = useApp((app) => app.people);
  const { menu, kinds } = useText().account;
  const store = useStore();
  const [dialog, show] = useState<Open>(null);
  const [wasNobody] = useState(!store.maybeSomebody);
  const isNobody = kind === null ? wasNobody || !store.maybeSomebody : kind === "guest";
  const face = (
    <>
      <Icon name="person" />
      <span class={name === null ? "you-name to-sign-in" : "you-name"}>{name ?? menu.signIn}</span>
    </>
  );
  return (
    <>
      {isNobody &&
        WAYS.map((way) => (
          <button type="button" key={way} class="plain to-account" aria-haspopup="dialog" onClick={() => show(way)}>
            {menu[way]}
          </button>
        ))}
      <Menu
        class="plain you"
        label={name === null ? menu.nobody : menu.label(name, kinds[kind ?? "guest"])}
        face={face}
      >
        {(choose) => (
          <>
            {name !== null && <li class="menu-name">{name}</li>}
            <Items choose={choose} show={show} />
          </>
        )}
      </Menu>
      {dialog !== null && <AccountDialog name={dialog} show={show} />}
    </>
  );
}

interface ItemsProps {
  choose(what: () => void): void;
  show(dialog: Open): void;
}

/** What is one's own, and the games of everybody, apart from the ways into an account and out of it. */
function Items({ choose, show }: ItemsProps) {
  const account = useApp((app) => app.account);
  const kind = useApp((app) => app.people.kind);
  const store = useStore();
  const text = useText();
  const { menu } = text.account;
  const isGuest = account === null || kind === "guest";
  const signOut = async (): Promise<void> => {
    const sent = await store.leaveAccount(() => sendJson("POST", "/api/account/sign-out"));
    store.notice(sent.ok ? "info" : "error", sent.ok ? menu.signedOut : showProblem(text, sent));
  };
  return (
    <>
      {isGuest && WAYS.map((way) => <MenuItem key={way} label={menu[way]} act={() => choose(() => show(way))} />)}
      {account !== null && (
        <MenuLink label={menu.games} to={{ at: "player", who: account }} choose={choose} begins={isGuest} />
      )}
      <MenuLink label={text.archive.all} to={{ at: "games" }} choose={choose} begins={account === null} />
      <MenuItem label={menu.name} act={() => choose(() => show("name"))} />
      {account !== null && <MenuLink label={menu.account} to={{ at: "account" }} choose={choose} />}
      {!isGuest && <MenuItem label={menu.signOut} act={() => choose(() => void signOut())} begins />}
    </>
  );
}

interface LinkProps {
  readonly label: string;
  readonly to: Route;
  readonly begins?: boolean;
  choose(what: () => void): void;
}

function MenuLink({ label, to, begins = false, choose }: LinkProps) {
  return (
    <li class={begins ? "menu-part" : ""} onClick={() => choose(() => undefined)}>
      <PageLink to={to}>{label}</PageLink>
    </li>
  );
}
