/**
 * An evening of two players: register, seek, play a rated game, agree on a draw, play again, and find the games.
 *
 * The types of all requests are generated from the server's OpenAPI document (`npm run generate`), those of the messages
 * come with the protocol. `npm run evening http://127.0.0.1:8080` plays it; an error ends it.
 */
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import WebSocket from "ws";
import type { ClientMessage, GameId, ServerMessage } from "../../protocol/bindings/protocol.js";
import type { paths } from "./schema.js";

const site = process.argv[2] ?? "http://127.0.0.1:8080";
const api = createClient<paths>({ baseUrl: site });

type Message<T extends ServerMessage["t"]> = Extract<ServerMessage, { t: T }>["d"];

/** A player and a connection. Messages are kept until somebody waits for them. */
class Player {
  private readonly received: ServerMessage[] = [];
  private wake = (): void => undefined;

  private constructor(
    readonly name: string,
    private readonly socket: WebSocket,
  ) {
    socket.on("message", (data) => {
      this.received.push(JSON.parse(String(data)) as ServerMessage);
      this.wake();
    });
    socket.on("close", (code, reason) => assert.fail(`${name} is closed: ${code} ${reason}`));
  }

  /** Registers an account, makes a token for this program, and connects with it. */
  static async arrive(name: string): Promise<Player> {
    const registered = await api.POST("/api/account/register", {
      body: { name, password: `The password of ${name}` },
    });
    assert.equal(registered.data?.name, name, JSON.stringify(registered.error));
    const cookie = registered.response.headers.getSetCookie().map((one) => one.split(";")[0]).join("; ");
    const made = await api.POST("/api/account/tokens", {
      body: { name: "An evening", scopes: ["play", "challenge"] },
      headers: { cookie, origin: site },
    });
    const { data, error } = made;
    assert.ok(data, JSON.stringify(error));
    const socket = new WebSocket(`${site.replace("http", "ws")}/ws`, "zeitnot.v1.json");
    await new Promise((open, fail) => socket.once("open", open).once("error", fail));
    const player = new Player(name, socket);
    player.say({ t: "hello", d: { token: data.token } });
    assert.equal((await player.next("welcome")).name, name);
    return player;
  }

  say(message: ClientMessage): void {
    this.socket.send(JSON.stringify(message));
  }

  /** The next message of a kind. A rejection is an error. */
  async next<T extends ServerMessage["t"]>(kind: T): Promise<Message<T>> {
    for (;;) {
      for (let message = this.received.shift(); message; message = this.received.shift()) {
        if (message.t === kind) return message.d as Message<T>;
        assert.notEqual(message.t, "rejected", `${this.name}: ${JSON.stringify(message)}`);
      }
      await new Promise<void>((wake) => {
        this.wake = wake;
      });
    }
  }

  /** Plays a move when it is the player's turn. */
  async play(game: GameId, uci: string): Promise<void> {
    const { on } = await this.next("turn");
    this.say({ t: "move", d: { game, on, uci } });
    await this.next("ok");
  }

  leave(): void {
    this.socket.removeAllListeners("close");
    this.socket.close();
  }
}

async function evening(): Promise<void> {
  const [rook, bishop] = [await Player.arrive("Rook"), await Player.arrive("Bishop")];
  const blitz = { kind: "clock" as const, periods: [{ base_ms: 180_000, increment_ms: 2_000 }] };
  rook.say({ t: "create_challenge", d: { time_control: blitz, color: "white", seek: true, rated: true } });
  const { challenge } = await rook.next("challenge");
  bishop.say({ t: "accept_challenge", d: { challenge } });
  const first = (await bishop.next("snapshot")).game;
  await rook.play(first, "e2e4");
  await bishop.play(first, "e7e5");
  rook.say({ t: "offer_draw", d: { game: first } });
  const { seq } = await bishop.next("draw_offered");
  bishop.say({ t: "accept_draw", d: { game: first, offer: seq } });
  for (const player of [rook, bishop]) assert.equal((await player.next("rated")).game, first);

  rook.say({ t: "offer_rematch", d: { game: first } });
  const offer = await bishop.next("challenge");
  bishop.say({ t: "accept_challenge", d: { challenge: offer.challenge } });
  const second = (await bishop.next("snapshot")).game;
  await bishop.play(second, "d2d4");
  await rook.play(second, "d7d5");
  bishop.say({ t: "resign", d: { game: second } });
  const rated = await rook.next("rated");
  assert.ok(rated.black.after > rated.black.before && rated.white.after < rated.white.before);

  await found(first, second, rated.black.after);
  for (const player of [rook, bishop]) player.leave();
}

/** Both games are found, each has changed the rating once, and the game score can be read. */
async function found(first: GameId, second: GameId, rating: number): Promise<void> {
  const player = await api.GET("/api/players/{who}", { params: { path: { who: "Rook" } } });
  assert.deepEqual(
    player.data?.ratings?.map((one) => [one.category, one.rating, one.games]),
    [["blitz", rating, 2]],
  );
  const history = await api.GET("/api/players/{who}/ratings/{category}", {
    params: { path: { who: "Rook", category: "blitz" } },
  });
  assert.deepEqual(history.data?.changes.map((change) => change.game), [second, first]);
  const query = { player: "Rook", opponent: "Bishop", rated: true };
  const games = await api.GET("/api/games", { params: { query } });
  assert.ok(typeof games.data === "object");
  assert.deepEqual(games.data.games.map((game) => game.game), [second, first]);
  const counts = await api.GET("/api/games/count", { params: { query } });
  assert.deepEqual([counts.data?.games, counts.data?.draws], [2, 1]);
  const score = await api.GET("/api/games/{id}/pgn", { params: { path: { id: first } }, parseAs: "text" });
  assert.match(score.data ?? "", /\[Result "1\/2-1\/2"\][^]*1\. e4/);
}

await evening();
console.log("an evening was played");
