/**
 * The dialog to report a player to the admins of the server: a reason, what happened, and lines of a chat.
 *
 * Only the numbers of the lines are sent; the server copies what was written.
 */
import { type Sent, sendJson } from "../../net/api";
import { REPORT_CHARS_MAX, REPORT_LINES_MAX, REPORT_REASONS, type ReportPlace, reportOf } from "../../state/reports";
import type { Line } from "../../state/chat";
import { useStore, useText } from "../context";
import { Dialog } from "../Dialog";
import { Form } from "../form/Form";

export interface ReportProps {
  readonly who: { readonly account: string; readonly name: string };
  /** The chat that the report is made from, and what the player wrote there. */
  readonly place: ReportPlace | null;
  readonly lines: readonly Line[];
  close(): void;
}

export function ReportDialog({ who, place, lines, close }: ReportProps) {
  const store = useStore();
  const text = useText();
  const { report } = text.people;
  const send = (form: FormData): Promise<Sent<{ readonly number: number }>> => {
    const chosen = form.getAll("lines").map(Number);
    const wanted = reportOf(who.account, String(form.get("reason")), String(form.get("text")), place, chosen);
    return sendJson("POST", "/api/reports", { ...wanted });
  };
  return (
    <Dialog title={report.title(who.name)} class="account-dialog" close={close}>
      <p class="quiet">{report.text}</p>
      <Form<{ readonly number: number }>
        fields={[]}
        submit={report.submit}
        cancel={close}
        check={(form) => (form.getAll("lines").length > REPORT_LINES_MAX ? "too_many_lines" : null)}
        send={send}
        done={({ number }) => {
          store.notice("info", report.done(number));
          close();
        }}
      >
        <label class="field">
          <span>{report.reason}</span>
          <select name="reason">
            {REPORT_REASONS.map((reason) => (
              <option key={reason} value={reason} selected={reason === (place ? "insults" : "cheating")}>
                {report.reasons[reason]}
              </option>
            ))}
          </select>
        </label>
        {place && <Lines lines={lines} />}
        <label class="field">
          <span>{report.about}</span>
          <textarea name="text" rows={3} maxLength={REPORT_CHARS_MAX} />
        </label>
      </Form>
    </Dialog>
  );
}

function Lines({ lines }: { lines: readonly Line[] }) {
  const { report } = useText().people;
  if (lines.length === 0) return <p class="quiet">{report.noLines}</p>;
  return (
    <fieldset>
      <legend>{report.lines}</legend>
      <div class="report-lines">
        {lines.map((line) => (
          <label key={`${line.n} ${line.at}`} class="check">
            <input type="checkbox" name="lines" value={line.n} />
            <span>{line.text}</span>
          </label>
        ))}
      </div>
      <p class="quiet">{report.linesAbout}</p>
    </fieldset>
  );
}
