/** The second factor: set up with a QR code and a first code, or turned off. */
import { useState } from "preact/hooks";
import { sendJson } from "../../../net/api";
import { useStore, useText } from "../../context";
import { CopyButton } from "../../CopyButton";
import { Form } from "../../form/Form";
import { bodyOf } from "../../form/body";
import { QrCode } from "../../QrCode";
import type { ProfileProps } from "./PasswordSection";
import { Reveal, Section } from "./Section";
import { showDay } from "../../locale";

const PATH = "/api/account/second-factor";

export function SecondFactorSection({ profile, changed }: ProfileProps) {
  const text = useText();
  const { secondFactor } = text.account;
  const since = profile.second_factor_set;
  return (
    <Section title={secondFactor.title}>
      <p>{since === null ? secondFactor.off : secondFactor.on(showDay(text, since))}</p>
      {since === null ? (
        <Reveal key="off" label={secondFactor.begin}>
          {(close) => <SetUp profile={profile} changed={changed} close={close} />}
        </Reveal>
      ) : (
        <Reveal key="on" label={secondFactor.remove} danger>
          {(close) => <Remove profile={profile} changed={changed} close={close} />}
        </Reveal>
      )}
    </Section>
  );
}

type StepProps = ProfileProps & { close(): void };

/** The secret is shown here and never again; it counts after the first code of it. */
function SetUp({ profile, changed, close }: StepProps) {
  const store = useStore();
  const { fields, secondFactor } = useText().account;
  const [begun, begin] = useState<{ readonly secret: string; readonly uri: string } | null>(null);
  if (begun === null)
    return (
      <Form<{ readonly secret: string; readonly uri: string }>
        key="password"
        username={profile.name}
        fields={[{ name: "password", label: fields.password, kind: "present" }]}
        submit={secondFactor.beginSubmit}
        cancel={close}
        send={(form) => sendJson("POST", PATH, bodyOf(form))}
        done={begin}
      />
    );
  return (
    <>
      <p>{secondFactor.scan}</p>
      <QrCode value={begun.uri} label={secondFactor.qr} />
      <div class="row">
        <span>
          {secondFactor.key}: <code>{begun.secret}</code>
        </span>
        <CopyButton label={secondFactor.copyKey} value={begun.secret} />
      </div>
      <Form<null>
        key="code"
        fields={[{ name: "second_factor", label: fields.deviceCode, kind: "code" }]}
        submit={secondFactor.confirm}
        cancel={close}
        send={(form) => sendJson("PUT", PATH, bodyOf(form))}
        done={() => {
          store.notice("info", secondFactor.confirmed);
          close();
          changed();
        }}
      />
    </>
  );
}

function Remove({ profile, changed, close }: StepProps) {
  const store = useStore();
  const { fields, secondFactor } = useText().account;
  return (
    <Form<null>
      username={profile.name}
      fields={[
        { name: "password", label: fields.password, kind: "present" },
        { name: "second_factor", label: fields.secondFactor, kind: "code", hint: fields.secondFactorHint },
      ]}
      submit={secondFactor.remove}
      danger
      cancel={close}
      send={(form) => sendJson("DELETE", PATH, bodyOf(form))}
      done={() => {
        store.notice("info", secondFactor.removed);
        close();
        changed();
      }}
    />
  );
}
