/**
 * The dialog to choose a name.
 *
 * Errors are shown here, because nothing outside an open dialog is read out.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { isName } from "../../state/people";
import { useApp, useStore, useText } from "../context";

export function NameDialog({ close }: { close(): void }) {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const dialog = useRef<HTMLDialogElement>(null);
  const { name, rejected } = app.people;
  const [wanted, setWanted] = useState(name?.startsWith("Guest-") ? "" : (name ?? ""));
  const [asked, setAsked] = useState<string | null>(null);
  const [badForm, setBadForm] = useState(false);
  const isUnderWay = app.link.outbox.some((pending) => pending.message.t === "set_name");
  useEffect(() => {
    store.clearNameRejection();
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    if (asked !== null && name === asked && !isUnderWay) close();
  }, [asked, name, isUnderWay]);
  // What was said of another name is not true of this one.
  const change = (typed: string): void => {
    setWanted(typed);
    setBadForm(badForm && !isName(typed.trim()));
    if (rejected) store.clearNameRejection();
  };
  const save = (event: Event): void => {
    event.preventDefault();
    const typed = wanted.trim();
    setBadForm(!isName(typed));
    store.clearNameRejection();
    if (!isName(typed) || isUnderWay) return;
    setAsked(typed);
    store.send({ t: "set_name", d: { name: typed } });
  };
  const wrong = badForm ? text.codes.bad_name : rejected ? text.codes[rejected.code] : "";
  return (
    <dialog ref={dialog} class="modal name-dialog" aria-labelledby="name-title" onClose={close}>
      <h2 id="name-title">{text.lobby.nameTitle}</h2>
      <form onSubmit={save} noValidate>
        <label class="field">
          <span>{text.lobby.nameLabel}</span>
          <input
            type="text"
            maxLength={20}
            autocomplete="nickname"
            autocapitalize="off"
            spellcheck={false}
            aria-describedby="name-rules"
            aria-invalid={wrong !== ""}
            value={wanted}
            onInput={(event) => change(event.currentTarget.value)}
          />
        </label>
        <p id="name-rules" class="quiet">
          {text.lobby.nameRules}
        </p>
        <p class="wrong" role="alert">
          {wrong}
        </p>
        <div class="row">
          <button type="submit" class="primary" aria-disabled={isUnderWay}>
            {isUnderWay ? text.lobby.nameSaving : text.lobby.nameSave}
          </button>
          <button type="button" onClick={close}>
            {text.lobby.close}
          </button>
        </div>
      </form>
    </dialog>
  );
}
