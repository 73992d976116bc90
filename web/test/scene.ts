/** What the server writes, for tests: a game's messages are those of the client's tests, the lobby's are here. */
import type { Challenge, LiveGame } from "#protocol";
import { BLACK, snapshot } from "../../clients/js/test/scene";

export { AT, BLACK, GAME, WHITE, move, snapshot } from "../../clients/js/test/scene";

/** Black's challenge, 5+3. */
export function challenge(id: string, change: Partial<Challenge> = {}): Challenge {
  return {
    challenge: id,
    by: { account: BLACK, name: "Guest-B" },
    color: null,
    variant: "standard",
    time_control: { kind: "clock", periods: [{ base_ms: 300_000, increment_ms: 3000 }] },
    options: { profile: "fide_online", ilc: "off", no_draw_offer_before_move: 0 },
    ...change,
  };
}

export function liveGame(id: string): LiveGame {
  const { players, variant, time_control, fen } = snapshot();
  return { game: id, players, variant, time_control, fen, ply_count: 0, watchers: 0 };
}
