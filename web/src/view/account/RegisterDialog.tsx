/**
 * The dialog to register, and then the recovery codes, which are made with the password that was just typed.
 *
 * A guest who registers keeps the account with everything in it.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { sendJson } from "../../net/api";
import type { Owner } from "../../state/account";
import { isName } from "../../state/people";
import { useApp, useStore, useText } from "../context";
import { Dialog } from "../Dialog";
import { Form } from "../form/Form";
import { bodyOf } from "../form/body";
import { RecoveryCodes } from "./RecoveryCodes";

interface Props {
  close(): void;
  signIn(): void;
}

export function RegisterDialog({ close, signIn }: Props) {
  const name = useApp((app) => app.people.name);
  const store = useStore();
  const text = useText();
  const { register, fields, codesShown, sending } = text.account;
  const [owner, setOwner] = useState<Owner | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const registered = async (owner: Owner, form: FormData): Promise<void> => {
    setOwner(owner);
    store.signedIn(owner.account, owner.kind);
    const made = await sendJson<{ codes: string[] }>("POST", "/api/account/recovery-codes", {
      password: String(form.get("password")),
    });
    if (made.ok) return setCodes(made.value.codes);
    store.notice("error", `${register.done(owner.name)} ${register.noCodes}`);
    close();
  };
  // In the dialog: a notice would lie under its backdrop.
  if (owner) {
    const told = register.done(owner.name);
    return (
      <Dialog title={codesShown.title} class="account-dialog" close={close}>
        {codes ? <RecoveryCodes codes={codes} told={told} done={close} /> : <Sending told={`${told} ${sending}`} />}
      </Dialog>
    );
  }
  return (
    <Dialog title={register.title} class="account-dialog" close={close}>
      <p class="quiet">{register.text}</p>
      {name !== null && <p>{register.guest(name)}</p>}
      <Form<Owner>
        fields={[
          {
            name: "name",
            label: fields.name,
            kind: "name",
            hint: text.lobby.nameRules,
            value: name?.startsWith("Guest-") ? "" : (name ?? ""),
            longest: 20,
          },
          { name: "password", label: fields.password, kind: "new", hint: fields.passwordHint },
        ]}
        submit={register.submit}
        cancel={close}
        check={(form) => (isName(String(form.get("name")).trim()) ? null : "bad_name")}
        send={(form) => sendJson<Owner>("POST", "/api/account/register", bodyOf(form))}
        done={(owner, form) => void registered(owner, form)}
      />
      <div class="row">
        <button type="button" onClick={signIn}>
          {register.haveAccount}
        </button>
      </div>
    </Dialog>
  );
}

/** Until the codes are there. It has the focus, as what had it is gone. */
function Sending({ told }: { readonly told: string }) {
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => line.current?.focus(), []);
  return (
    <p ref={line} role="status" tabIndex={-1}>
      {told}
    </p>
  );
}
