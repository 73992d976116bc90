/**
 * What a test asks the server for from a person's browser but beside the page, where the page itself is not what is
 * tested: an account, and one message over a socket of its own.
 */
import type { ClientMessage, ServerMessage } from "#protocol";
import type { Person } from "./testServer";

type Kind = ServerMessage["t"];
type Fields<T extends Kind> = Extract<ServerMessage, { t: T }>["d"];

/** Makes a guest of a browser that has not opened the page yet. */
export async function becomeGuest({ page, url }: Person): Promise<void> {
  // Any address of the server will do; this one loads nothing else.
  await page.goto(`${url}/robots.txt`);
  await page.evaluate(async () => {
    await fetch("/api/guest", { method: "POST" });
    localStorage.setItem("zeitnot.guest", "1");
  });
}

/** The fields of the first answer of this kind. Fails if the server rejects the message. */
export function ask<T extends Kind>({ page }: Person, message: ClientMessage, kind: T): Promise<Fields<T>> {
  return page.evaluate(
    ([said, awaited]) =>
      new Promise<Fields<T>>((done, failed) => {
        const socket = new WebSocket(`ws://${location.host}/ws`, "zeitnot.v1.json");
        socket.onopen = () => socket.send(said);
        socket.onerror = () => failed(new Error("the socket failed"));
        socket.onmessage = (event) => {
          const { t, d } = JSON.parse(String(event.data));
          if (t === "rejected") failed(new Error(`rejected: ${JSON.stringify(d)}`));
          if (t !== awaited) return;
          socket.close();
          done(d);
        };
      }),
    [JSON.stringify(message), kind] as const,
  );
}
