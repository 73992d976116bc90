/** The button that sets up a position: its dialog is loaded when somebody presses it. */
import type { ComponentProps, ComponentType } from "preact";
import { useState } from "preact/hooks";
import { useStore, useText } from "../context";
import type { SetUpDialog } from "./SetUpDialog";

type Props = ComponentProps<typeof SetUpDialog>;

export function SetUpButton(props: Omit<Props, "close">) {
  const store = useStore();
  const { analysis, lobby } = useText();
  const [Dialog, set] = useState<{ readonly it: ComponentType<Props> } | null>(null);
  const open = (): void => {
    import("./SetUpDialog").then(
      ({ SetUpDialog: it }) => set({ it }),
      () => store.notice("error", lobby.failed),
    );
  };
  return (
    <>
      <button type="button" onClick={open}>
        {analysis.setUp.open}
      </button>
      {Dialog && <Dialog.it {...props} close={() => set(null)} />}
    </>
  );
}
