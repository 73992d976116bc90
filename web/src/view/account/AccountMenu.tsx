/**
 * Who one is, in the header of every page, and what follows from it: a button that opens a list of links and buttons.
 *
 * Escape and whatever takes the focus elsewhere close it. Dialogs are loaded when they are first opened.
 */
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { sendJson } from "../../net/api";
import { useApp, useStore, useText } from "../context";
import { PageLink } from "../HomeLink";
import { Icon } from "../Icon";
import { NameDialog } from "../people/NameDialog";
import { AccountDialog, type AccountDialogName } from "./AccountDialog";

type Open = AccountDialogName | "name" | null;

export function AccountMenu({ settings }: { settings(): void }) {
  const { name, kind } = useApp((app) => app.people);
  const { menu, kinds } = useText().account;
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, open] = useState(false);
  const [dialog, show] = useState<Open>(null);
  const choose = (what: () => void): void => {
    // Here the focus comes back to when a dialog closes.
    button.current?.focus();
    open(false);
    what();
  };
  return (
    <div
      ref={box}
      class="account-menu"
      onKeyDown={(event) => event.key === "Escape" && isOpen && choose(() => undefined)}
      onFocusOut={(event) => {
        if (event.relatedTarget instanceof Node && !box.current?.contains(event.relatedTarget)) open(false);
      }}
    >
      <button
        ref={button}
        type="button"
        class="plain you"
        aria-expanded={isOpen}
        aria-controls="account-menu"
        aria-label={name === null ? menu.nobody : menu.label(name, kinds[kind ?? "guest"])}
        onClick={() => open(!isOpen)}
      >
        <Icon name="person" />
        <span class="you-name">{name ?? menu.signIn}</span>
      </button>
      {isOpen && <div class="menu-ground" onClick={() => open(false)} />}
      <ul id="account-menu" hidden={!isOpen}>
        {isOpen && <Items choose={choose} show={show} settings={settings} />}
      </ul>
      {dialog === "name" && <NameDialog close={() => show(null)} />}
      {dialog !== null && dialog !== "name" && <AccountDialog name={dialog} show={show} />}
    </div>
  );
}

interface ItemsProps {
  choose(what: () => void): void;
  show(dialog: Open): void;
  settings(): void;
}

function Items({ choose, show, settings }: ItemsProps) {
  const account = useApp((app) => app.account);
  const kind = useApp((app) => app.people.kind);
  const store = useStore();
  const { menu } = useText().account;
  const isGuest = account === null || kind === "guest";
  const signOut = async (): Promise<void> => {
    const sent = await store.leaveAccount(() => sendJson("POST", "/api/account/sign-out"));
    store.notice(sent.ok ? "info" : "error", sent.ok ? menu.signedOut : (store.text.account.codes.no_server ?? ""));
  };
  const item = (label: string, act: () => void): ComponentChildren => (
    <li key={label}>
      <button type="button" class="plain" onClick={() => choose(act)}>
        {label}
      </button>
    </li>
  );
  const link = (label: string, to: Parameters<typeof store.navigate>[0]): ComponentChildren => (
    <li key={label} onClick={() => choose(() => undefined)}>
      <PageLink to={to}>{label}</PageLink>
    </li>
  );
  return (
    <>
      {isGuest && item(menu.signIn, () => show("signIn"))}
      {isGuest && item(menu.register, () => show("register"))}
      {account !== null && link(menu.profile, { at: "player", who: account })}
      {account !== null && link(menu.account, { at: "account" })}
      {item(menu.name, () => show("name"))}
      {item(menu.settings, settings)}
      {!isGuest && item(menu.signOut, () => void signOut())}
    </>
  );
}
