/**
 * A field for the name of a player. It suggests names while one types: whom one knows, and those at the server that begin
 * so.
 *
 * A list box below the field, over what stands there: nothing moves, unless the window ends there.
 */
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { FoundPlayer } from "#protocol";
import { type Answer, askJson } from "../../net/ask";
import { type FoundPeople, findPeople, findPlayers } from "../../net/find";
import { type PlayerStatus, presencePath } from "../../state/presence";
import {
  SUGGESTED_MAX,
  type Somebody,
  isBeginning,
  isGuestName,
  isNoName,
  keyOf,
  meant,
  nameOf,
  suggested,
} from "../../state/suggestions";
import type { Catalogue } from "../../text";
import { useText } from "../context";
import { intoView, keepFocus, useListBox } from "../form/listBox";
import { useTyped } from "../form/typed";

interface Props {
  readonly label: string;
  readonly value: string;
  /** Suggested before the server has answered, and before anything is typed. */
  readonly known: readonly FoundPlayer[];
  readonly required?: boolean;
  /** What is wrong with the name that was sent. */
  readonly wrong?: string;
  input(name: string): void;
  choose(player: FoundPlayer): void;
  /**
   * Makes the field a search: players without accounts are suggested, too, the label stands in the field, and Enter takes the one
   * who is meant, also without choosing.
   */
  chooseName?(name: string): void;
}

export function PlayerField({ label, value, known, required, wrong = "", input, choose, chooseName }: Props) {
  const text = useText();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, open] = useState(false);
  const isSearch = chooseName !== undefined;
  const found = useFound(isOpen ? value : "", isSearch);
  const players = suggested(value, useHere(isOpen, known), found?.players ?? []);
  const all: readonly Somebody[] = [...players, ...(found?.names ?? [])].slice(0, SUGGESTED_MAX);
  const isNobody = (found !== null || (!isSearch && isNoName(value))) && all.length === 0 && wrong === "";
  const isShown = isOpen && (all.length > 0 || isNobody);
  useEffect(() => {
    if (wrong !== "") field.current?.focus();
  }, [wrong]);
  const {
    input: combobox,
    list,
    option,
    reset,
  } = useListBox({
    all,
    isOpen,
    isShown,
    open,
    take: (one) => (typeof one === "string" ? chooseName?.(one) : choose(one)),
    meant: () => (isSearch ? meant(value, all) : null),
  });
  return (
    <div class="player-field">
      <label class="field">
        <span class={isSearch ? "visually-hidden" : ""}>{label}</span>
        <input
          ref={field}
          type="text"
          {...combobox}
          aria-invalid={wrong !== ""}
          aria-describedby={wrong === "" ? undefined : `${id}-wrong`}
          required={required}
          placeholder={isSearch ? label : undefined}
          autocapitalize="off"
          value={value}
          onFocus={() => open(true)}
          onClick={() => open(true)}
          onBlur={() => open(false)}
          onInput={(event) => {
            open(true);
            reset();
            input(event.currentTarget.value);
          }}
        />
      </label>
      {wrong !== "" && (
        <p class="wrong" id={`${id}-wrong`}>
          {wrong}
        </p>
      )}
      {isShown && all.length > 0 && (
        <ul key={all.length} ref={intoView} class="suggestions" {...list} aria-label={label} onPointerDown={keepFocus}>
          {all.map((one, n) => (
            <li key={keyOf(one)} {...option(n)}>
              <Suggested one={one} />
            </li>
          ))}
        </ul>
      )}
      {isShown && isNobody && (
        <p ref={intoView} class="suggestions none" onPointerDown={keepFocus}>
          {showNobody(text, value)}
        </p>
      )}
    </div>
  );
}

/** That no name begins so, or why none is found. */
export function showNobody({ home: { find } }: Catalogue, typed: string): string {
  return isGuestName(typed) ? `${find.guests}. ${find.guestsAbout}` : find.nobody(typed.trim());
}

function Suggested({ one }: { readonly one: Somebody }) {
  const { archive, game, lobby } = useText();
  const player = typeof one === "string" ? null : one;
  return (
    <>
      <span class={player?.here ? "presence here" : "presence unknown"}>
        <span class="dot" aria-hidden="true" />
        {player?.here && <span class="visually-hidden">{lobby.here}</span>}
      </span>
      <span class="suggested">
        {nameOf(one)} {player?.bot && <span class="bot-mark">{game.bot}</span>}
        {!player && <span class="quiet">{archive.imported}</span>}
      </span>
    </>
  );
}

/** Those whom one knows, with whether they are here: asked for when the list opens. */
function useHere(isOpen: boolean, known: readonly FoundPlayer[]): readonly FoundPlayer[] {
  const [here, set] = useState<readonly string[]>([]);
  const path = presencePath(known.slice(0, SUGGESTED_MAX).map(({ account }) => account));
  useEffect(() => {
    if (!isOpen || known.length === 0) return;
    let isCurrent = true;
    void askJson<readonly PlayerStatus[]>(path).then((answer) => {
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
function useFound(typed: string, isSearch: boolean): FoundPeople | null {
  const name = typed.trim();
  const isAsked = isSearch ? name.length > 1 : isBeginning(name);
  const last = useTyped(isAsked ? name : null, isSearch ? findPeople : findWithAccounts);
  return last?.words === name ? last.found : null;
}

async function findWithAccounts(beginning: string): Promise<Answer<FoundPeople>> {
  const found = await findPlayers(beginning);
  return found.kind === "there" ? { kind: "there", value: { players: found.value.players, names: [] } } : found;
}
