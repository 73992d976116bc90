/** The dialog to report a player, loaded when it is first opened. */
import { useOpened } from "../fetched";
import type { ReportProps } from "./ReportDialog";

export function LaterReport(props: ReportProps) {
  const loaded = useOpened(() => import("./ReportDialog"), "report", props.close);
  return loaded && <loaded.ReportDialog {...props} />;
}
