/**
 * The promotion dialog: four buttons on the file where the pawn arrived.
 *
 * Has no default. Escape and a tap beside it cancel. It takes presses that began on it: the tap that opened it with its
 * beginning ends on it, where its click would choose the queen. Taking the focus and giving it back scrolls nothing.
 */
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Color, type Role, type Square, fileOf } from "../../chess/square";
import { useText } from "../context";
import { PieceImage } from "./pieces";

const CHOICES: readonly Role[] = ["q", "n", "r", "b"];

interface Props {
  readonly color: Color;
  readonly to: Square;
  readonly flipped: boolean;
  choose(role: Role | null): void;
}

export function PromotionChoice({ color, to, flipped, choose }: Props) {
  const text = useText();
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    list.current?.querySelector("button")?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  const isPressed = useRef(false);
  // Keys have no press, and those of some screen readers neither: of clicks without one only the first is of that tap.
  const clicks = (event: MouseEvent): void => {
    if (event.detail > 0 && !isPressed.current) event.stopPropagation();
    isPressed.current = true;
  };
  const keys = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const step = { ArrowDown: 1, ArrowRight: 1, Tab: event.shiftKey ? -1 : 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") choose(null);
    if (step === undefined) return;
    event.preventDefault();
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  };
  const column = flipped ? 7 - fileOf(to) : fileOf(to);
  const atTop = to >= 56 !== flipped;
  return (
    <div
      class="promotion"
      role="dialog"
      aria-modal="true"
      aria-label={text.board.promote}
      onKeyDown={keys}
      onPointerDown={() => {
        isPressed.current = true;
      }}
      onClickCapture={clicks}
      onClick={(event) => event.target === event.currentTarget && choose(null)}
    >
      <div class={`choices column-${column} ${atTop ? "from-top" : "from-bottom"}`} ref={list}>
        {CHOICES.map((role) => (
          <button type="button" key={role} aria-label={text.roles[role]} onClick={() => choose(role)}>
            <PieceImage piece={{ color, role }} />
          </button>
        ))}
      </div>
    </div>
  );
}
