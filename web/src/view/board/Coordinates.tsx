/** The names of files and ranks. They lie over the board: inside the cells they would be read out. */

const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7];

export function Coordinates({ flipped }: { flipped: boolean }) {
  return (
    <div class="coordinates" aria-hidden="true">
      <div class="ranks">
        {EIGHT.map((row) => (
          <span key={row}>{flipped ? row + 1 : 8 - row}</span>
        ))}
      </div>
      <div class="files">
        {EIGHT.map((column) => (
          <span key={column}>{"abcdefgh".charAt(flipped ? 7 - column : column)}</span>
        ))}
      </div>
    </div>
  );
}
