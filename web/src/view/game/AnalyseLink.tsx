/** The way from the result of a game to its analysis, which begins at once. */
import type { GameId } from "#protocol";
import { useText } from "../context";
import { PageLink } from "../HomeLink";

interface Props {
  readonly game: GameId;
  /** Whether the game was lost to the computer: then it stands out, as what there is to learn. */
  readonly isLesson: boolean;
  /** Whether no other way leads on from there. */
  readonly isOnly: boolean;
}

export function AnalyseLink({ game, isLesson, isOnly }: Props) {
  const { analysis } = useText();
  return (
    <PageLink
      class={`button ${isLesson ? "lesson" : isOnly ? "primary" : ""}`}
      to={{ at: "analysis", game, ply: null, fen: null, begins: true }}
    >
      {isLesson ? analysis.openLesson : analysis.open}
    </PageLink>
  );
}
