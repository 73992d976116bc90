/**
 * The status line: whose turn it is, an open offer, a premove, or the result.
 *
 * It keeps its place and height, so that the page does not jump.
 */
import { type Game, movesOf, turnOf } from "zeitnot-client";
import type { Position } from "../../chess/position";
import type { Color } from "../../chess/square";
import { availableActionsOf } from "../../state/availableActions";
import { type BoardInput, stepTo } from "../../state/boardInput";
import { endPremove } from "../../state/premove";
import { showUci } from "../../text/words";
import { useStore, useText } from "../context";
import { Absence } from "./Absence";
import { type CardState, Result } from "./Result";

interface Props {
  readonly game: Game;
  readonly seat: Color | null;
  readonly input: BoardInput;
  readonly position: Position;
  readonly card: CardState;
}

export function Status({ game, seat, input, position, card }: Props) {
  const store = useStore();
  const text = useText();
  const available = availableActionsOf(game, seat);
  if (game.outcome) return <Result game={game} seat={seat} input={input} end={position} card={card} />;
  if (available.takebackToAnswer) {
    const { seq, by, plies } = available.takebackToAnswer;
    return (
      <Offer
        text={text.game.takebackOffered(text.sides[by], plies)}
        accept={() => store.send({ t: "accept_takeback", d: { game: game.id, offer: seq } })}
        decline={() => store.send({ t: "decline_takeback", d: { game: game.id, offer: seq } })}
      />
    );
  }
  if (available.drawToAnswer) {
    const { seq, by, ilc } = available.drawToAnswer;
    return (
      <Offer
        text={(ilc ? text.game.ilcOffered : text.game.drawOffered)(text.sides[by])}
        accept={() => store.send({ t: "accept_draw", d: { game: game.id, offer: seq } })}
        decline={() => store.send({ t: "decline_draw", d: { game: game.id, offer: seq } })}
      />
    );
  }
  if (available.claimAbsenceAt !== null && seat !== null) {
    return (
      <Absence game={game} at={available.claimAbsenceAt}>
        <div class="status">
          <p>{plainly(game, seat, input.sent?.on === game.on, text)}</p>
        </div>
      </Absence>
    );
  }
  if (input.cursor !== null && seat !== null) {
    return (
      <div class="status">
        <p>{text.game.past}</p>
        <button
          type="button"
          onClick={() => store.updateInput(game.id, (old) => stepTo(old, game.plyCount, game.plyCount))}
        >
          {text.game.returnLive}
        </button>
      </div>
    );
  }
  if (input.premove !== null) {
    return (
      <div class="status">
        <p>{text.game.premoveSet(showUci(text, input.premove, position))}</p>
        <button type="button" onClick={() => store.updateInput(game.id, endPremove)}>
          {text.game.premoveCancel}
        </button>
      </div>
    );
  }
  return (
    <div class="status">
      <p>{plainly(game, seat, input.sent?.on === game.on, text)}</p>
    </div>
  );
}

function plainly(game: Game, seat: Color | null, isSent: boolean, text: ReturnType<typeof useText>): string {
  if (game.phase === "deciding") return text.game.deciding;
  if (isSent) return text.game.onItsWay;
  const side = turnOf(game.fen);
  const online = game.options.profile === "fide_online" || game.options.profile === "casual";
  const firstMove = online && game.clocks !== null && movesOf(game, side) === 0 ? ` · ${text.game.firstMove}` : "";
  const offered = seat && game.drawOffer?.by === seat ? ` · ${text.game.drawSent}` : "";
  const asked = seat && game.takebackOffer?.by === seat ? ` · ${text.game.takebackSent}` : "";
  const whose = seat === side ? text.game.yourTurn : text.game.toMove(text.sides[side]);
  return whose + firstMove + offered + asked;
}

function Offer({ text, accept, decline }: { text: string; accept(): void; decline(): void }) {
  const words = useText();
  return (
    <div class="status offer" role="group" aria-label={text}>
      <p>{text}</p>
      <button type="button" class="primary" onClick={accept}>
        {words.game.accept}
      </button>
      <button type="button" onClick={decline}>
        {words.game.decline}
      </button>
    </div>
  );
}
