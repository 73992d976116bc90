/** The answer to a typed line, below it: a sentence, or the commands, one a line. It is read out elsewhere. */
import type { Reply } from "../text/help";

export function Answer({ reply }: { readonly reply: Reply }) {
  if (typeof reply === "string") return <p class="answer">{reply === "" ? null : reply}</p>;
  return (
    <ul class="answer help">
      {reply.map(([command, does]) => (
        <li key={command}>
          <strong>{command}</strong> {does}
        </li>
      ))}
    </ul>
  );
}
