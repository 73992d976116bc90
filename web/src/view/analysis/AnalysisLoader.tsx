/** Loads the analysis board when somebody opens it: whoever only plays does not wait for it. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AnalysisRoute } from "../../state/route";
import { useText } from "../context";
import { focusContent } from "../focus";

type Loaded = ComponentType<{ readonly route: AnalysisRoute }>;

export function AnalysisLoader({ route }: { readonly route: AnalysisRoute }) {
  const { analysis } = useText();
  const [Page, set] = useState<{ readonly it: Loaded } | "loading" | "failed">("loading");
  const load = (): void => {
    set("loading");
    import("./AnalysisPage").then(
      ({ AnalysisPage }) => {
        // The focus of a page that was navigated to goes on to what replaces this.
        const hasFocus = document.activeElement?.id === "content";
        set({ it: AnalysisPage });
        if (hasFocus) requestAnimationFrame(focusContent);
      },
      () => set("failed"),
    );
  };
  useEffect(load, []);
  if (typeof Page === "object") return <Page.it route={route} />;
  return (
    <main id="content" class="narrow">
      <h1 class="visually-hidden">{analysis.title}</h1>
      <p role="status">{Page === "loading" ? analysis.loading : analysis.loadFailed}</p>
      {Page === "failed" && (
        <button type="button" onClick={load}>
          {analysis.again}
        </button>
      )}
    </main>
  );
}
