/** Own invitations whose terms are changed: which links stay open, and that only one of them becomes a game. */
import { expect, test } from "vitest";
import type { ServerMessage } from "#protocol";
import type { Socket } from "../../clients/js/test/socket";
import { GAME, WHITE, challenge, snapshot } from "./scene";
import { scene, stubServer } from "./storeScene";

stubServer({ answer: { status: 404, body: {} } });

const begun = { t: "snapshot", d: snapshot() } as const;
const terms = { time_control: { kind: "unlimited" as const } };
const own = (change: object = {}): ServerMessage => ({
  t: "challenge",
  d: challenge(GAME, { id: "c1", by: { account: WHITE, name: "W" }, ...change }),
});

test("one that takes the place of another one withdraws it when it is there, and not when it was rejected", async () => {
  const { store, open } = scene();
  const socket = await open();
  store.send({ t: "create_challenge", d: terms });
  socket.hear(own());
  const withdrawn = () => socket.sent.filter(({ t }) => t === "cancel_challenge").map(({ d }) => d);
  store.createChallenge(terms, GAME);
  socket.hear({ t: "rejected", d: { id: "c2", code: "bad_position", message: "" } });
  // Another one that is made after that takes no place.
  store.send({ t: "create_challenge", d: terms });
  socket.hear(own({ challenge: "ASIDE0000001", id: "c3" }));
  expect(withdrawn()).toEqual([]);
  store.createChallenge(terms, GAME);
  expect(withdrawn()).toEqual([]);
  socket.hear(own({ challenge: "INSTEAD00001", id: "c4" }));
  expect(store.state.route).toEqual({ at: "game", id: "INSTEAD00001" });
  expect(withdrawn()).toMatchObject([{ challenge: GAME }]);
});

const OLD = "REPLACED0001";
const accepted = (id: string): ServerMessage => ({ t: "challenge_gone", d: { challenge: id, game: id } });
const game = (id: string): ServerMessage => ({ t: "snapshot", d: { ...begun.d, game: id } });
const link = (id: string, answers?: string): ServerMessage => ({
  t: "challenge",
  d: challenge(id, { by: { account: WHITE, name: "W" }, ...(answers === undefined ? {} : { id: answers }) }),
});
const withdrawn = (socket: Socket) =>
  socket.sent.flatMap((message) => (message.t === "cancel_challenge" ? [message.d.challenge] : []));
/** An own invitation by link that another visit has made. */
const invited = async () => {
  const there = scene({ at: "game", id: OLD });
  const socket = await there.open();
  socket.hear(link(OLD));
  return { ...there, socket };
};

test("the new invitation is withdrawn where the old one becomes a game before it is there", async () => {
  for (const between of [[accepted(OLD), game(OLD)], [accepted(OLD)]]) {
    const { store, socket } = await invited();
    store.navigate({ at: "home" });
    store.createChallenge(terms, OLD);
    for (const message of between) socket.hear(message);
    socket.hear(link("INSTEAD00001", "c1"));
    expect(withdrawn(socket)).toEqual(["INSTEAD00001"]);
    if (between.length === 1) socket.hear(game(OLD));
    expect(store.state.route).toEqual({ at: "game", id: OLD });
    expect(withdrawn(socket)).toEqual(["INSTEAD00001"]);
  }
});

test("so it is where the old one becomes a game before its withdrawal arrives, which is no error", async () => {
  const { store, socket } = await invited();
  store.createChallenge(terms, OLD);
  socket.hear(link("INSTEAD00001", "c1"));
  expect(store.state.route).toEqual({ at: "game", id: "INSTEAD00001" });
  socket.hear(accepted(OLD));
  socket.hear({ t: "rejected", d: { id: "c2", code: "challenge_taken", message: "" } });
  socket.hear(game(OLD));
  expect([store.state.route, store.state.notice]).toEqual([{ at: "game", id: OLD }, null]);
  expect(withdrawn(socket)).toEqual([OLD, "INSTEAD00001"]);
});

test("one that became a game before its answer came withdraws the old one, and the next one that is made none", async () => {
  const { store, socket, cut } = await invited();
  store.createChallenge(terms, OLD);
  const back = await cut(socket);
  back.hear(link(OLD));
  back.hear(game("INSTEAD00001"));
  back.hear({ t: "ok", d: { id: "c1", game: "INSTEAD00001" } });
  expect([store.state.route, withdrawn(back)]).toEqual([{ at: "game", id: "INSTEAD00001" }, [OLD]]);
  back.hear({ t: "ok", d: { id: "c2" } });
  back.hear({ t: "challenge_gone", d: { challenge: OLD } });
  store.createChallenge(terms);
  back.hear(link("ASIDE0000001", "c3"));
  expect(withdrawn(back)).toEqual([OLD]);
});

test("of two that were asked for to replace one the last one stays open, and none when the other one becomes a game", async () => {
  const { store, socket, cut } = await invited();
  store.createChallenge(terms, OLD);
  store.createChallenge(terms, OLD);
  const back = await cut(socket);
  back.hear(link(OLD));
  back.hear(link("FIRST0000001", "c1"));
  back.hear(link("SECOND000001", "c2"));
  expect(store.state.route).toEqual({ at: "game", id: "SECOND000001" });
  expect(withdrawn(back)).toEqual([OLD, "FIRST0000001"]);
  back.hear(accepted("FIRST0000001"));
  back.hear(game("FIRST0000001"));
  expect(withdrawn(back)).toEqual([OLD, "FIRST0000001", "SECOND000001"]);
  expect(store.state.route).toEqual({ at: "game", id: "FIRST0000001" });
});

test("an invitation that is changed once more has the same place", async () => {
  const { store, socket } = await invited();
  store.createChallenge(terms, OLD);
  socket.hear(link("INSTEAD00001", "c1"));
  socket.hear({ t: "ok", d: { id: "c2" } });
  socket.hear({ t: "challenge_gone", d: { challenge: OLD } });
  store.createChallenge(terms, "INSTEAD00001");
  socket.hear(link("THIRD0000001", "c3"));
  expect(withdrawn(socket)).toEqual([OLD, "INSTEAD00001"]);
  socket.hear(accepted("INSTEAD00001"));
  socket.hear(game("INSTEAD00001"));
  expect(withdrawn(socket)).toEqual([OLD, "INSTEAD00001", "THIRD0000001"]);
});
