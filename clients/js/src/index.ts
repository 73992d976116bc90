/**
 * What programs import: a client with its games, and the parts of it: the connection, the commands that wait for an
 * answer, a game and its clocks. The types of the messages are in `zeitnot-client/protocol`.
 *
 * Nothing here knows the rules of chess, a screen or a browser.
 */
export { type ClientEvents, type ClientOptions, Client } from "./client.js";
export * from "./clock.js";
export { commandIds } from "./commandIds.js";
export * from "./game.js";
export { type Identity, TokenIdentity } from "./identity.js";
export * from "./link.js";
export * from "./outbox.js";
export { RoundTrip } from "./roundTrip.js";
