/** The page of the finished games of everybody, among which one looks for a player, an opening, and more. */
import { useEffect } from "preact/hooks";
import { useText } from "../context";
import { FinishedGames } from "./FinishedGames";
import "../../style/filters.css";
import "../../style/archive.css";
import "../../style/playerPage.css";

export function GamesPage() {
  const text = useText();
  useEffect(() => {
    document.title = `${text.archive.title} – Zeitnot`;
  }, [text]);
  return (
    <main id="content" class="player-page games-page">
      <FinishedGames player={null} />
    </main>
  );
}
