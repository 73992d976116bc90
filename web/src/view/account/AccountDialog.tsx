/** The dialogs to sign in and to register. They are loaded when one is first opened. */
import { useEffect } from "preact/hooks";
import { useStore, useText } from "../context";
import { useLoaded } from "../fetched";

export type AccountDialogName = "signIn" | "register";

interface Props {
  readonly name: AccountDialogName;
  show(dialog: AccountDialogName | null): void;
}

export function AccountDialog({ name, show }: Props) {
  const store = useStore();
  const text = useText();
  const { fetched } = useLoaded(() => import("./dialogs"), "dialogs");
  useEffect(() => {
    if (fetched.state !== "failed") return;
    store.notice("error", text.account.page.failed);
    show(null);
  }, [fetched.state]);
  if (fetched.state !== "there") return null;
  const { SignInDialog, RegisterDialog } = fetched.value;
  const close = (): void => show(null);
  return name === "signIn" ? (
    <SignInDialog close={close} register={() => show("register")} />
  ) : (
    <RegisterDialog close={close} signIn={() => show("signIn")} />
  );
}
