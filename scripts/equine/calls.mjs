// Plays a game between two accounts with equine, a client of the Lichess API, unmodified. scripts/lichess-clients runs it:
// node calls.mjs ADDRESS TOKEN TOKEN. What is not as expected ends it with an error.
import assert from "node:assert/strict";
import {
  accountMe,
  apiAccountPlaying,
  apiStreamEvent,
  boardGameMove,
  boardGameResign,
  boardGameStream,
  challengeAccept,
  challengeCreate,
  gamePgn,
  initialize,
  tokenTest,
} from "equine";

const [baseUrl, ...tokens] = process.argv.slice(2);
// The first account is the one that the client knows; the second one says who it is with each call.
initialize(tokens[0]);
const sides = tokens.map((token) => ({ baseUrl, headers: { Authorization: `Bearer ${token}` } }));

/** What a call was answered. */
async function answered(call) {
  const { data, error, response } = await call;
  assert.equal(error, undefined, `${response.status} ${JSON.stringify(error)}`);
  return data;
}

/** The lines of a stream, which are JSON. */
async function* linesOf(call) {
  let text = "";
  for await (const bytes of await answered(call)) {
    const lines = (text + Buffer.from(bytes).toString()).split("\n");
    text = lines.pop();
    for (const line of lines) if (line !== "") yield JSON.parse(line);
  }
}

async function next(lines, type) {
  for (;;) {
    const { value, done } = await lines.next();
    assert.equal(done, false, `the stream ended before ${type}`);
    if (value.type === type) return value;
  }
}

const [one, other] = await Promise.all(sides.map(async (side) => answered(accountMe(side))));
assert.equal((await answered(accountMe({ baseUrl }))).username, one.username);
const tested = await answered(tokenTest({ baseUrl, body: tokens[1], bodySerializer: (body) => body }));
assert.equal(tested[tokens[1]].userId, other.id);

const events = linesOf(apiStreamEvent({ baseUrl, parseAs: "stream" }));
const made = await answered(
  challengeCreate({
    baseUrl,
    path: { username: other.username },
    body: { rated: false, color: "white", "clock.limit": 300, "clock.increment": 3 },
  }),
);
await answered(challengeAccept({ ...sides[1], path: { challengeId: made.id } }));
const { game } = await next(events, "gameStart");
assert.deepEqual([game.gameId, game.color, game.opponent.username], [made.id, "white", other.username]);
const playing = await answered(apiAccountPlaying({ baseUrl }));
assert.deepEqual(playing.nowPlaying.map(({ gameId }) => gameId), [made.id]);

const path = { gameId: made.id };
const stream = linesOf(boardGameStream({ baseUrl, path, parseAs: "stream" }));
const full = await next(stream, "gameFull");
assert.deepEqual([full.white.name, full.black.name], [one.username, other.username]);
const moves = ["e2e4", "e7e5", "g1f3"];
for (const [ply, move] of moves.entries()) {
  await answered(boardGameMove({ ...sides[ply % 2], path: { ...path, move } }));
  assert.equal((await next(stream, "gameState")).moves, moves.slice(0, ply + 1).join(" "));
}
await answered(boardGameResign({ ...sides[1], path }));
const { status, winner } = await next(stream, "gameState");
assert.deepEqual([status, winner], ["resign", "white"]);
assert.equal((await stream.next()).done, true, "the stream goes on after the end");
assert.equal((await next(events, "gameFinish")).game.gameId, made.id);
const text = await answered(gamePgn({ baseUrl, path, parseAs: "text" }));
assert.match(text, /\[Result "1-0"\][^]*1\. e4[^]*Nf3/);
process.exit(0);
