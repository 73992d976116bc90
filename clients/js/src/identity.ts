/**
 * Whom a connection is for. A link asks; a program answers with a token, and a page with a cookie that scripts cannot
 * read.
 */
import type { Hello, Welcome } from "../../../protocol/bindings/protocol.js";

export interface Identity {
  /** Whether there may be an account: false is certain. Without one, the first command makes a guest account. */
  readonly maybe: boolean;
  /** What to say first on a new connection; null if `welcome` comes without it. Throws if that is not known now. */
  hello(): Promise<Hello | null>;
  /** Creates a guest account, unless there is one. Throws the code if the server rejects it. */
  become(): Promise<void>;
  /** The server has said who this is. */
  welcomed(welcome: Welcome): void;
  /** No `welcome` came: find out again before the next connection. */
  doubt(): void;
}

/** The account that a token names; without one, a guest account that the first connection makes. */
export class TokenIdentity implements Identity {
  readonly maybe = true;

  /** `token` is a secret. That of a new guest is here after `welcome`: keep it to come back as the same account. */
  constructor(public token: string | null = null) {}

  hello(): Promise<Hello> {
    return Promise.resolve(this.token === null ? { guest: true } : { token: this.token });
  }

  become(): Promise<void> {
    return Promise.resolve();
  }

  welcomed(welcome: Welcome): void {
    this.token = welcome.token ?? this.token;
  }

  doubt(): void {
    // A token is right or wrong, and the server says which.
  }
}
