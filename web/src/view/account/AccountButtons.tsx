/** The two ways to an account, as buttons. Whoever shows them keeps the dialog, which outlives them. */
import { useText } from "../context";
import type { AccountDialogName } from "./AccountDialog";

export function AccountButtons({ show }: { show(dialog: AccountDialogName): void }) {
  const { menu } = useText().account;
  return (
    <div class="row">
      <button type="button" class="primary" onClick={() => show("register")}>
        {menu.register}
      </button>
      <button type="button" onClick={() => show("signIn")}>
        {menu.signIn}
      </button>
    </div>
  );
}
