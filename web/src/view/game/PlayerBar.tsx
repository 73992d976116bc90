/**
 * One player's bar beside the board: colour, name, material, presence, lag compensation, clock; in a rematch the points so far,
 * and after a rated game what it did to the rating. Of the presence after a game it is told: GameView.tsx asks for it.
 */
import { type Game, firstClock } from "zeitnot-client";
import type { Position } from "../../chess/position";
import type { Color } from "../../chess/square";
import { isCutOff } from "../../state/app";
import { creditToShow } from "../../state/clock";
import { playerBefore } from "../../state/played";
import { showChange } from "../../text/words";
import { useApp, useStore, useText } from "../context";
import { type Presence, PresenceMark } from "../people/PresenceMark";
import { NameLink, Strength } from "../PlayerLink";
import { ClockView } from "./ClockView";
import { Material } from "./Material";
import { OfferMark } from "./OfferMark";
import { SeriesPoints } from "./SeriesPoints";

interface Props {
  readonly game: Game;
  readonly color: Color;
  readonly seat: Color | null;
  readonly past: { readonly white: number | null; readonly black: number | null } | null;
  /** The position that is shown. */
  readonly position: Position;
  /** Whether this player is still online after the game; null where nobody asks. */
  readonly presence: Presence | null;
}

export function PlayerBar({ game, color, seat, past, position, presence }: Props) {
  const store = useStore();
  const text = useText();
  const isYou = seat === color;
  const away = game.away[color] !== null;
  const isUnknown = useApp(isCutOff);
  const told = seat !== null && !isYou && game.phase === "playing" && !isUnknown;
  const mark = (ms: number): void => {
    if (seat === null) return;
    store.say(text.announcements.left(text.sides[color], ms / 1000));
    if (isYou && ms <= 10_000) store.sound("low");
  };
  const player = playerBefore(game, color);
  const step = game.ratings?.[color];
  const credit = creditToShow(game, color);
  return (
    <section class="player" aria-label={text.sides[color]} data-color={color}>
      <div class="player-line">
        <span class={`disc ${color}`} aria-hidden="true" />
        <span class="who">
          <span class="name">
            <span class="name-line">
              <NameLink player={player} />
              {told && (
                <PresenceMark presence={away ? "away" : "here"}>
                  {away ? text.game.opponentAway : <span class="visually-hidden">{text.lobby.here}</span>}
                </PresenceMark>
              )}
              {presence !== null && (
                <PresenceMark presence={presence}>
                  <span class="presence-word">{text.lobby[presence]}</span>
                </PresenceMark>
              )}
            </span>
            <Strength player={player} />
            {step && <RatingStep by={step.after - step.before} />}
            {isYou && <span class="quiet"> ({text.game.you})</span>}
          </span>
          {seat !== null && <SeriesPoints game={game} seat={seat} color={color} />}
          <Material position={position} color={color} />
        </span>
        {game.phase === "playing" && game.drawOffer?.by === color && (
          <span class="offers" title={text.game.drawOffered(game.players[color].name)}>
            <OfferMark />
            <span class="visually-hidden">{text.game.drawOffered(game.players[color].name)}</span>
          </span>
        )}
        <span class="gap" />
        {credit !== null && (
          <span class="credit" title={text.game.credit(credit)}>
            <span aria-hidden="true">
              {text.game.creditShort(credit)}
              <span class="credit-word"> {text.game.creditWord}</span>
            </span>
            <span class="visually-hidden">{text.game.credit(credit)}</span>
          </span>
        )}
        {game.clocks ? (
          <ClockView
            clocks={game.clocks}
            color={color}
            most={firstClock(game.control, color) ?? 0}
            past={past?.[color] ?? null}
            onMark={mark}
          />
        ) : (
          game.origin === null && <span class="quiet no-clock">{text.game.noClock}</span>
        )}
      </div>
    </section>
  );
}

/** What a game did to a rating: sign and colour say which way. */
function RatingStep({ by }: { readonly by: number }) {
  const way = by > 0 ? "up" : by < 0 ? "down" : "";
  return <span class={`rating-step ${way}`}>{showChange(by)}</span>;
}
