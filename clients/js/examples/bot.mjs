// Plays one game of random legal moves: node bot.mjs URL [--accept CHALLENGE]
import WebSocket from "ws"; // for Node 20; browsers and Node 22 have one
import { Client } from "zeitnot-client";

const [url, , accept] = process.argv.slice(2);

function exit(code, text) {
  console.log(text);
  process.exit(code);
}

const client = new Client(
  { url, open: (address, subprotocol) => new WebSocket(address, subprotocol) },
  {
    turn: (game) => client.play(game, game.turn.legal[Math.floor(Math.random() * game.turn.legal.length)]),
    ended: ({ id, outcome }) => exit(0, `ended ${id} ${outcome.score} ${outcome.reason}`),
    stopped: (code) => exit(1, code),
  },
);

const time_control = { kind: "clock", periods: [{ base_ms: 180000, increment_ms: 2000 }] };
const { t, d } = await client.command(
  accept ? { t: "accept_challenge", d: { challenge: accept } } : { t: "create_challenge", d: { time_control } },
);
if (t === "rejected") exit(1, d.message);
if (t === "challenge") console.log("challenge", d.challenge);
