/** Loads a page that one can do without, with its style sheet, when somebody opens it: whoever only plays does not wait for it. */
import type { ComponentType } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useText } from "./context";
import { focusContent } from "./focus";
import { useLoaded } from "./fetched";

interface Props<P> {
  readonly title: string;
  /** What the page is about: of something else it begins anew. */
  readonly of: string;
  readonly props: P;
  load(): Promise<ComponentType<P>>;
}

export function PageLoader<P extends object>({ title, of, props, load }: Props<P>) {
  const { lobby } = useText();
  const { fetched, again } = useLoaded(async () => ({ Loaded: await load() }), "");
  const isThere = fetched.state === "there";
  const hadFocus = useRef(false);
  if (!isThere) hadFocus.current = document.activeElement?.id === "content";
  // The focus of a page that was navigated to goes on to what replaces this.
  useLayoutEffect(() => {
    if (isThere && hadFocus.current) requestAnimationFrame(focusContent);
  }, [isThere]);
  if (fetched.state === "there") return <fetched.value.Loaded key={of} {...props} />;
  return (
    <main id="content" class="narrow">
      <h1 class="visually-hidden">{title}</h1>
      <p role="status">{fetched.state === "loading" ? lobby.loading : lobby.failed}</p>
      {fetched.state !== "loading" && (
        <button type="button" onClick={again}>
          {lobby.again}
        </button>
      )}
    </main>
  );
}
