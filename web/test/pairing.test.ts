/** The store with a scripted socket: when it enters the lobby, how it waits, and where a game that begins leads. */
import { describe, expect, test, vi } from "vitest";
import type { ServerMessage } from "#protocol";
import { savePairing, takePairing } from "../src/state/keptPairing";
import { MAX_ABSENCE_MS, NO_PAIRING, placeOf, withOwnChallenge, withPool } from "../src/state/pairing";
import { BLACK, GAME, WHITE, challenge, snapshot } from "./scene";
import { storage } from "./storage";
import { scene, stubServer } from "./storeScene";
import type { Socket } from "../../clients/js/test/socket";

const said = { answer: { status: 404, body: {} } };
stubServer(said);

const kinds = (socket: Socket): string[] => socket.sent.map((message) => message.t);
const begun: ServerMessage = { t: "snapshot", d: snapshot() };

describe("the lobby", () => {
  test("is entered with the home page, left with it, and entered again on a new connection", async () => {
    const { store, open, cut } = scene();
    const socket = await open();
    expect(kinds(socket)).toEqual(["enter_lobby"]);
    store.go({ at: "player", who: BLACK });
    expect(kinds(socket)).toEqual(["enter_lobby", "leave_lobby"]);
    const back = await cut(socket);
    expect(kinds(back)).toEqual([]);
    store.go({ at: "home" });
    expect(kinds(back)).toEqual(["enter_lobby"]);
    expect(kinds(await cut(back))).toEqual(["enter_lobby"]);
  });

  test("is shown to nobody in particular, too", async () => {
    const { open } = scene({ at: "home" }, false);
    expect(kinds(await open(null))).toEqual(["hello", "enter_lobby"]);
  });

  test("is asked for again when it could not be had", async () => {
    const { open } = scene();
    const socket = await open();
    socket.hear({ t: "rejected", d: { id: "lobby", code: "unavailable", message: "" } });
    await vi.advanceTimersByTimeAsync(3000);
    expect(kinds(socket)).toEqual(["enter_lobby", "enter_lobby"]);
  });
});

describe("a game", () => {
  test("is asked for again when it could not be had", async () => {
    const { open } = scene({ at: "game", id: GAME });
    const socket = await open();
    socket.hear({ t: "rejected", d: { id: "watch", game: GAME, code: "unavailable", message: "" } });
    await vi.advanceTimersByTimeAsync(3000);
    expect(kinds(socket)).toEqual(["watch", "watch"]);
  });
});

describe("a challenge whose owner is away", () => {
  test("is accepted, and its game is opened when it begins, on a later connection too", async () => {
    const { store, open, cut } = scene();
    const socket = await open();
    socket.hear({ t: "challenge", d: challenge(GAME, { to: WHITE }) });
    store.acceptChallenge(GAME);
    const accepted = challenge(GAME, {
      to: WHITE,
      accepted_by: { account: WHITE, name: "Guest-W" },
      ends_in_ms: 86_400_000,
    });
    socket.hear({ t: "challenge", d: { ...accepted, id: "c1" } });
    expect([store.state.link.outbox, store.state.challenges[GAME]?.accepted_by?.account]).toEqual([[], WHITE]);
    const back = await cut(socket);
    back.hear({ t: "challenge", d: accepted });
    await vi.advanceTimersByTimeAsync(1000);
    expect(store.state.route).toEqual({ at: "home" });
    back.hear({ t: "challenge_gone", d: { challenge: GAME, game: GAME } });
    back.hear(begun);
    expect(store.state.route).toEqual({ at: "game", id: GAME });
  });
});

describe("waiting in a pool", () => {
  test("beside a game whose clocks run is asked about first, and keeps the usual pool until it is confirmed", async () => {
    const { store, open } = scene();
    const socket = await open();
    socket.hear(begun);
    store.go({ at: "home" });
    store.joinPool("3+2");
    expect([kinds(socket).includes("join_pool"), store.state.another]).toEqual([false, { pool: "3+2" }]);
    store.answerAnother(false);
    expect([store.state.another, store.state.settings.pool]).toEqual([null, "5+3"]);
    store.joinPool("3+2");
    store.answerAnother(true);
    expect(socket.sent.at(-1)).toMatchObject({ t: "join_pool", d: { pool: "3+2" } });
    expect([store.state.another, store.state.settings.pool]).toEqual([null, "3+2"]);
  });

  test("leads into the game, and says so", async () => {
    const { store, open } = scene();
    const socket = await open();
    store.joinPool("3+2");
    expect(socket.sent.at(-1)).toMatchObject({ t: "join_pool", d: { pool: "3+2" } });
    socket.hear({ t: "ok", d: { id: "c1" } });
    socket.hear({ t: "waiting", d: { pool: "3+2" } });
    expect(store.state.pairing.pool).toBe("3+2");
    socket.hear(begun);
    socket.hear({ t: "waiting", d: { pool: null, game: GAME } });
    expect(store.state.route).toEqual({ at: "game", id: GAME });
    expect([store.state.announcement.text, store.state.pairing.wanted]).toEqual([
      "The game begins. You play White.",
      null,
    ]);
  });

  test("is joined again after a lost connection, when games have had time to show themselves", async () => {
    const { store, open, cut } = scene();
    const socket = await open();
    store.joinPool("3+2");
    socket.hear({ t: "ok", d: { id: "c1" } });
    socket.hear({ t: "waiting", d: { pool: "3+2" } });
    const back = await cut(socket);
    expect([store.state.pairing.pool, kinds(back)]).toEqual([null, ["enter_lobby"]]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(kinds(back)).toEqual(["enter_lobby", "join_pool"]);
  });

  test("an unanswered join is not sent blindly: the game it led to is shown instead", async () => {
    const { store, open, cut } = scene();
    const socket = await open();
    store.joinPool("3+2");
    const back = await cut(socket);
    expect(kinds(back)).toEqual(["enter_lobby"]);
    back.hear(begun);
    await vi.advanceTimersByTimeAsync(1000);
    expect(kinds(back)).not.toContain("join_pool");
    expect(store.state.route).toEqual({ at: "game", id: GAME });
  });

  test("a rejection ends it, and so does the failure to become somebody", async () => {
    const { store, open } = scene();
    const socket = await open();
    store.joinPool("3+2");
    socket.hear({ t: "rejected", d: { id: "c1", code: "too_many_games", message: "" } });
    expect([store.state.pairing.wanted, store.state.notice?.text]).toEqual([
      null,
      "There are too many games in progress.",
    ]);
  });

  test("is left at once, before the server has answered; a rejection takes that back", async () => {
    const { store, open } = scene();
    const socket = await open();
    const place = () => placeOf(store.state.pairing);
    store.joinPool("3+2");
    socket.hear({ t: "ok", d: { id: "c1" } });
    socket.hear({ t: "waiting", d: { pool: "3+2" } });
    store.leavePool();
    expect(place()).toBeNull();
    socket.hear({ t: "ok", d: { id: "c2" } });
    expect(place()).toBeNull();
    socket.hear({ t: "waiting", d: { pool: null } });
    expect(place()).toBeNull();
    store.joinPool("3+2");
    socket.hear({ t: "ok", d: { id: "c3" } });
    socket.hear({ t: "waiting", d: { pool: "3+2" } });
    store.leavePool();
    socket.hear({ t: "rejected", d: { id: "c4", code: "unavailable", message: "" } });
    expect(place()).toBe("3+2");
  });

  test("who cancelled too late is led to the game all the same", async () => {
    const { store, open } = scene();
    const socket = await open();
    store.joinPool("3+2");
    socket.hear({ t: "ok", d: { id: "c1" } });
    store.leavePool();
    socket.hear(begun);
    socket.hear({ t: "waiting", d: { pool: null, game: GAME } });
    expect(store.state.route).toEqual({ at: "game", id: GAME });
  });

  test("nobody becomes a guest first, and joins then", async () => {
    const { store, open } = scene({ at: "home" }, false);
    await open(null);
    store.joinPool("3+2");
    await vi.advanceTimersByTimeAsync(0);
    const socket = await open();
    expect(kinds(socket)).toEqual(["enter_lobby", "join_pool"]);
    socket.hear({ t: "ok", d: { id: "c1" } });
    socket.hear({ t: "waiting", d: { pool: "3+2" } });
    await vi.advanceTimersByTimeAsync(2000);
    expect(kinds(socket)).toEqual(["enter_lobby", "join_pool"]);
  });
});

describe("after a reload", () => {
  const seek = { time_control: { kind: "unlimited" as const }, seek: true };
  const link = { time_control: { kind: "unlimited" as const } };
  /** What the page takes of what it kept. */
  const reloaded = (pairing = NO_PAIRING) => {
    const kept = storage();
    savePairing(kept, pairing, Date.now());
    return { taken: takePairing(kept), again: takePairing(kept) };
  };

  test("a pool is waited in again, and open games are made again", async () => {
    const waited = withPool(NO_PAIRING, "3+2", [], Date.now() - 5000);
    const { taken, again } = reloaded(withOwnChallenge(withOwnChallenge(waited, "Seek", seek, 0), "Link", link, 0));
    expect([taken.wanted, taken.since, Object.keys(taken.ownChallenges)]).toEqual(["3+2", waited.since, ["Seek"]]);
    expect(again).toBe(NO_PAIRING);
    const { open } = scene({ at: "home" }, true, taken);
    const socket = await open();
    await vi.advanceTimersByTimeAsync(1000);
    expect(kinds(socket)).toEqual(["enter_lobby", "create_challenge", "join_pool"]);
  });

  test("a game that has begun meanwhile is opened instead", async () => {
    const { store, open } = scene({ at: "home" }, true, reloaded(withPool(NO_PAIRING, "3+2", [], Date.now())).taken);
    const socket = await open();
    socket.hear(begun);
    await vi.advanceTimersByTimeAsync(1000);
    expect([kinds(socket).includes("join_pool"), store.state.route]).toEqual([false, { at: "game", id: GAME }]);
  });

  test("the wait has ended when it comes too late, which is said", async () => {
    const { taken } = reloaded(withPool(NO_PAIRING, "3+2", [], Date.now()));
    await vi.advanceTimersByTimeAsync(MAX_ABSENCE_MS + 1000);
    const { store, open } = scene({ at: "home" }, true, taken);
    const socket = await open();
    await vi.advanceTimersByTimeAsync(1000);
    expect(kinds(socket)).not.toContain("join_pool");
    expect(store.state.notice?.text).toBe("You were away too long and are no longer waiting.");
  });

  test("nothing is waited for where nothing was, or what was kept cannot be read", () => {
    expect(reloaded().taken).toBe(NO_PAIRING);
    for (const bad of [
      "",
      "7",
      '{"wanted":"9+9","lostAt":1}',
      '{"wanted":"3+2"}',
      '{"ownChallenges":{"a":1},"lostAt":1}',
    ]) {
      const kept = storage();
      kept.setItem("zeitnot.pairing", bad);
      expect(takePairing(kept), bad).toBe(NO_PAIRING);
    }
  });
});

describe("challenges", () => {
  const own = (change: object = {}): ServerMessage => ({
    t: "challenge",
    d: challenge(GAME, { id: "c1", by: { account: WHITE, name: "W" }, ...change }),
  });
  const terms = { time_control: { kind: "unlimited" as const } };

  test("a seek stays on the home page until somebody joins, then leads into the game", async () => {
    const { store, open } = scene();
    const socket = await open();
    store.send({ t: "create_challenge", d: { ...terms, seek: true } });
    socket.hear(own({ seek: true }));
    expect(store.state.route.at).toBe("home");
    socket.hear({ t: "challenge_gone", d: { challenge: GAME, game: GAME } });
    socket.hear(begun);
    expect([store.state.route, store.state.announcement.text]).toEqual([
      { at: "game", id: GAME },
      "The game begins. You play White.",
    ]);
  });

  test("a seek that is joined while a return settles is not made again, and leads into the game", async () => {
    const { store, open, cut } = scene();
    const socket = await open();
    store.send({ t: "create_challenge", d: { ...terms, seek: true } });
    socket.hear(own({ seek: true }));
    const back = await cut(socket);
    back.hear(own({ seek: true }));
    back.hear({ t: "challenge_gone", d: { challenge: GAME, game: GAME } });
    await vi.advanceTimersByTimeAsync(1000);
    expect(kinds(back)).not.toContain("create_challenge");
    back.hear(begun);
    expect(store.state.route).toEqual({ at: "game", id: GAME });
  });

  test("a seek is made again after a lost connection", async () => {
    const { store, open, cut } = scene();
    const socket = await open();
    store.send({ t: "create_challenge", d: { ...terms, seek: true } });
    socket.hear(own({ seek: true }));
    const back = await cut(socket);
    await vi.advanceTimersByTimeAsync(1000);
    expect(back.sent.at(-1)).toMatchObject({ t: "create_challenge", d: { seek: true } });
  });

  test("one by link is waited for on its page; a rematch's answer leads nowhere here", async () => {
    const { store, open } = scene();
    const socket = await open();
    store.send({ t: "offer_rematch", d: { game: "OLDGAME00001" } });
    socket.hear(own({ rematch_of: "OLDGAME00001" }));
    expect(store.state.route.at).toBe("home");
    store.send({ t: "create_challenge", d: terms });
    socket.hear(own({ id: "c2" }));
    expect(store.state.route).toEqual({ at: "game", id: GAME });
  });

  test("a rematch that was offered here leads to its game from every page on which one waits, and from no running game", async () => {
    const { store, open } = scene();
    const socket = await open();
    const offer = (id: string) => {
      store.send({ t: "offer_rematch", d: { game: "OLDGAME00001" } });
      socket.hear({ t: "challenge", d: challenge("AGAIN0000001", { id, to: BLACK, rematch_of: "OLDGAME00001" }) });
    };
    const accept = () => {
      socket.hear({ t: "challenge_gone", d: { challenge: "AGAIN0000001", game: "AGAIN0000001" } });
      socket.hear({ t: "snapshot", d: { ...begun.d, game: "AGAIN0000001" } });
    };
    offer("c1");
    // Without a game it is forgotten, and so it leads nowhere.
    socket.hear({ t: "challenge_gone", d: { challenge: "AGAIN0000001" } });
    expect(store.state.pairing.expected).toEqual([]);
    offer("c2");
    store.send({ t: "create_challenge", d: terms });
    socket.hear(own({ id: "c3" }));
    expect(store.state.route).toEqual({ at: "game", id: GAME });
    accept();
    expect(store.state.route).toEqual({ at: "game", id: "AGAIN0000001" });
    expect(store.state.announcement.text).toContain("The game begins.");
  });

  test("a rematch that another page has offered leads nowhere here", async () => {
    const { store, open } = scene();
    const socket = await open();
    socket.hear({ t: "challenge", d: challenge("AGAIN0000001", { to: BLACK, rematch_of: "OLDGAME00001" }) });
    socket.hear({ t: "challenge_gone", d: { challenge: "AGAIN0000001", game: "AGAIN0000001" } });
    socket.hear({ t: "snapshot", d: { ...begun.d, game: "AGAIN0000001" } });
    expect(store.state.route.at).toBe("home");
  });

  test("one that became a game before its answer came leads there when it is sent again", async () => {
    const { store, open, cut } = scene();
    const socket = await open();
    store.send({ t: "create_challenge", d: terms });
    const back = await cut(socket);
    expect(back.sent.at(-1)).toMatchObject({ t: "create_challenge", d: { id: "c1" } });
    back.hear(begun);
    back.hear({ t: "ok", d: { id: "c1", game: GAME } });
    expect(store.state.route).toEqual({ at: "game", id: GAME });
  });

  test("what was withdrawn before its answer came is not called an error", async () => {
    const { store, open, cut } = scene();
    const socket = await open();
    store.send({ t: "cancel_challenge", d: { challenge: GAME } });
    const back = await cut(socket);
    back.hear({ t: "rejected", d: { id: "c1", code: "challenge_cancelled", message: "" } });
    expect(store.state.notice).toBeNull();
    const later = await cut(back);
    store.send({ t: "decline_challenge", d: { challenge: GAME } });
    const last = await cut(later);
    last.hear({ t: "rejected", d: { id: "c2", code: "challenge_cancelled", message: "" } });
    expect(store.state.notice).not.toBeNull();
  });

  test("one that comes is said, and one that is declined tells why", async () => {
    const { store, open } = scene();
    const socket = await open();
    socket.hear({ t: "challenge", d: challenge("CALL00000001", { to: WHITE }) });
    expect(store.state.announcement.text).toBe("Guest-B challenges you: Casual · Blitz · 5+3");
    socket.hear({ t: "challenge_gone", d: { challenge: "CALL00000001", declined: "no" } });
    expect([store.state.notice, store.state.announcement.text]).toEqual([null, "The challenge was declined"]);
    store.send({ t: "create_challenge", d: { ...terms, to_name: "Luft" } });
    socket.hear(own({ to: BLACK }));
    socket.hear({ t: "challenge_gone", d: { challenge: GAME, declined: "too_fast" } });
    // Its own page says it in the heading, and the home page in its list.
    expect([store.state.notice, store.state.announcement.text]).toEqual([null, "Luft declines: “Too fast for me”"]);
    store.navigate({ at: "home" });
    socket.hear(own({ to: BLACK }));
    socket.hear({ t: "challenge_gone", d: { challenge: GAME, declined: "later" } });
    expect([store.state.notice, store.state.announcement.text]).toEqual([null, "Luft declines: “Not now”"]);
    // Whoever says no gives no reason.
    store.navigate({ at: "account" });
    socket.hear(own({ to: BLACK }));
    socket.hear({ t: "challenge_gone", d: { challenge: GAME, declined: "no" } });
    expect(store.state.notice?.text).toBe("Luft declines");
  });

  test("that one is withdrawn or runs out is said, and of a rematch on its game's page only that it is over", async () => {
    const { store, open } = scene();
    const socket = await open();
    socket.hear({ t: "challenge", d: challenge("CALL00000001", { to: WHITE }) });
    expect(store.state.announcement.text).toMatch(/^Guest-B challenges you/u);
    socket.hear({ t: "challenge_gone", d: { challenge: "CALL00000001" } });
    expect(store.state.announcement.text).toBe("This invitation is no longer open");
    // The end of an open game of others is nothing to say.
    store.say("");
    socket.hear({ t: "challenge", d: challenge("SEEK00000001", { seek: true }) });
    socket.hear({ t: "challenge_gone", d: { challenge: "SEEK00000001" } });
    expect(store.state.announcement.text).toBe("");
    store.go({ at: "game", id: "OLDGAME00001" });
    socket.hear({ t: "challenge", d: challenge("AGAIN0000001", { to: WHITE, rematch_of: "OLDGAME00001" }) });
    socket.hear({ t: "challenge_gone", d: { challenge: "AGAIN0000001" } });
    expect(store.state.announcement.text).toBe(store.text.play.rematch.over);
  });

  test("an own one that ends meanwhile is asked about, and kept until its owner was told", async () => {
    const { store, open, cut, kept } = scene();
    const socket = await open();
    store.send({ t: "create_challenge", d: terms });
    const other = own({ challenge: "ENDED0000001", ends_in_ms: 86_400_000 });
    socket.hear(other);
    expect(store.state.endsAt.ENDED0000001).toBe(Date.now() + 86_400_000);
    expect(Object.keys(kept())).toEqual(["ENDED0000001"]);
    said.answer = { status: 410, body: { code: "challenge_expired", message: "" } };
    await cut(socket);
    await vi.advanceTimersByTimeAsync(2000);
    expect(store.state.gone.ENDED0000001).toMatchObject({
      code: "challenge_expired",
      terms: { by: { account: WHITE } },
    });
    expect(Object.keys(kept())).toEqual(["ENDED0000001"]);
    store.told("ENDED0000001");
    expect(kept()).toEqual({});
  });

  test("one that its owner withdraws here is nothing to tell", async () => {
    const { store, open, kept } = scene();
    const socket = await open();
    store.send({ t: "create_challenge", d: terms });
    socket.hear(own());
    store.send({ t: "cancel_challenge", d: { challenge: GAME } });
    socket.hear({ t: "challenge_gone", d: { challenge: GAME } });
    socket.hear({ t: "ok", d: { id: "c2" } });
    expect(kept()).toEqual({});
    expect(store.state.gone[GAME]?.code).toBe("challenge_cancelled");
  });

  test("from a game without clocks the game of an accepted challenge is opened", async () => {
    const { store, open } = scene({ at: "game", id: GAME });
    const socket = await open();
    socket.hear({ t: "snapshot", d: { ...begun.d, time_control: { kind: "unlimited" } } });
    socket.hear({ t: "challenge", d: challenge("OTHER0000001", { to: WHITE }) });
    store.acceptChallenge("OTHER0000001");
    socket.hear({ t: "challenge_gone", d: { challenge: "OTHER0000001", game: "OTHER0000001" } });
    socket.hear({ t: "snapshot", d: { ...begun.d, game: "OTHER0000001" } });
    expect(store.state.route).toEqual({ at: "game", id: "OTHER0000001" });
  });

  test("nobody is led away from a game whose clocks run", async () => {
    const { store, open } = scene({ at: "game", id: GAME });
    const socket = await open();
    socket.hear(begun);
    socket.hear({ t: "waiting", d: { pool: null, game: "OTHER0000001" } });
    expect(store.state.route).toEqual({ at: "game", id: GAME });
    expect(store.state.notice?.text).toBe("One of your games has started.");
  });

  test("an address without a game shows the terms of its invitation, or that there is none", async () => {
    const there = scene({ at: "game", id: GAME });
    (await there.open()).hear({ t: "rejected", d: { id: "watch", game: GAME, code: "unknown_game", message: "" } });
    await vi.advanceTimersByTimeAsync(0);
    expect(there.store.state.invitations[GAME]).toMatchObject({ by: { account: BLACK } });
    const none = scene({ at: "game", id: "NOTHING00001" });
    const socket = await none.open();
    socket.hear({ t: "rejected", d: { id: "watch", game: "NOTHING00001", code: "unknown_game", message: "" } });
    await vi.advanceTimersByTimeAsync(0);
    expect(none.store.state.gone.NOTHING00001).toEqual({ code: null, terms: null });
    // It may have begun between the two questions.
    expect(socket.sent.at(-1)).toEqual({ t: "watch", d: { game: "NOTHING00001", id: "again" } });
  });
});
