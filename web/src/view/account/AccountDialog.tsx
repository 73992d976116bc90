/** The dialogs to sign in, to register and to choose a name. They are loaded when one is first opened. */
import { useOpened } from "../fetched";

export type AccountDialogName = "signIn" | "register" | "name";

interface Props {
  readonly name: AccountDialogName;
  show(dialog: AccountDialogName | null): void;
}

export function AccountDialog({ name, show }: Props) {
  const close = (): void => show(null);
  const loaded = useOpened(() => import("./dialogs"), "dialogs", close);
  if (!loaded) return null;
  const { NameDialog, SignInDialog, RegisterDialog } = loaded;
  if (name === "name") return <NameDialog close={close} />;
  return name === "signIn" ? (
    <SignInDialog close={close} register={() => show("register")} />
  ) : (
    <RegisterDialog close={close} signIn={() => show("signIn")} />
  );
}
