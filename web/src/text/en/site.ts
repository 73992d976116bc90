/** English: the header, pages that are not there, and the connection. */

export const site = {
  home: "Zeitnot, home",
  skip: "Skip to content",
  languageFailed: "The texts of this language could not be loaded. Try again.",
  title: "Zeitnot – chess",
  lost: "Page not found",
  lostText: "There is no page at this address.",
  toHome: "Go to the home page",
};

export const link = {
  connecting: "Connecting …",
  slow: "The server has not answered for a moment …",
  waiting: "Connection lost. Reconnecting …",
  open: "Connected",
  delay: (ms: number) => `${ms} ms`,
  sending: "Sending …",
  resent: "Sent again, waiting for the server …",
  queued: "Not saved yet",
  confirmed: "Move saved",
  rejected: (code: string) => `The server has closed the connection (${code}). Reload the page to try again.`,
};
