/** The button that sets up a position: its dialog is loaded when somebody presses it. */
import type { ComponentProps } from "preact";
import { useState } from "preact/hooks";
import { useText } from "../context";
import { useOpened } from "../fetched";
import type { SetUpDialog } from "./SetUpDialog";

type Props = ComponentProps<typeof SetUpDialog>;

export function SetUpButton({ id, ...props }: Omit<Props, "close"> & { readonly id: string }) {
  const { analysis } = useText();
  const [isOpen, open] = useState(false);
  return (
    <>
      <button type="button" id={id} aria-haspopup="dialog" onClick={() => open(true)}>
        {analysis.setUp.open}
      </button>
      {isOpen && <LaterDialog {...props} close={() => open(false)} />}
    </>
  );
}

function LaterDialog(props: Props) {
  const loaded = useOpened(() => import("./SetUpDialog"), "set up", props.close);
  return loaded && <loaded.SetUpDialog {...props} />;
}
