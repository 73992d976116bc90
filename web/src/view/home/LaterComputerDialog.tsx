/** The dialog to play the computer, loaded when it is first opened. */
import { useOpened } from "../fetched";
import type { ComputerDialogProps } from "./ComputerDialog";

export function LaterComputerDialog(props: ComputerDialogProps) {
  const loaded = useOpened(() => import("./ComputerDialog"), "computer", props.close);
  return loaded && <loaded.ComputerDialog {...props} />;
}
