/** Links between pages of the app: ordinary links that do not reload. */
import type { ComponentChildren } from "preact";
import { type Route, pathOf } from "../state/route";
import { useStore } from "./context";

interface Props {
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly label?: string;
}

export function HomeLink(props: Props) {
  return <PageLink {...props} to={{ at: "home" }} />;
}

interface PageProps extends Props {
  readonly to: Route;
  /** Where it leads is shown. */
  readonly current?: "page";
  /** After the page has gone there. */
  followed?(): void;
}

export function PageLink({ children, to, class: name, label, current, followed }: PageProps) {
  const store = useStore();
  const follow = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    store.navigate(to);
    followed?.();
  };
  return (
    <a
      href={pathOf(to)}
      {...(name ? { class: name } : {})}
      {...(label ? { "aria-label": label } : {})}
      aria-current={current}
      onClick={follow}
    >
      {children}
    </a>
  );
}
