/**
 * The command input of the home page: opens a link or code, and runs commands that the page also has as buttons.
 *
 * It is named for what most come for: whoever types "help" reads the commands. Commands are parsed in `state/homeCommands`.
 * Answers are shown below and read out.
 */
import { useState } from "preact/hooks";
import { toWatch } from "../../state/lobby";
import { placeOf } from "../../state/pairing";
import { type ParsedHomeCommand, type HomeWord, parseHomeCommand } from "../../state/homeCommands";
import { isUnknown } from "../../state/people";
import { FIRST_SETUP, challengeOf } from "../../state/setup";
import type { Store } from "../../store";
import { type Reply, speakReply } from "../../text/help";
import { termsOf } from "../../text/terms";
import { Answer } from "../Answer";
import { useApp, useStore, useText } from "../context";
import { waitingWords } from "./WaitingLine";

export function CommandLine() {
  const store = useStore();
  const text = useText();
  const [value, setValue] = useState("");
  const [answer, setAnswer] = useState<Reply>("");
  const [challenged, setChallenged] = useState("");
  const isNobody = useApp((app) => isUnknown(app.people, challenged));
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!value.trim()) return;
    const command = parseHomeCommand(value, text);
    const said = command.kind === "unknown" ? text.lobby.typed.unknown(value.trim()) : runCommand(store, command);
    if (command.kind !== "unknown") setValue("");
    setChallenged(command.kind === "challenge" ? command.name : "");
    setAnswer(said);
    if (said) store.say(speakReply(said));
  };
  return (
    <form class="card command-line" onSubmit={submit} aria-label={text.lobby.typed.title}>
      <h2>{text.lobby.typed.title}</h2>
      <div class="row">
        <input
          class="grow"
          type="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-label={text.lobby.typed.label}
          placeholder={text.lobby.typed.placeholder}
          value={value}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <button type="submit">{text.home.go}</button>
      </div>
      {(isNobody || answer) && <Answer reply={isNobody ? text.codes.unknown_account : answer} />}
    </form>
  );
}

/** Runs a command; returns the answer. */
function runCommand(store: Store, command: Exclude<ParsedHomeCommand, { kind: "unknown" }>): Reply {
  const { lobby } = store.state;
  switch (command.kind) {
    case "open":
      store.navigate({ at: "game", id: command.id });
      return "";
    case "player":
      store.navigate({ at: "player", who: command.name });
      return "";
    case "pool":
      store.joinPool(command.pool);
      return placeOf(store.state.pairing) === command.pool ? store.text.lobby.joining(command.pool) : "";
    case "name":
      store.send({ t: "set_name", d: { name: command.name } });
      return "";
    case "challenge":
      store.send({ t: "create_challenge", d: challengeOf({ ...FIRST_SETUP, audience: "player", name: command.name }) });
      return "";
    case "join": {
      const seek = [...(lobby?.seeks ?? [])].reverse()[command.number - 1];
      if (!seek) return store.text.lobby.typed.noSeek;
      store.acceptChallenge(seek.challenge);
      return "";
    }
    case "word":
      return obeyWord(store, command.word);
  }
}

function obeyWord(store: Store, word: HomeWord): Reply {
  const { text, state } = store;
  const { typed } = text.lobby;
  const { lobby } = state;
  switch (word) {
    case "help":
      return typed.help;
    case "status":
      return waitingWords(state, text) || typed.idle;
    case "cancel":
      store.stopWaiting();
      return text.lobby.left;
    case "seeks": {
      const seeks = [...(lobby?.seeks ?? [])].reverse();
      const lines = seeks.map((seek, index) =>
        typed.seek(
          index + 1,
          seek.by.name,
          termsOf(text, seek, seek.by.account === state.account ? "owner" : "joiner"),
        ),
      );
      return [typed.seeks(seeks.length), ...lines].join(" ");
    }
    case "watch": {
      const { featured, others } = toWatch(state);
      const game = featured ?? others[0];
      if (!game) return text.lobby.noLive;
      store.navigate({ at: "game", id: game.game });
      return "";
    }
    case "accept":
    case "decline":
      return answerCall(store, word);
  }
}

/** Accepts or declines the latest challenge. */
function answerCall(store: Store, word: "accept" | "decline"): string {
  const { challenges, account } = store.state;
  const challenge = Object.values(challenges)
    .filter((challenge) => challenge.by.account !== account)
    .at(-1);
  if (!challenge) return store.text.lobby.typed.noChallenge;
  if (word === "accept") store.acceptChallenge(challenge.challenge);
  else store.send({ t: "decline_challenge", d: { challenge: challenge.challenge, reason: "no" } });
  return "";
}
