/** A sign for a draw that is offered. Whoever does not see it has the words beside it. */

/** As it is written on a score sheet (Appendix C.12): a half point would read as points beside a name. */
export function OfferMark() {
  return (
    <span class="offer-mark" aria-hidden="true">
      =
    </span>
  );
}
