/** The page of one's own account. What is on it is loaded when it is first opened. */
import { useEffect } from "preact/hooks";
import { useText } from "../context";
import { useLoaded } from "../fetched";

export function AccountPage() {
  const text = useText();
  const { page } = text.account;
  const { fetched, again } = useLoaded(() => import("./page/OwnAccount"), "account");
  useEffect(() => {
    document.title = `${page.title} – Zeitnot`;
  }, [text]);
  if (fetched.state === "there") return <fetched.value.OwnAccount />;
  return (
    <main id="content" class="narrow card">
      <h1>{page.title}</h1>
      {fetched.state === "loading" ? (
        <p role="status">{text.account.loading}</p>
      ) : (
        <>
          <p role="alert">{page.failed}</p>
          <button type="button" onClick={again}>
            {page.again}
          </button>
        </>
      )}
    </main>
  );
}
