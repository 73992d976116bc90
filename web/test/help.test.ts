/** The commands that "help" lists: each one is understood, in every language, and has an effect now; why others have none. */
import { type Game, fromSnapshot } from "zeitnot-client";
import { describe, expect, test } from "vitest";
import { START_FEN, readFen } from "../src/chess/position";
import { parseHomeCommand } from "../src/state/homeCommands";
import { type Word, parseCommand } from "../src/state/typedCommands";
import { ENGLISH } from "../src/text";
import { catalogue as de } from "../src/text/de";
import { catalogue as es } from "../src/text/es";
import { catalogue as fr } from "../src/text/fr";
import { type HelpLine, speakReply } from "../src/text/help";
import { type CommandState, possible, showWhyNot } from "../src/text/whyNot";
import { AT, snapshot } from "./scene";

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

describe("a command that has no effect now", () => {
  const playing = fromSnapshot(snapshot(), AT);
  const at = (change: Partial<Game>): CommandState => ({
    game: { ...playing, ...change },
    seat: "white",
    rematch: undefined,
    now: 0,
  });
  const whyNot = (word: Word, change: Partial<Game> = {}) => showWhyNot(ENGLISH, at(change), word);
  const casual = { options: { ...playing.options, profile: "casual" } } as const;

  test("is answered with the reason", () => {
    expect(whyNot("takeback")).toBe("Takebacks are not allowed in this game.");
    expect(whyNot("takeback", casual)).toBe("You have not made a move yet.");
    expect(whyNot("give")).toBe("The rules of this game do not allow that.");
    expect(whyNot("give", casual)).toBeNull();
    expect(whyNot("claim")).toMatch(/^In this game draws by repetition/u);
    expect(whyNot("win")).toBe("Your opponent has not left.");
    expect(whyNot("accept")).toBe("There is no offer to answer.");
    expect(whyNot("draw")).toBe("A draw can be offered once both sides have moved.");
    expect([whyNot("abort"), whyNot("resign"), whyNot("flip")]).toEqual([null, null, null]);
    expect(whyNot("rematch")).toBe("That is for after the game.");
    const over = { phase: "ended", outcome: { score: "1-0", reason: "resignation" } } as const;
    expect([whyNot("resign", over), whyNot("rematch", over)]).toEqual(["The game is over", null]);
    expect(showWhyNot(ENGLISH, { ...at({}), seat: null }, "resign")).toBe("You are watching");
  });

  test("is not in the list of help", () => {
    const words = (change: Partial<Game>) => commandsOf(possible(ENGLISH, ENGLISH.typed.help, at(change)));
    expect(words({})).toEqual(expect.arrayContaining(["Nf3", "resign", "abort", "say hello"]));
    for (const missing of ["takeback", "give", "claim", "claim Nf3", "accept", "rematch"])
      expect(words({})).not.toContain(missing);
    expect(words(casual)).toContain("give");
  });
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
