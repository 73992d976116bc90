/**
 * A field for the name of a player. It suggests names while one types: whom one knows, and those at the server that begin
 * so.
 *
 * A list box below the field, over what stands there: nothing moves, unless the window ends there. Arrow keys choose in the
 * list, Escape closes it.
 */
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { FoundPlayer, FoundPlayers } from "#protocol";
import { askJson } from "../../net/ask";
import { findPlayers } from "../../net/find";
import { type Presence, presencePath } from "../../state/presence";
import { SUGGESTED_MAX, isBeginning, isGuestName, isNoName, meant, suggested } from "../../state/suggestions";
import { useText } from "../context";
import { useTyped } from "../form/typed";

interface Props {
  readonly label: string;
  readonly value: string;
  /** Suggested before the server has answered, and before anything is typed. */
  readonly known: readonly FoundPlayer[];
  readonly required?: boolean;
  /** What is wrong with the name that was sent. */
  readonly wrong?: string;
  /** Whether the label stands in the field, and Enter takes the one who is meant, also without choosing. */
  readonly isSearch?: boolean;
  input(name: string): void;
  choose(player: FoundPlayer): void;
}

export function PlayerField({ label, value, known, required, wrong = "", isSearch, input, choose }: Props) {
  const text = useText();
  const { find } = text.home;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, open] = useState(false);
  const [at, setAt] = useState<number | null>(null);
  const found = useFound(isOpen ? value : "");
  const names = suggested(value, useHere(isOpen, known), found?.players ?? []);
  const isNobody = (found !== null || isNoName(value)) && names.length === 0 && wrong === "";
  const isShown = isOpen && (names.length > 0 || isNobody);
  const active = isShown && at !== null ? (names[at] ?? null) : null;
  useEffect(() => {
    if (wrong !== "") field.current?.focus();
  }, [wrong]);
  const take = (player: FoundPlayer): void => {
    open(false);
    setAt(null);
    choose(player);
  };
  const keys = (event: KeyboardEvent): void => {
    const taken = active ?? (isSearch ? meant(value, names) : null);
    if (event.key === "Enter" && taken) {
      event.preventDefault();
      take(taken);
      return;
    }
    if (event.key === "Escape" && isShown) {
      event.stopPropagation();
      open(false);
      return;
    }
    if ((event.key !== "ArrowDown" && event.key !== "ArrowUp") || names.length === 0) return;
    event.preventDefault();
    open(true);
    const by = event.key === "ArrowDown" ? 1 : -1;
    setAt(at === null ? (by === 1 ? 0 : names.length - 1) : (at + by + names.length) % names.length);
  };
  return (
    <div class="player-field">
      <label class="field">
        <span class={isSearch ? "visually-hidden" : ""}>{label}</span>
        <input
          ref={field}
          type="text"
          role="combobox"
          aria-invalid={wrong !== ""}
          aria-describedby={wrong === "" ? undefined : `${id}-wrong`}
          aria-autocomplete="list"
          aria-expanded={isShown}
          aria-controls={isShown ? `${id}-list` : undefined}
          aria-activedescendant={active ? `${id}-${at}` : undefined}
          required={required}
          placeholder={isSearch ? label : undefined}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={value}
          onFocus={() => open(true)}
          onClick={() => open(true)}
          onBlur={() => open(false)}
          onKeyDown={keys}
          onInput={(event) => {
            open(true);
            setAt(null);
            input(event.currentTarget.value);
          }}
        />
      </label>
      {wrong !== "" && (
        <p class="wrong" id={`${id}-wrong`}>
          {wrong}
        </p>
      )}
      {isShown && names.length > 0 && (
        <ul key={names.length} ref={intoView} class="suggestions" id={`${id}-list`} role="listbox" aria-label={label}>
          {names.map((player, n) => (
            <li
              key={player.account}
              id={`${id}-${n}`}
              role="option"
              aria-selected={n === at}
              // The focus stays in the field.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(player)}
            >
              <span class={player.here ? "presence here" : "presence unknown"}>
                <span class="dot" aria-hidden="true" />
                {player.here && <span class="visually-hidden">{text.lobby.here}</span>}
              </span>
              <span class="live-name">{player.name}</span>
              {player.bot && <span class="bot-mark">{text.game.bot}</span>}
            </li>
          ))}
        </ul>
      )}
      {isShown && isNobody && (
        <p ref={intoView} class="suggestions none">
          {isGuestName(value) ? `${find.guests}. ${find.guestsAbout}` : find.nobody(value.trim())}
        </p>
      )}
    </div>
  );
}

/** At the end of the window the page scrolls as far as the list is long. */
function intoView(list: Element | null): void {
  list?.scrollIntoView({ block: "nearest" });
}

/** Those whom one knows, with whether they are here: asked for when the list opens. */
function useHere(isOpen: boolean, known: readonly FoundPlayer[]): readonly FoundPlayer[] {
  const [here, set] = useState<readonly string[]>([]);
  const path = presencePath(known.slice(0, SUGGESTED_MAX).map(({ account }) => account));
  useEffect(() => {
    if (!isOpen || known.length === 0) return;
    let isCurrent = true;
    void askJson<readonly Presence[]>(path).then((answer) => {
      if (isCurrent && answer.kind === "there")
        set(answer.value.filter(({ online }) => online).map(({ name }) => name));
    });
    return () => {
      isCurrent = false;
    };
  }, [isOpen, path]);
  return known.map((player) => ({ ...player, here: here.includes(player.name) }));
}

/** What the server finds; null while it is not asked, or has not answered. */
function useFound(typed: string): FoundPlayers | null {
  const name = typed.trim();
  const last = useTyped(isBeginning(name) ? name : null, findPlayers);
  return last?.words === name ? last.found : null;
}
