/**
 * The dialog of all settings. There is nothing to save: a change takes effect at once, beside or behind the dialog too.
 *
 * It knows the groups and their order. What a setting does is done where it is read.
 */
import { useEffect, useRef } from "preact/hooks";
import { BOARD_COLORS, PIECE_SETS, PREMOVES, THEMES } from "../../state/settings";
import { LANGUAGES, nameOf } from "../../text";
import { useCloseBeside } from "../beside";
import { Coordinates } from "../board/Coordinates";
import { MiniBoard } from "../board/MiniBoard";
import { CREDITS } from "../board/pieceSets/credits";
import { PieceSample } from "../board/PieceSets";
import { useApp, useStore, useText } from "../context";
import { useMedia } from "../media";
import { Check, Choice, Volume } from "./fields";
import "../../style/settings.css";

export function SettingsDialog({ close }: { close(): void }) {
  const text = useText().settings;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  useCloseBeside(dialog);
  // A browser on a desk has the call too, and nothing there that could vibrate.
  const canVibrate = useMedia("(pointer: coarse)") && "vibrate" in navigator;
  return (
    <dialog ref={dialog} class="modal settings" aria-labelledby="settings-title" onClose={close}>
      <div class="settings-head">
        <h2 id="settings-title">{text.title}</h2>
        <CloseButton close={close} />
      </div>
      <BoardSettings />
      <section aria-labelledby="settings-play">
        <h3 id="settings-play">{text.play}</h3>
        <Choice field="premoves" label={text.premoves.label} of={PREMOVES} names={text.premoves.names} />
        <Check field="moveConfirmation" label={text.moveConfirmation} />
        <Check field="autoQueen" label={text.autoQueen} />
      </section>
      <section aria-labelledby="settings-view">
        <h3 id="settings-view">{text.view}</h3>
        <Choice field="theme" label={text.theme.label} of={THEMES} names={text.theme.names} />
        <LanguageField />
        <Check field="largeClocks" label={text.largeClocks} />
        <Check field="zen" label={text.zen} />
        <Check field="hideChat" label={useText().play.chat.hide} />
      </section>
      <section aria-labelledby="settings-sounds">
        <h3 id="settings-sounds">{text.sounds}</h3>
        <Check field="sound" label={text.sounds} />
        <Volume />
        {canVibrate && <Check field="vibration" label={text.vibration} />}
      </section>
    </dialog>
  );
}

/**
 * All kinds of pieces of both colours, and a last move: what the colours and the set have to tell apart. Of White's kinds, and
 * of both colours, there are some in the quarter that a phone shows.
 */
const PREVIEW = { fen: "r1b1k2r/pp1p1ppp/2n1pn2/q7/1bPp4/2N1P3/PPQB1PPP/2KR1BNR w kq - 0 9", last: "c5d4" };

function BoardSettings() {
  const coordinates = useApp((app) => app.settings.coordinates);
  const text = useText().settings;
  return (
    <section aria-labelledby="settings-board">
      <h3 id="settings-board">{text.board}</h3>
      <div class="board-preview">
        <div class="preview-frame">
          <div class="preview-whole">
            <MiniBoard fen={PREVIEW.fen} last={PREVIEW.last} />
            {coordinates && <Coordinates flipped={false} />}
          </div>
        </div>
      </div>
      <div class="board-checks">
        <Check field="coordinates" label={text.coordinates} />
        <Check field="legalMoves" label={text.legalMoves} />
        <Check field="animation" label={text.animation} />
      </div>
      <Choice
        field="boardColors"
        label={text.boardColors.label}
        of={BOARD_COLORS}
        names={text.boardColors.names}
        draw={(colors) => <span class="swatch" data-board-colors={colors} aria-hidden="true" />}
      />
      <Choice
        field="pieces"
        label={text.pieces.label}
        of={PIECE_SETS}
        names={text.pieces.names}
        draw={(set) => <PieceSample set={set} />}
      />
      <PieceCredit />
    </section>
  );
}

/** Who drew the pieces that are chosen, where others did, and under which licence. */
function PieceCredit() {
  const credit = CREDITS[useApp((app) => app.settings.pieces)];
  const { pieces } = useText().settings;
  return (
    credit && (
      <p class="credit quiet">
        <a href={credit.source} target="_blank" rel="noopener">
          {pieces.drawnBy(credit.author)}
        </a>
        <a href={credit.terms} target="_blank" rel="noopener">
          {credit.licence}
        </a>
      </p>
    )
  );
}

/** Each language is named in itself, for whoever reads no other. */
function LanguageField() {
  const { language } = useApp().settings;
  const store = useStore();
  const text = useText().settings;
  return (
    <label class="field">
      <span>{text.language}</span>
      <select
        value={language}
        onChange={(event) => {
          const chosen = LANGUAGES.find((one) => one === event.currentTarget.value);
          if (chosen) store.change({ language: chosen });
        }}
      >
        {LANGUAGES.map((one) => (
          <option key={one} value={one} lang={one}>
            {nameOf(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

function CloseButton({ close }: { close(): void }) {
  return (
    <button type="button" onClick={close}>
      {useText().lobby.close}
    </button>
  );
}
