/** A socket that a test plays the server on: what was sent is kept, what comes is said by the test. */
import type { ClientMessage, ServerMessage } from "../../../protocol/bindings/protocol.js";
import { WHITE } from "./scene.js";

export class Socket {
  readyState = 1;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  readonly sent: ClientMessage[] = [];
  answersPings = true;

  send(text: string): void {
    const message = JSON.parse(text) as ClientMessage;
    if (message.t === "ping") {
      if (this.answersPings) setTimeout(() => this.hear({ t: "pong", d: { ...message.d, at: 0, ms: 0 } }), 40);
    } else this.sent.push(message);
  }

  close(): void {
    this.readyState = 3;
  }

  hear(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  welcome(account: string | null = WHITE): void {
    this.hear({ t: "welcome", d: { account, boot: "b", epoch: "e", limits: {} as never } });
  }
}
