/** Ids of commands: each names one command of an account for ever, because a command that is sent again has its id. */

/** Gives the next id at every call: random for this run of the program, then counted, so that they compress well. */
export function commandIds(): () => string {
  const run = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  let commands = 0;
  return () => {
    commands += 1;
    return `${run}-${commands}`;
  };
}
