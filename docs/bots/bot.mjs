// Plays one game of random legal moves: node bot.mjs URL [--accept CHALLENGE]
import WebSocket from "ws";

const [url, , accept] = process.argv.slice(2);
let token, challenge, game;

function exit(code, text) {
  console.log(text);
  process.exit(code);
}

function connect() {
  const socket = new WebSocket(url, "zeitnot.v1.json");
  const say = (t, d) => socket.send(JSON.stringify({ t, d }));

  socket.on("open", () => say("hello", token ? { token } : { guest: true }));

  socket.on("message", (text) => {
    const { t, d } = JSON.parse(text);
    game = d.game ?? game;
    const end = t === "ended" ? d : d.state?.outcome;
    if (t === "welcome") {
      token = d.token ?? token;
      if (game) say("watch", { game }); // we were away, and it may have ended meanwhile
      else if (accept) say("accept_challenge", { challenge: accept });
      else if (!challenge)
        say("create_challenge", {
          time_control: { kind: "clock", periods: [{ base_ms: 180000, increment_ms: 2000 }] },
        });
    } else if (t === "challenge" && !accept && !challenge) {
      challenge = d.challenge;
      console.log("challenge", challenge);
    } else if (t === "turn") {
      say("move", { game, on: d.on, uci: d.legal[Math.floor(Math.random() * d.legal.length)] });
    } else if (t === "rejected" && (!game || d.code === "bad_token")) {
      exit(1, d.message);
    } else if (end) {
      exit(0, `ended ${game} ${end.score} ${end.reason}`);
    }
  });

  socket.on("error", () => {}); // `close` follows
  socket.on("close", (code, reason) => {
    if (code >= 4500 && code <= 4999) exit(1, `${reason}`);
    setTimeout(connect, JSON.parse(`${reason}` || "{}").retry_ms ?? 1000);
  });
}

connect();
