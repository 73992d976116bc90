/**
 * What programs import: the connection, the commands that wait for an answer, a game and its clocks. The types of the
 * messages are in `zeitnot-client/protocol`.
 *
 * Nothing here knows the rules of chess, a screen or a browser.
 */
export * from "./clock.js";
export * from "./game.js";
export type { Identity } from "./identity.js";
export * from "./link.js";
export * from "./outbox.js";
export { RoundTrip } from "./roundTrip.js";
