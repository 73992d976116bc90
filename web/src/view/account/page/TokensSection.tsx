/** The account's API tokens: made with a name, scopes and an end, shown once, listed, revoked. */
import { useState } from "preact/hooks";
import { sendJson } from "../../../net/api";
import { type ApiToken, SCOPES, type Scope, TOKEN_DAYS } from "../../../state/account";
import { useText } from "../../context";
import { CopyButton } from "../../CopyButton";
import { Form } from "../../form/Form";
import { useFetched } from "../../fetched";
import { NotThere, Reveal, Section, focusTitle, useRequest } from "./Section";
import { showDay } from "../../locale";

type MadeToken = ApiToken & { readonly token: string };

/** The server's `TOKEN_NAME_CHARS_MAX`. */
const NAME_CHARS_MAX = 64;
/** For how many days a token works if nothing else is chosen. */
const FIRST_DAYS = 90;

export function TokensSection() {
  const { tokens } = useText().account;
  const { fetched, again } = useFetched<{ readonly tokens: readonly ApiToken[] }>("/api/account/tokens");
  const [made, show] = useState<MadeToken | null>(null);
  return (
    <Section title={tokens.title}>
      <p class="quiet">{tokens.text}</p>
      {fetched.state === "there" ? (
        <Tokens tokens={fetched.value.tokens} changed={again} />
      ) : (
        <NotThere state={fetched.state} again={again} />
      )}
      {made && <Made token={made} close={() => show(null)} />}
      <Reveal label={tokens.make}>
        {(close) => (
          <NewToken
            close={close}
            made={(token) => {
              close();
              show(token);
              again();
            }}
          />
        )}
      </Reveal>
    </Section>
  );
}

function Tokens({ tokens, changed }: { tokens: readonly ApiToken[]; changed(): void }) {
  const text = useText();
  const words = text.account.tokens;
  const request = useRequest();
  const revoke = async ({ id, name }: ApiToken, from: EventTarget | null): Promise<void> => {
    if (!(await request(sendJson("DELETE", `/api/account/tokens/${id}`), words.revoked(name)))) return;
    focusTitle(from);
    changed();
  };
  if (tokens.length === 0) return <p>{words.none}</p>;
  return (
    <ul class="entries">
      {tokens.map((token) => (
        <li key={token.id}>
          <span>
            <strong>{token.name}</strong>{" "}
            <span class="quiet">
              {words.facts(
                token.scopes.flatMap((scope) => words.scopes[scope as Scope]?.name ?? []).join(", ") || words.readOnly,
                token.used === undefined ? "" : words.used(showDay(text, token.used)),
                token.expires === undefined ? "" : words.until(showDay(text, token.expires)),
              )}
            </span>
          </span>
          <button
            type="button"
            aria-label={words.revokeOf(token.name)}
            onClick={(event) => void revoke(token, event.currentTarget)}
          >
            {words.revoke}
          </button>
        </li>
      ))}
    </ul>
  );
}

function NewToken({ made, close }: { made(token: MadeToken): void; close(): void }) {
  const { tokens } = useText().account;
  return (
    <Form<MadeToken>
      fields={[{ name: "name", label: tokens.name, kind: "text", hint: tokens.nameHint, longest: NAME_CHARS_MAX }]}
      submit={tokens.submit}
      cancel={close}
      send={(form) => {
        const days = Number(form.get("expires_days"));
        return sendJson("POST", "/api/account/tokens", {
          name: form.get("name"),
          scopes: form.getAll("scopes"),
          ...(days > 0 ? { expires_days: days } : {}),
        });
      }}
      done={made}
    >
      <fieldset>
        <legend>{tokens.scopesLabel}</legend>
        {SCOPES.map((scope) => (
          <label key={scope} class="check">
            <input type="checkbox" name="scopes" value={scope} />
            <span>
              {tokens.scopes[scope].name} <span class="quiet">– {tokens.scopes[scope].about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <label class="field">
        <span>{tokens.expires}</span>
        <select name="expires_days">
          {TOKEN_DAYS.map((days) => (
            <option key={days} value={days} selected={days === FIRST_DAYS}>
              {tokens.expiresNames[days]}
            </option>
          ))}
        </select>
      </label>
    </Form>
  );
}

function Made({ token, close }: { token: MadeToken; close(): void }) {
  const { tokens, close: closeLabel } = useText().account;
  return (
    <div class="made" role="status">
      <h3>
        {tokens.madeTitle}: {token.name}
      </h3>
      <p>{tokens.madeText}</p>
      <p>
        <code>{token.token}</code>
      </p>
      <div class="row">
        <CopyButton label={tokens.copy} value={token.token} primary />
        <button
          type="button"
          onClick={(event) => {
            focusTitle(event.currentTarget);
            close();
          }}
        >
          {closeLabel}
        </button>
      </div>
    </div>
  );
}
