/** Where the account is signed in, to sign out each place or all of them. */
import { sendJson } from "../../../net/api";
import type { Device } from "../../../state/account";
import { useStore, useText } from "../../context";
import { useFetched } from "../../fetched";
import { NotThere, Section, focusTitle, useRequest } from "./Section";
import { showDay } from "../../locale";

export function DevicesSection() {
  const store = useStore();
  const text = useText();
  const { devices, menu } = text.account;
  const request = useRequest();
  const { fetched, again } = useFetched<{ readonly sessions: readonly Device[] }>("/api/account/sessions");
  const end = async (device: Device, from: EventTarget | null): Promise<void> => {
    const path = `/api/account/sessions/${device.id}`;
    if (await request(sendJson("DELETE", path), devices.ended(nameOf(device, devices.unnamed)))) {
      focusTitle(from);
      again();
    }
  };
  return (
    <Section title={devices.title}>
      <p class="quiet">{devices.text}</p>
      {fetched.state !== "there" ? (
        <NotThere state={fetched.state} again={again} />
      ) : (
        <ul class="entries">
          {fetched.value.sessions.map((device) => (
            <li key={device.id}>
              <span>
                <strong>{nameOf(device, devices.unnamed)}</strong>{" "}
                <span class="quiet">
                  {device.kind === "token" && `${devices.program} · `}
                  {device.here ? devices.here : devices.used(showDay(text, device.used))}
                </span>
              </span>
              {!device.here && (
                <button
                  type="button"
                  aria-label={devices.endOf(nameOf(device, devices.unnamed))}
                  onClick={(event) => void end(device, event.currentTarget)}
                >
                  {devices.end}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <p class="quiet">{devices.everywhereText}</p>
      <button
        type="button"
        onClick={() =>
          void request(
            store.leaveAccount(() => sendJson("POST", "/api/account/sign-out-everywhere")),
            menu.signedOut,
          )
        }
      >
        {devices.everywhere}
      </button>
    </Section>
  );
}

function nameOf({ label }: Device, unnamed: string): string {
  return label.trim() || unnamed;
}
