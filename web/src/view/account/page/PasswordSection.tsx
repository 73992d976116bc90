/** The password, and the form for another one. */
import { sendJson } from "../../../net/api";
import type { Profile } from "../../../state/account";
import { useStore, useText } from "../../context";
import { Form } from "../../form/Form";
import { bodyOf } from "../../form/body";
import { Reveal, Section } from "./Section";
import { showDay } from "../../locale";

export interface ProfileProps {
  readonly profile: Profile;
  /** Something about the account has changed. */
  changed(): void;
}

export function PasswordSection({ profile, changed }: ProfileProps) {
  const store = useStore();
  const text = useText();
  const { fields, password } = text.account;
  return (
    <Section title={password.title}>
      {profile.password_set !== null && <p class="quiet">{password.set(showDay(text, profile.password_set))}</p>}
      <Reveal label={password.change}>
        {(close) => (
          <>
            <p>{password.about}</p>
            <Form<null>
              username={profile.name}
              fields={[
                { name: "password", label: fields.presentPassword, kind: "present" },
                { name: "new_password", label: fields.newPassword, kind: "new", hint: fields.passwordHint },
              ]}
              submit={password.submit}
              cancel={close}
              send={(form) => sendJson("POST", "/api/account/password", bodyOf(form))}
              done={() => {
                store.notice("info", password.done);
                changed();
                close();
              }}
            />
          </>
        )}
      </Reveal>
    </Section>
  );
}
