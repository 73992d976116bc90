/**
 * Whether a game is rated, and, which is rarely asked for, for which ratings an open game is. The server decides; what cannot be
 * is not offered.
 */
import { useId } from "preact/hooks";
import { type Setup, canBeRated } from "../../state/setup";
import { showRated } from "../../text/terms";
import { useApp, useText } from "../context";
import { Segments } from "../form/Segments";
import type { SetupPart } from "./MoreFields";

interface Props {
  readonly setup: Setup;
  /** Chooses whether it is. */
  rate(rated: boolean): void;
}

export function RatedFields({ setup, rate }: Props) {
  const kind = useApp((app) => app.people.kind);
  const text = useText();
  const { rated } = text.people;
  const whyId = useId();
  const isRegistered = kind === "registered" || kind === "bot";
  const why = !isRegistered ? rated.off : canBeRated(setup) ? null : rated.notThis;
  return (
    <>
      <Segments
        legend={text.archive.rated}
        name="rated"
        class="rated"
        of={[false, true]}
        show={(isRated) => showRated(text, isRated)}
        isChosen={(isRated) => isRated === (setup.rated && why === null)}
        isOff={(isRated) => isRated && why !== null}
        describedBy={whyId}
        choose={rate}
      />
      <p id={whyId} class="quiet rated-why">
        {why}
      </p>
    </>
  );
}

export function RatingRange({ setup, set }: SetupPart) {
  const { rated } = useText().people;
  const bound = (label: string, field: "ratingLeast" | "ratingMost") => (
    <label class="field small">
      <span>{label}</span>
      <input
        type="number"
        inputMode="numeric"
        min={0}
        max={4000}
        step={50}
        placeholder={rated.anyRating}
        value={setup[field]}
        onInput={(event) => set({ ...setup, [field]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <fieldset>
      <legend>{rated.range}</legend>
      <div class="row">
        {bound(rated.least, "ratingLeast")}
        {bound(rated.most, "ratingMost")}
      </div>
    </fieldset>
  );
}
