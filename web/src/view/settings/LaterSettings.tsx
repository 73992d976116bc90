/** The dialog of all settings, loaded when it is first opened. */
import { useOpened } from "../fetched";

export function LaterSettings({ close }: { close(): void }) {
  const loaded = useOpened(() => import("./SettingsDialog"), "settings", close);
  return loaded && <loaded.SettingsDialog close={close} />;
}
