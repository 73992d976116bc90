/** What cannot be undone, becoming a bot and closing the account; and the file with all that is kept. */
import { sendJson } from "../../../net/api";
import type { Owner } from "../../../state/account";
import { useStore, useText } from "../../context";
import { Form } from "../../form/Form";
import { bodyOf } from "../../form/body";
import { Reveal, Section } from "./Section";

export function DataSection() {
  const { data } = useText().account;
  return (
    <Section title={data.title}>
      <p>{data.exportText}</p>
      <p>
        <a class="button" href="/api/account/export" download="zeitnot-account.json">
          {data.export}
        </a>
      </p>
    </Section>
  );
}

export function BotSection() {
  const store = useStore();
  const { bot } = useText().account;
  return (
    <Section title={bot.title}>
      <p>{bot.text}</p>
      <Reveal label={bot.begin} danger>
        {(close) => (
          <Form<Owner>
            fields={[]}
            submit={bot.submit}
            danger
            cancel={close}
            send={() => sendJson("POST", "/api/account/bot")}
            done={(owner) => {
              store.signedIn(owner.account, owner.kind);
              store.notice("info", bot.done);
            }}
          />
        )}
      </Reveal>
    </Section>
  );
}

export function ClosingSection({ name }: { name: string }) {
  const store = useStore();
  const { closing, fields } = useText().account;
  return (
    <Section title={closing.title}>
      <p>{closing.text}</p>
      <Reveal label={closing.begin} danger>
        {(close) => (
          <Form<null>
            username={name}
            fields={[
              { name: "name", label: closing.confirm(name), kind: "text" },
              { name: "password", label: fields.password, kind: "present" },
            ]}
            submit={closing.submit}
            danger
            cancel={close}
            check={(form) => (String(form.get("name")).trim() === name ? null : "other_name")}
            send={(form) => {
              const { name: _, ...proof } = bodyOf(form);
              return store.leaveAccount(() => sendJson("POST", "/api/account/close", proof));
            }}
            done={() => store.notice("info", closing.done)}
          />
        )}
      </Reveal>
    </Section>
  );
}
