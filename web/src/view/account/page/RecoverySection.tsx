/** How many recovery codes are left, and new ones. */
import { useState } from "preact/hooks";
import { sendJson } from "../../../net/api";
import { useText } from "../../context";
import { Form } from "../../form/Form";
import { bodyOf } from "../../form/body";
import { RecoveryCodes } from "../RecoveryCodes";
import type { ProfileProps } from "./PasswordSection";
import { Reveal, Section } from "./Section";

export function RecoverySection({ profile, changed }: ProfileProps) {
  const { fields, recovery } = useText().account;
  const [codes, show] = useState<readonly string[] | null>(null);
  return (
    <Section title={recovery.title}>
      <p>
        {recovery.left(profile.recovery_codes)} {recovery.about}
      </p>
      <Reveal label={recovery.make}>
        {(close) =>
          codes ? (
            <RecoveryCodes
              codes={codes}
              done={() => {
                show(null);
                close();
              }}
            />
          ) : (
            <>
              <p>{recovery.makeAbout}</p>
              <Form<{ readonly codes: readonly string[] }>
                username={profile.name}
                fields={[{ name: "password", label: fields.password, kind: "present" }]}
                submit={recovery.make}
                cancel={close}
                send={(form) => sendJson("POST", "/api/account/recovery-codes", bodyOf(form))}
                done={(made) => {
                  show(made.codes);
                  changed();
                }}
              />
            </>
          )
        }
      </Reveal>
    </Section>
  );
}
