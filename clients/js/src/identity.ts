/** Who a connection is for: asked for by the link, decided elsewhere. A page has a cookie that scripts cannot read. */
export interface Identity {
  /** Whether there may be an account: false is certain. Without one, the first command makes a guest account. */
  readonly maybe: boolean;
  /** Whether the server knows this client, so that `welcome` comes without `hello`. Throws without an answer. */
  check(): Promise<boolean>;
  /** Creates a guest account, unless there is one. Throws the code if the server rejects it. */
  become(): Promise<void>;
  /** No `welcome` came: check again before the next connection. */
  doubt(): void;
}
