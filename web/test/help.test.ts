/** The commands that "help" lists: each one is understood, in every language. */
import { expect, test } from "vitest";
import { START_FEN, readFen } from "../src/chess/position";
import { parseHomeCommand } from "../src/state/homeCommands";
import { parseCommand } from "../src/state/typedCommands";
import { ENGLISH } from "../src/text";
import { catalogue as de } from "../src/text/de";
import { catalogue as es } from "../src/text/es";
import { catalogue as fr } from "../src/text/fr";
import { type HelpLine, speakReply } from "../src/text/help";

const commandsOf = (lines: readonly HelpLine[]): string[] => lines.flatMap(([commands]) => commands.split(", "));
/** Those with a move mean one that is legal. */
const hasMove = (command: string): boolean => /\d/u.test(command);

test.each([ENGLISH, de, fr, es])("the commands of help are understood", (text) => {
  // The last line is about links and codes, which are no words.
  const home = commandsOf(text.lobby.typed.help.slice(0, -1));
  expect(home.filter((command) => parseHomeCommand(command, text).kind === "unknown")).toEqual([]);
  const position = readFen(START_FEN);
  for (const { help } of [text.typed, text.typed.watching]) {
    const words = commandsOf(help).filter((command) => !hasMove(command) && command !== "O-O");
    expect(words.length).toBeGreaterThan(8);
    const unknown = words.filter(
      (command) => parseCommand(command, text, { kind: "look" }, position).kind === "unknown",
    );
    expect(unknown).toEqual([]);
  }
});

test("the list is read out as sentences", () => {
  expect(
    speakReply([
      ["flip", "turns the board."],
      ["last", "reads the last move."],
    ]),
  ).toBe("flip: turns the board. last: reads the last move.");
  expect(speakReply("Sent.")).toBe("Sent.");
});
