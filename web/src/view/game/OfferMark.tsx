/** A sign for a draw that is offered. Whoever does not see it has the words beside it. */

/** The half point of a draw that is offered. */
export function OfferMark() {
  return (
    <span class="offer-mark" aria-hidden="true">
      ½
    </span>
  );
}
