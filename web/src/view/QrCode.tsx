/**
 * A text as a QR code. Always dark on light, with a border: cameras read no other in every theme.
 *
 * What draws it is loaded when one is shown, as most people never see one; its room is there from the beginning.
 */
import { useLoaded } from "./fetched";

export function QrCode({ value, label }: { value: string; label: string }) {
  const { fetched } = useLoaded(() => import("uqr"), "uqr");
  if (fetched.state !== "there") return fetched.state === "loading" ? <div class="qr" /> : null;
  const { data, size } = fetched.value.encode(value, { ecc: "M", border: 2 });
  const dots = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={dots.join("")} fill="#000" />
    </svg>
  );
}
