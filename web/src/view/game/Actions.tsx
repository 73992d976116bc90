/**
 * The buttons for what one may do now: draw, resign (which asks once more), abort, takeback, time, claims.
 *
 * What the rules of the game do not have is not shown; what is not possible now keeps its place, disabled.
 */
import { useEffect, useState } from "preact/hooks";
import type { Position } from "../../chess/position";
import type { Color } from "../../chess/square";
import type { Command } from "../../state/outbox";
import type { Game } from "../../state/game";
import type { Rights } from "../../state/rights";
import { useApp, useStore, useText } from "../context";
import { ClaimDialog } from "./ClaimDialog";

interface Props {
  readonly game: Game;
  readonly seat: Color | null;
  readonly rights: Rights;
  readonly line: readonly Position[];
}

export const GIVEN_MS = 15_000;

export function Actions({ game, seat, rights, line }: Props) {
  const store = useStore();
  const app = useApp();
  const text = useText();
  const [asking, setAsking] = useState<"resign" | "claim" | null>(null);
  useEffect(() => setAsking(null), [game.on, game.phase]);
  const { profile } = game.options;
  const under = (t: Command["t"]): boolean => app.link.outbox.some((one) => one.message.t === t && "game" in one.message.d && one.message.d.game === game.id);
  const about = { game: game.id };
  const plays = seat !== null && game.phase === "playing";
  const button = (t: Command["t"], label: string, can: boolean, act: () => void) => (
    <button type="button" disabled={!can || under(t)} onClick={act}>
      {label}
    </button>
  );
  if (!plays) return null;
  return (
    <section class="actions" aria-label={text.game.actions}>
      {asking === "resign" ? (
        <div class="confirm" role="group" aria-label={text.game.resignSure}>
          <span>{text.game.resignSure}</span>
          <button
            type="button"
            class="danger"
            ref={(node) => node?.focus()}
            onClick={() => {
              setAsking(null);
              store.send({ t: "resign", d: about });
            }}
          >
            {text.game.resignYes}
          </button>
          <button type="button" onClick={() => setAsking(null)}>
            {text.game.no}
          </button>
        </div>
      ) : (
        <>
          {rights.abort && button("abort", text.game.abort, true, () => store.send({ t: "abort", d: about }))}
          {!rights.abort && button("offer_draw", text.game.draw, rights.offerDraw, () => store.send({ t: "offer_draw", d: about }))}
          {button("resign", text.game.resign, true, () => setAsking("resign"))}
          {profile === "casual" && button("offer_takeback", text.game.takeback, rights.takeback, () => store.send({ t: "offer_takeback", d: about }))}
          {rights.giveTime && button("give_time", text.game.giveTime, true, () => store.send({ t: "give_time", d: { ...about, ms: GIVEN_MS } }))}
          {profile !== "fide_online" && button("claim_draw", text.game.claim, rights.claim !== null, () => setAsking("claim"))}
          {game.options.ilc !== "off" && button("ask_ilc", text.game.askIlc, rights.askIlc, () => store.send({ t: "ask_ilc", d: about }))}
        </>
      )}
      {asking === "claim" && rights.claim && <ClaimDialog game={game} line={line} rule={rights.claim} close={() => setAsking(null)} />}
    </section>
  );
}
