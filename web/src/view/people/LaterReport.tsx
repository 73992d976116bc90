/** The dialog to report a player, loaded when it is first opened. */
import { useEffect } from "preact/hooks";
import { useStore, useText } from "../context";
import { useLoaded } from "../fetched";
import type { ReportProps } from "./ReportDialog";

export function LaterReport(props: ReportProps) {
  const store = useStore();
  const text = useText();
  const { fetched } = useLoaded(() => import("./ReportDialog"), "report");
  useEffect(() => {
    if (fetched.state !== "failed") return;
    store.notice("error", text.account.page.failed);
    props.close();
  }, [fetched.state]);
  return fetched.state === "there" ? <fetched.value.ReportDialog {...props} /> : null;
}
