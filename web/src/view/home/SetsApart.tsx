/** What no other place to play has, in a line each. */
import { useText } from "../context";

export function SetsApart() {
  const { apart } = useText().home;
  return (
    <section class="card apart" aria-labelledby="apart-title">
      <h2 id="apart-title">{apart.title}</h2>
      <ul class="list">
        {apart.lines.map(([what, how]) => (
          <li key={what}>
            <strong>{what}</strong> {how}
          </li>
        ))}
      </ul>
    </section>
  );
}
