/**
 * The dialog to sign in: with the password, or with a recovery code, which sets a new one.
 *
 * The server says the same of a wrong password and of an unknown name, and so does this.
 */
import { useState } from "preact/hooks";
import { type Sent, sendJson } from "../../net/api";
import type { Owner } from "../../state/account";
import { useApp, useStore, useText } from "../context";
import { Dialog } from "../Dialog";
import { Form } from "../form/Form";
import { bodyOf } from "../form/body";

interface Props {
  close(): void;
  register(): void;
}

export function SignInDialog({ close, register }: Props) {
  const { name, kind } = useApp((app) => app.people);
  const store = useStore();
  const { signIn } = useText().account;
  const [hasForgotten, forget] = useState(false);
  const done = (owner: Owner): void => {
    close();
    store.signedIn(owner.account, owner.kind);
    store.notice("info", signIn.done(owner.name));
  };
  return (
    <Dialog title={hasForgotten ? signIn.recoverTitle : signIn.title} class="account-dialog" close={close}>
      {kind === "guest" && name !== null && <p class="quiet">{signIn.guest(name)}</p>}
      {hasForgotten ? <Recovery done={done} close={close} /> : <WithPassword done={done} close={close} />}
      <div class="row">
        <button type="button" onClick={() => forget(!hasForgotten)}>
          {hasForgotten ? signIn.withPassword : signIn.forgotten}
        </button>
        <button type="button" onClick={register}>
          {signIn.noAccount}
        </button>
      </div>
    </Dialog>
  );
}

interface Way {
  close(): void;
  done(owner: Owner): void;
}

function WithPassword({ close, done }: Way) {
  const { fields, signIn } = useText().account;
  const send = async (form: FormData): Promise<Sent<Owner>> => {
    const sent = await sendJson<Owner>("POST", "/api/account/sign-in", bodyOf(form));
    return sent.ok || sent.code !== "wrong_password" ? sent : { ...sent, code: "wrong_name_or_password" };
  };
  return (
    <Form<Owner>
      key="password"
      fields={[
        { name: "name", label: fields.name, kind: "name" },
        { name: "password", label: fields.password, kind: "present" },
      ]}
      submit={signIn.submit}
      cancel={close}
      send={send}
      done={done}
    />
  );
}

function Recovery({ close, done }: Way) {
  const { fields, signIn } = useText().account;
  return (
    <>
      <p class="quiet">{signIn.recoverText}</p>
      <Form<Owner>
        key="recovery"
        fields={[
          { name: "name", label: fields.name, kind: "name" },
          { name: "code", label: fields.recoveryCode, kind: "code" },
          { name: "new_password", label: fields.newPassword, kind: "new", hint: fields.passwordHint },
        ]}
        submit={signIn.recover}
        cancel={close}
        send={(form) => sendJson<Owner>("POST", "/api/account/recover", bodyOf(form))}
        done={done}
      />
    </>
  );
}
