/** The commands that can be typed, as the answer to "help": each with what it does. */

/** One command, or several that belong together, and what they do: a sentence without its subject. */
export type HelpLine = readonly [command: string, does: string];

/** What answers a typed line: a sentence, or the list of commands. */
export type Reply = string | readonly HelpLine[];

/** The same for a screen reader. */
export function speakReply(reply: Reply): string {
  return typeof reply === "string" ? reply : reply.map(([command, does]) => `${command}: ${does}`).join(" ");
}
