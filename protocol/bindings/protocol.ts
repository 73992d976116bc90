// The types of subprotocol zeitnot.v1.json, made from the Rust types of zeitnot-protocol. Do not
// edit: run ZEITNOT_WRITE_BINDINGS=1 cargo test -p zeitnot-protocol bindings

/**
 * `absence_claimed`: an absence was claimed.
 */
export type AbsenceClaimed = {
/**
 * The game.
 */
game: GameId,
/**
 * This event's number.
 */
seq: number,
/**
 * The side that claimed.
 */
by: WireColor,
/**
 * What was claimed.
 */
result: DrawOrWin,
/**
 * White's clock in ms.
 */
white_ms: number | null,
/**
 * Black's.
 */
black_ms: number | null, };

/**
 * An account: a UUID.
 */
export type AccountId = string;

/**
 * Why a clock was changed.
 */
export type AdjustmentCause = { "kind": "gift",
/**
 * The side that gave it.
 */
by: WireColor, } | { "kind": "wrong_claim",
/**
 * The side that had claimed.
 */
by: WireColor, } | { "kind": "arbiter" };

/**
 * An answer to an offer.
 */
export type AnswerOffer = {
/**
 * The game.
 */
game: GameId,
/**
 * The seq of the offer.
 */
offer: number,
/**
 * Comes back in `ok` or `rejected`.
 */
id?: CommandId, };

/**
 * One of the best moves in a position, and what follows it.
 */
export type BestLine = {
/**
 * What the position is worth for White if this is played, as in [`Evaluation`].
 */
centipawns: number | null,
/**
 * As in [`Evaluation`].
 */
mate: number | null,
/**
 * How many plies deep it was searched.
 */
depth: number,
/**
 * The move, and the best ones of both sides after it.
 */
moves: Array<NamedMove>, };

/**
 * The body of `GET /api/games/{id}/lines`: the best moves in a position of a finished game, or of a line that
 * leaves it.
 */
export type BestLines = {
/**
 * The game.
 */
game: GameId,
/**
 * After how many plies of the game the position stood, or `moves` begin.
 */
ply: number,
/**
 * The moves from there on that were not played; the position is the one after them.
 */
moves?: Array<Uci>,
/**
 * The position, in FEN.
 */
fen: string,
/**
 * The best one first; empty when there is no legal move.
 */
lines: Array<BestLine>, };

/**
 * One start of the server: 12 letters and digits, another one after each restart.
 */
export type BootId = string;

/**
 * One value a side.
 */
export type ByColor<T> = {
/**
 * White's.
 */
white: T,
/**
 * Black's.
 */
black: T, };

/**
 * An event with the side that acted as its only field.
 */
export type ByEvent = {
/**
 * The game.
 */
game: GameId,
/**
 * This event's number.
 */
seq: number,
/**
 * The side that acted.
 */
by: WireColor, };

/**
 * Whether a side can checkmate by any series of legal moves of both sides.
 */
export type CanMate = {
/**
 * Whether it can; null when a short search has not decided it.
 */
can: boolean | null,
/**
 * What proves it; absent when it is not decided.
 */
proof?: WireProof, };

/**
 * A player's rating in a category.
 */
export type CategoryRating = {
/**
 * The category.
 */
category: WireCategory,
/**
 * In whole points.
 */
rating: number,
/**
 * Whether too little is known of the player to rely on it, by now.
 */
provisional?: boolean,
/**
 * How many rated games there were.
 */
games: number, };

/**
 * `challenge`: a challenge as it stands: the answer to `create_challenge`, and notice of your own
 * challenges and those addressed to you.
 */
export type Challenge = {
/**
 * The id to accept.
 */
challenge: ChallengeId,
/**
 * The id of the `create_challenge` this answers.
 */
id?: CommandId,
/**
 * The player who offers it.
 */
by: PlayerView,
/**
 * Only this account may accept.
 */
to?: AccountId,
/**
 * Whether it is listed in the lobby: a seek.
 */
seek?: boolean,
/**
 * The finished game that this offers a rematch of.
 */
rematch_of?: GameId,
/**
 * The challenger's colour; null: drawn by lot at acceptance.
 */
color: WireColor | null,
/**
 * Standard or Chess960.
 */
variant: WireVariant,
/**
 * The start position, if one was given.
 */
fen?: string,
/**
 * The clocks.
 */
time_control: TimeControl,
/**
 * The rules.
 */
options: GameOptions,
/**
 * Whether the game counts for ratings.
 */
rated?: boolean,
/**
 * The lowest rating of a player who may accept.
 */
rating_min?: number,
/**
 * The highest.
 */
rating_max?: number,
/**
 * Who has accepted it while its owner was away: the game begins when both are connected.
 */
accepted_by?: PlayerView,
/**
 * How long it is open from now on, in ms; none for a seek, which ends with its owner's last connection.
 */
ends_in_ms?: number, };

/**
 * A command about a challenge.
 */
export type ChallengeCommand = {
/**
 * The challenge.
 */
challenge: ChallengeId,
/**
 * Comes back in `ok` or `rejected`.
 */
id?: CommandId, };

/**
 * `challenge_gone`: a challenge is gone: it has become a game (then with the game), was declined or withdrawn, or its
 * time has come.
 */
export type ChallengeGone = {
/**
 * The challenge.
 */
challenge: ChallengeId,
/**
 * The game it became, if it was accepted.
 */
game?: GameId,
/**
 * Why it was declined, if it was.
 */
declined?: DeclineReason, };

/**
 * A challenge: 12 letters and digits.
 */
export type ChallengeId = string;

/**
 * A chat room of a game.
 */
export type ChatRoom = "players" | "spectators";

/**
 * A check.
 */
export type Check = {
/**
 * Where the king in check stands.
 */
king: WireSquare,
/**
 * Where the pieces that give it stand: one or two.
 */
checkers: Array<WireSquare>,
/**
 * Whether there are two.
 */
double: boolean,
/**
 * Whether it is checkmate.
 */
mate: boolean, };

/**
 * `claim_absence`: claims against an absent opponent.
 */
export type ClaimAbsence = {
/**
 * The game.
 */
game: GameId,
/**
 * What is claimed.
 */
result: DrawOrWin,
/**
 * Comes back in `ok` or `rejected`.
 */
id?: CommandId, };

/**
 * `claim_draw`: claims a draw by repetition or move count.
 */
export type ClaimDraw = {
/**
 * The game.
 */
game: GameId,
/**
 * The seq that made the position on the board.
 */
on: number,
/**
 * The intended move in UCI, if the claim concerns the position after it.
 */
uci?: Uci,
/**
 * Comes back in `ok` or `rejected`.
 */
id?: CommandId, };

/**
 * A message from a client.
 */
export type ClientMessage = { "t": "hello", "d": Hello } | { "t": "watch", "d": Watch } | { "t": "unwatch", "d": GameRef } | { "t": "history", "d": HistoryRequest } | { "t": "move", "d": PlayMove } | { "t": "resign", "d": GameCommand } | { "t": "offer_draw", "d": GameCommand } | { "t": "accept_draw", "d": AnswerOffer } | { "t": "decline_draw", "d": AnswerOffer } | { "t": "claim_draw", "d": ClaimDraw } | { "t": "claim_absence", "d": ClaimAbsence } | { "t": "abort", "d": GameCommand } | { "t": "offer_takeback", "d": GameCommand } | { "t": "accept_takeback", "d": AnswerOffer } | { "t": "decline_takeback", "d": AnswerOffer } | { "t": "give_time", "d": GiveTime } | { "t": "ask_ilc", "d": GameCommand } | { "t": "create_challenge", "d": CreateChallenge } | { "t": "accept_challenge", "d": ChallengeCommand } | { "t": "cancel_challenge", "d": ChallengeCommand } | { "t": "decline_challenge", "d": DeclineChallenge } | { "t": "offer_rematch", "d": GameCommand } | { "t": "set_name", "d": SetName } | { "t": "enter_lobby", "d": LobbyCommand } | { "t": "leave_lobby", "d": LobbyCommand } | { "t": "join_pool", "d": JoinPool } | { "t": "leave_pool", "d": LobbyCommand } | { "t": "say", "d": Say } | { "t": "ping", "d": Ping };

/**
 * `clock`: the clocks now.
 */
export type Clock = {
/**
 * The id of the `watch` that is answered with this.
 */
id?: CommandId,
/**
 * The game.
 */
game: GameId,
/**
 * The event the clocks stand after.
 */
seq: number,
/**
 * White's clock now, in ms, rounded up; null without one.
 */
white_ms: number | null,
/**
 * Black's.
 */
black_ms: number | null,
/**
 * The side whose clock runs; null if none does.
 */
running: WireColor | null,
/**
 * For how many ms from now the running clock does not count yet: the rest of a delay and of
 * the lag compensation.
 */
stands_ms?: number,
/**
 * After how many ms the first move of the side to move is late, and the game ends without a
 * result; present while such a move is awaited.
 */
first_move_ms?: number, };

/**
 * A close code that the server sends.
 */
export type CloseCode = "not_utf8" | "too_big" | "restart" | "slow_reader" | "overloaded" | "no_pong" | "no_hello" | "game_reset" | "bad_frames" | "too_many_connections" | "flood" | "revoked" | "bad_tokens" | "cut_off";

/**
 * The text of a close frame's reason, such as `{"code":"slow_reader","retry_ms":1830}`.
 */
export type CloseReason = {
/**
 * The code's name.
 */
code: CloseCode,
/**
 * After how many ms to connect again, drawn by lot so that not all clients come back at once.
 * Absent: do not reconnect.
 */
retry_ms?: number, };

/**
 * Why a frame or a command was rejected. It changed nothing.
 */
export type Code = "not_json" | "not_a_message" | "unknown_type" | "bad_field" | "binary_frame" | "hello_first" | "already_identified" | "bad_token" | "too_many_bad_tokens" | "too_many_guests" | "no_account" | "missing_scope" | "unavailable" | "unknown_game" | "damaged" | "not_your_game" | "too_many_watched" | "unknown_challenge" | "own_challenge" | "not_for_you" | "unknown_account" | "bad_time_control" | "bad_position" | "bad_options" | "not_rated" | "other_rating" | "challenge_expired" | "challenge_cancelled" | "challenge_declined" | "challenge_taken" | "not_for_bots" | "blocked" | "not_accepting" | "too_many_challenges" | "already_challenged" | "too_fast" | "too_many_games" | "too_many_new_games" | "server_full" | "not_over" | "bad_name" | "name_taken" | "bad_text" | "chat_too_fast" | "muted" | "not_your_room" | "game_over" | "not_your_turn" | "illegal_move" | "stale" | "time_is_up" | "no_offer" | "already_offered" | "offer_too_early" | "both_must_move" | "not_in_profile" | "already_claimed" | "too_late_to_abort" | "not_absent" | "nothing_to_take_back" | "bad_amount" | "ilc_not_possible" | "too_many_offers" | "nothing_due";

/**
 * A client's own name for a command: 1 to 32 printable ASCII characters.
 */
export type CommandId = string;

/**
 * `create_challenge`: creates a challenge that others accept by its id.
 */
export type CreateChallenge = {
/**
 * The clocks.
 */
time_control: TimeControl,
/**
 * The challenger's colour; absent: drawn by lot.
 */
color?: WireColor,
/**
 * Standard or Chess960.
 */
variant?: WireVariant,
/**
 * A start position in FEN. Absent: the standard one, or a Chess960 position by lot.
 */
fen?: string,
/**
 * Rules and their options.
 */
options?: Partial<GameOptions>,
/**
 * Only this account may accept. Absent: anybody who has the id.
 */
to?: AccountId,
/**
 * The same, by the name of the account.
 */
to_name?: string,
/**
 * Lists it in the lobby for anybody until its owner disconnects: a seek.
 */
seek?: boolean,
/**
 * Whether the game counts for ratings.
 */
rated?: boolean,
/**
 * With `seek`: the lowest rating of a player who may accept.
 */
rating_min?: number,
/**
 * With `seek`: the highest.
 */
rating_max?: number,
/**
 * Comes back in `challenge` or `rejected`.
 */
id?: CommandId, };

/**
 * `decline_challenge`: declines a challenge addressed to the client.
 */
export type DeclineChallenge = {
/**
 * The challenge.
 */
challenge: ChallengeId,
/**
 * Why.
 */
reason?: DeclineReason,
/**
 * Comes back in `ok` or `rejected`.
 */
id?: CommandId, };

/**
 * Why a challenge is declined.
 */
export type DeclineReason = "no" | "later" | "too_fast" | "too_slow" | "other_time_control" | "other_variant" | "other_rules" | "other_color";

/**
 * `draw_claimed`: a draw was claimed.
 */
export type DrawClaimed = {
/**
 * The game.
 */
game: GameId,
/**
 * This event's number.
 */
seq: number,
/**
 * The side that claimed.
 */
by: WireColor,
/**
 * The intended move in UCI, if there was one.
 */
uci?: Uci,
/**
 * Whether the claim was right; then `ended` follows. If not, the next events say what it led
 * to.
 */
right: boolean, };

/**
 * What is claimed against an absent opponent.
 */
export type DrawOrWin = "draw" | "win";

/**
 * `ended`: the game ended.
 */
export type Ended = {
/**
 * The game.
 */
game: GameId,
/**
 * This event's number, the game's last.
 */
seq: number,
/**
 * White's final clock in ms.
 */
white_ms: number | null,
/**
 * Black's.
 */
black_ms: number | null,
/**
 * The score.
 */
score: WireScore,
/**
 * Why.
 */
reason: WireReason,
/**
 * What proves that a side can or cannot checkmate, where the outcome rests on that.
 */
proof?: WireProof,
/**
 * How the game was played out, if an admin has corrected the result since; never in `ended`.
 */
played_out?: PlayedOut, };

/**
 * One history of the server's data: 12 letters and digits, another one after data were
 * restored from a copy.
 */
export type EpochId = string;

/**
 * The body of `GET /api/games/{id}/evaluation`: what a search found out about a position of a finished game, or
 * of a line that leaves it.
 */
export type Evaluation = {
/**
 * The game.
 */
game: GameId,
/**
 * After how many plies of the game the position stood, or `moves` begin.
 */
ply: number,
/**
 * The moves from there on that were not played; the position is the one after them.
 */
moves?: Array<Uci>,
/**
 * The position, in FEN.
 */
fen: string,
/**
 * What the position is worth for White, in hundredths of a pawn; null where a checkmate was found.
 */
centipawns: number | null,
/**
 * In how many moves White checkmates, or, below zero, Black; 0 when it is checkmate already. Null where no checkmate
 * was found.
 */
mate: number | null,
/**
 * How many plies deep all moves were searched.
 */
depth: number,
/**
 * The best moves of both sides, the first one first; empty when there is no legal move.
 */
line: Array<NamedMove>, };

/**
 * The body of `GET /api/games/featured`.
 */
export type FeaturedGame = {
/**
 * A finished game to replay, with all of its plies; null when there is none.
 */
game: Snapshot | null, };

/**
 * Why a FEN is rejected. Characters are counted from 1 within their field.
 */
export type FenReason = { "kind": "field_count",
/**
 * How many there are, 7 for any number above 6.
 */
found: number, } | { "kind": "board_character",
/**
 * Which character of the board.
 */
at: number,
/**
 * What stands there.
 */
found: string, } | { "kind": "rank_length",
/**
 * Which rank, 1 to 8.
 */
rank: number, } | { "kind": "rank_count" } | { "kind": "side_to_move" } | { "kind": "castling_character",
/**
 * Which character of the castling rights.
 */
at: number,
/**
 * What stands there.
 */
found: string, } | { "kind": "castling_rook",
/**
 * Which character of the castling rights.
 */
at: number,
/**
 * Whose right it would be.
 */
color: WireColor, } | { "kind": "castling_twice",
/**
 * Which character of the castling rights.
 */
at: number,
/**
 * Whose right it would be.
 */
color: WireColor, } | { "kind": "en_passant" } | { "kind": "halfmove_clock" } | { "kind": "fullmove_number" } | { "kind": "kings",
/**
 * Which side.
 */
color: WireColor,
/**
 * How many kings it has.
 */
count: number, } | { "kind": "pawn_on_last_rank",
/**
 * Where.
 */
square: WireSquare, } | { "kind": "opponent_in_check",
/**
 * The side in check.
 */
color: WireColor, } | { "kind": "castling_right",
/**
 * Whose right.
 */
color: WireColor,
/**
 * Where the rook would have to be.
 */
rook: WireSquare, } | { "kind": "en_passant_square",
/**
 * The square.
 */
square: WireSquare, };

/**
 * The body of `GET /api/games/names?name=`: players without accounts whose names begin so.
 */
export type FoundNames = {
/**
 * At most 8, each as the player's last game has it.
 */
names: Array<string>, };

/**
 * An opening in a list.
 */
export type FoundOpening = {
/**
 * Its code in the Encyclopaedia of Chess Openings, `A00` to `E99`.
 */
eco: string,
/**
 * Its name in English.
 */
name: string,
/**
 * The moves that lead to it, in SAN, with spaces.
 */
moves: string, };

/**
 * The body of `GET /api/openings?name=`: the openings that have these words in their names, or this code.
 */
export type FoundOpenings = {
/**
 * At most 20.
 */
openings: Array<FoundOpening>, };

/**
 * A player in a list.
 */
export type FoundPlayer = {
/**
 * The account.
 */
account: AccountId,
/**
 * The name now.
 */
name: string,
/**
 * Whether the player is a program.
 */
bot?: boolean,
/**
 * Whether a connection of the account is open.
 */
here: boolean, };

/**
 * The body of `GET /api/players?name=`: the players whose names begin so, in the order of their names.
 */
export type FoundPlayers = {
/**
 * At most 8.
 */
players: Array<FoundPlayer>, };

/**
 * A command about a game that has no other field.
 */
export type GameCommand = {
/**
 * The game.
 */
game: GameId,
/**
 * Comes back in `ok` or `rejected`.
 */
id?: CommandId, };

/**
 * How many: a number, or an object that says that there are more games than are counted.
 */
export type GameCount = number | {
/**
 * So many were counted.
 */
at_least: number, };

/**
 * The body of `GET /api/games/count`: how many finished games fit.
 */
export type GameCounts = {
/**
 * All that fit.
 */
games: GameCount,
/**
 * Won by White.
 */
white_wins: GameCount,
/**
 * Won by Black.
 */
black_wins: GameCount,
/**
 * Drawn.
 */
draws: GameCount,
/**
 * Aborted, or with a result of the arbiter's.
 */
others: GameCount,
/**
 * As in a list.
 */
indexing?: boolean, };

/**
 * A game: 12 letters and digits.
 */
export type GameId = string;

/**
 * The rules of a game.
 */
export type GameOptions = {
/**
 * Which rules.
 */
profile: WireProfile,
/**
 * Insufficient losing chances.
 */
ilc: WireIlc,
/**
 * With `fide_board`: how many moves a player must have made before a first draw offer; 0 for
 * no such rule.
 */
no_draw_offer_before_move: number, };

/**
 * A reference to a game.
 */
export type GameRef = {
/**
 * The game.
 */
game: GameId, };

/**
 * `give_time`: gives the opponent time.
 */
export type GiveTime = {
/**
 * The game.
 */
game: GameId,
/**
 * How much, in milliseconds: 1,000 to 60,000.
 */
ms: number,
/**
 * Comes back in `ok` or `rejected`.
 */
id?: CommandId, };

/**
 * `hello`: identifies the connection. With neither field the connection only watches; both
 * together are rejected.
 */
export type Hello = {
/**
 * Creates a new guest account; `welcome` shows its token once.
 */
guest?: boolean,
/**
 * The account's token.
 */
token?: string, };

/**
 * `history`: plies of a game, at most 200.
 */
export type History = {
/**
 * The id of the `history` this answers.
 */
id?: CommandId,
/**
 * The game.
 */
game: GameId,
/**
 * The first ply in it, from 1.
 */
from: number,
/**
 * How many plies were played in all.
 */
ply_count: number,
/**
 * The plies.
 */
plies: Array<PlyView>, };

/**
 * `history`: asks for plies, starting at a given one, at most 200 in a frame.
 */
export type HistoryRequest = {
/**
 * The game.
 */
game: GameId,
/**
 * The first ply wanted, from 1.
 */
from: number,
/**
 * Comes back in `history` or `rejected`.
 */
id?: CommandId, };

/**
 * `ilc_remedied`: the request was declined, and the remedy took effect.
 */
export type IlcRemedied = {
/**
 * The game.
 */
game: GameId,
/**
 * This event's number.
 */
seq: number,
/**
 * The side that had asked.
 */
by: WireColor,
/**
 * What every later move gives.
 */
bonus: ByColor<WireBonus>,
/**
 * White's clock in ms.
 */
white_ms: number | null,
/**
 * Black's.
 */
black_ms: number | null, };

/**
 * `join_pool`: waits in a pool for the next opponent, and leaves any other pool.
 */
export type JoinPool = {
/**
 * The pool.
 */
pool: PoolId,
/**
 * Comes back in `ok` or `rejected`.
 */
id?: CommandId, };

/**
 * The body of `GET /api/games/{id}/evaluations`: what is remembered of the positions of a finished game. No search is made
 * for it.
 */
export type KnownEvaluations = {
/**
 * In the order of the game; empty when nothing is remembered.
 */
evaluations: Array<Evaluation>, };

/**
 * The limits that hold for a connection. A limit that an older server does not send has
 * its standard value.
 */
export type Limits = {
/**
 * A longer message closes the connection with 1009. The longest useful one is a challenge with
 * 16 periods, under 2 KiB.
 */
frame_in_bytes: number,
/**
 * The server sends none longer, so a client may read into a buffer of this size.
 */
frame_out_bytes: number,
/**
 * Plies in a `snapshot` or `history`: what fits in a frame.
 */
plies_per_frame: number,
/**
 * How often the server sends a WebSocket ping: often enough for a round trip per move.
 */
ping_every_ms: number,
/**
 * A connection without a pong for this long is closed with 4002: two pings went unanswered, the
 * first for 5 s. So a player whose line is dead is seen away within that time.
 */
pong_timeout_ms: number,
/**
 * A connection without an identity says `hello` within this time, and `watch` or `enter_lobby`
 * if it only watches, or is closed with 4003.
 */
hello_timeout_ms: number,
/**
 * Unreadable frames within `bad_frames_window_ms` that are answered; the next one closes with
 * 4500.
 */
bad_frames: number,
/**
 * The window in which `bad_frames` are counted: it lets a person try things by hand.
 */
bad_frames_window_ms: number,
/**
 * Frames per second that are read from a connection on average; more wait in the network. A
 * bot in 50 fast games stays under it. A flag sets it.
 */
frames_per_second: number,
/**
 * Frames that are read at once after a quiet time. A flag sets it.
 */
frames_burst: number,
/**
 * Frames beyond the rate that may come at once; more is a flood and closes with 4502. One for
 * each game a bot plays.
 */
frames_over: number,
/**
 * Open connections of one account: browser tabs, a phone and a bot. One more is closed with
 * 4501.
 */
connections_per_account: number,
/**
 * Games a connection may watch beside the account's own: a wall of boards.
 */
watched_games: number,
/**
 * Open challenges of one account.
 */
challenges_per_account: number,
/**
 * How many of them may be seeks, so that nobody fills the lobby alone.
 */
seeks_per_account: number,
/**
 * Open challenges of one account to another, rematches included: one stranger fills nobody's
 * list. One more gets `already_challenged`.
 */
challenges_per_pair: number,
/**
 * Challenges, seeks and rematches that an account makes in a minute, all at once if need be:
 * others are told of each. More get `too_fast`. A flag sets it.
 */
challenges_per_account_per_minute: number,
/**
 * Those of them that go to the same account: enough to agree on terms, and for rematches of the
 * shortest games. More get `too_fast`.
 */
challenges_per_pair_per_minute: number,
/**
 * Live games of one account: each connection gets all their snapshots.
 */
live_games_per_account: number,
/**
 * Games of one account that begin in a minute, all at once if need be: an exhibition on as many
 * boards as one may have. More get `too_many_new_games`. A flag sets it.
 */
games_per_account_per_minute: number,
/**
 * Games that begin in a minute for players at one address, who accept them or get them from a
 * pool: a school of 240 pupils begins a round at once. One with the server's own computer counts
 * for the person alone, who made the challenge. More get `too_many_new_games`. A flag sets it.
 */
games_per_address_per_minute: number,
/**
 * Those of them that begin in a day: a school of 240 pupils plays twenty games each. More get
 * `too_many_new_games`. A flag sets it.
 */
games_per_address_per_day: number,
/**
 * A challenge that is no seek is open this long, whether or not its owner is connected: a day.
 */
challenge_lifetime_ms: number,
/**
 * The same where moves may take days: a week.
 */
challenge_by_days_lifetime_ms: number,
/**
 * A game with clocks can begin this long after the last connection of its challenge's owner
 * closed: time to come back. Accepted later, it begins when its owner is back.
 */
challenge_grace_ms: number,
/**
 * Answers kept for each player of a game, so that its last commands may be sent again.
 */
answers_kept: number,
/**
 * Characters in an `id`: a UUID without hyphens.
 */
command_id_chars: number,
/**
 * Seeks that `lobby` shows: what a person looks through.
 */
lobby_seeks: number,
/**
 * Games that `lobby` shows.
 */
lobby_live_games: number,
/**
 * Characters of a name; the least is 2.
 */
name_chars: number,
/**
 * Names that an account asks for in a minute with `set_name`; more get `too_fast`. Each is
 * written at once, also one that is taken.
 */
names_per_account_per_minute: number,
/**
 * Characters of one line of chat.
 */
chat_chars: number,
/**
 * Combining marks on one letter of a line of chat: Burmese takes five and Tibetan more, and a
 * pile of them covers the lines around it.
 */
chat_marks: number,
/**
 * Chat lines that are sent to a client that joins a room late.
 */
chat_lines_kept: number,
/**
 * Lines that an account may say at once in a game after a quiet time; more get
 * `chat_too_fast`.
 */
chat_burst: number,
/**
 * One line more in each such time.
 */
chat_every_ms: number,
/**
 * The least time `give_time` gives.
 */
give_time_ms_min: number,
/**
 * The most time `give_time` gives at once.
 */
give_time_ms_max: number,
/**
 * Open connections from one address (IPv6: one /64); one more gets HTTP 429. A flag sets it.
 */
connections_per_address: number,
/**
 * New connections from one address in a minute, four times those it may have open; more get
 * HTTP 429. A flag sets it.
 */
new_connections_per_address_per_minute: number,
/**
 * Guests made from one address in a minute; more get `too_many_guests`. A flag sets it.
 */
guests_per_address_per_minute: number,
/**
 * Characters of a password, at the least.
 */
password_chars_min: number,
/**
 * Characters of a password, at the most.
 */
password_chars_max: number,
/**
 * Passwords and recovery codes that are tried or set from one address in a minute: a class signs
 * in at once. More get `too_many_attempts`.
 */
sign_ins_per_address_per_minute: number,
/**
 * Those of them for one name in an hour, from one address, unless it shows a token of that
 * account. More get `too_many_attempts`.
 */
sign_ins_per_name_per_hour: number,
/**
 * Tokens that no account has, from one address in a minute; then no token from there is looked
 * at for a while: `too_many_bad_tokens`. A flag sets it.
 */
bad_tokens_per_address_per_minute: number,
/**
 * Tokens that no account has, on one connection; one more closes it with 4504.
 */
bad_tokens_per_connection: number,
/**
 * What HTTP requests may cost in a minute, for each address, and for each account whose token
 * comes with the request; more get HTTP 429. A flag sets it.
 */
http_cost_per_minute: number,
/**
 * Requests on one HTTP connection; the last answer says `Connection: close`.
 */
http_requests_per_connection: number,
/**
 * The least `retry_ms` of a close after which the client should reconnect.
 */
retry_ms_min: number,
/**
 * The most: it spreads the reconnects of a full server.
 */
retry_ms_max: number, };

/**
 * A game in progress, as a small board shows it.
 */
export type LiveGame = {
/**
 * The game.
 */
game: GameId,
/**
 * The players.
 */
players: ByColor<PlayerView>,
/**
 * Standard or Chess960.
 */
variant: WireVariant,
/**
 * The clocks' rules.
 */
time_control: TimeControl,
/**
 * Whether it counts for ratings.
 */
rated?: boolean,
/**
 * The position on the board, in FEN.
 */
fen: string,
/**
 * The last move, if one was played.
 */
last?: Uci,
/**
 * How many plies were played.
 */
ply_count: number,
/**
 * How many connections watch it.
 */
watchers: number,
/**
 * White's clock when the message was written, in ms, rounded up; absent without a clock.
 */
white_ms?: number,
/**
 * Black's.
 */
black_ms?: number,
/**
 * Whose clock runs, if one does.
 */
running?: WireColor, };

/**
 * The games in progress that the lobby shows.
 */
export type LiveGames = {
/**
 * How many games are in progress in all.
 */
total: number,
/**
 * The game to show large; it stays the same until it ends. Absent when no game is in progress.
 */
featured?: GameId,
/**
 * At most 12, the featured one among them: most watched first, then newest.
 */
games: Array<LiveGame>, };

/**
 * `lobby`: the lobby as it stands, the answer to `enter_lobby`. Comes again when a client has
 * missed news.
 */
export type Lobby = {
/**
 * The id of the `enter_lobby` this answers.
 */
id?: CommandId,
/**
 * The newest open seeks, at most 50, oldest first.
 */
seeks: Array<Challenge>,
/**
 * All pools.
 */
pools: Array<PoolView>,
/**
 * How many people are here: accounts with a connection, without bots.
 */
here: number,
/**
 * Games in progress.
 */
live: LiveGames, };

/**
 * A command about the lobby that has no other field.
 */
export type LobbyCommand = {
/**
 * Comes back in the answer.
 */
id?: CommandId, };

/**
 * `lobby_news`: what changed in the lobby, at most twice a second.
 */
export type LobbyNews = {
/**
 * New seeks.
 */
seeks?: Array<Challenge>,
/**
 * Seeks that are gone. Some of them may be unknown to the client.
 */
gone?: Array<ChallengeId>,
/**
 * Pools in which the number of waiting accounts has changed.
 */
pools?: Array<PoolView>,
/**
 * How many people are here, if that has changed.
 */
here?: number,
/**
 * The games in progress, if something changed in them.
 */
live?: LiveGames, };

/**
 * `move`: a move was played.
 */
export type MoveEvent = {
/**
 * The game.
 */
game: GameId,
/**
 * This event's number, and the `on` of the next move.
 */
seq: number,
/**
 * 1 for the game's first half-move.
 */
ply: number,
/**
 * The move in UCI.
 */
uci: Uci,
/**
 * The move in SAN.
 */
san: San,
/**
 * The position after it.
 */
fen: string,
/**
 * The check it gives, if it does.
 */
check?: Check,
/**
 * White's clock after the move, in ms, rounded up; null without a clock.
 */
white_ms: number | null,
/**
 * Black's.
 */
black_ms: number | null,
/**
 * What the move took, in ms, rounded down; null without a clock.
 */
took: number | null,
/**
 * How much of it was forgiven for the network, in ms, rounded down; null without a clock.
 */
credit: number | null, };

/**
 * `name`: the name of the account of this connection now.
 */
export type Name = {
/**
 * The name.
 */
name: string, };

/**
 * A move in both notations.
 */
export type NamedMove = {
/**
 * In UCI.
 */
uci: Uci,
/**
 * In SAN.
 */
san: San, };

/**
 * An open draw offer.
 */
export type OfferView = {
/**
 * The side that offers.
 */
by: WireColor,
/**
 * The offer's seq. An answer names it as `offer`.
 */
seq: number,
/**
 * Whether it came with `ask_ilc`. Declining it, by `decline_draw` or with a move, then brings
 * the remedy.
 */
ilc?: boolean, };

/**
 * `ok`: your command took effect and is durable.
 */
export type OkAnswer = {
/**
 * The command's id; null if it had none.
 */
id: CommandId | null,
/**
 * The game, for a command about one.
 */
game?: GameId,
/**
 * The seq of the first event the command led to.
 */
seq?: number, };

/**
 * An opening.
 */
export type Opening = {
/**
 * Its code in the Encyclopaedia of Chess Openings, `A00` to `E99`.
 */
eco: string,
/**
 * Its name in English.
 */
name: string,
/**
 * After how many plies its position stood.
 */
ply: number, };

/**
 * What is known of a game that was played elsewhere and imported, as its PGN had it. What is not known is absent.
 */
export type Origin = {
/**
 * The event.
 */
event?: string,
/**
 * Where it was played.
 */
site?: string,
/**
 * The day, as `1972.07.11`, with `?` for digits that are not known.
 */
date?: string,
/**
 * The round.
 */
round?: string, };

/**
 * How a game ended.
 */
export type OutcomeView = {
/**
 * The score.
 */
score: WireScore,
/**
 * Why.
 */
reason: WireReason,
/**
 * What proves that a side can or cannot checkmate, where the outcome rests on that.
 */
proof?: WireProof,
/**
 * How the game was played out, if an admin has corrected the result since; never in `ended`.
 */
played_out?: PlayedOut, };

/**
 * What a rated game, or a correction of its result, has done to a player's rating.
 */
export type PastRating = {
/**
 * Why it has changed.
 */
cause: RatingCause,
/**
 * The game.
 */
game: GameId,
/**
 * The player's side in it.
 */
color: WireColor,
/**
 * The other player.
 */
opponent: AccountId,
/**
 * The other player's rating before the game.
 */
opponent_rating: number,
/**
 * What the player got: 0 for a loss, 1 for half a point, 2 for a win; absent when the game counts no longer.
 */
half_points?: number,
/**
 * The rating before the change, in whole points.
 */
before: number,
/**
 * The rating after it.
 */
after: number,
/**
 * Whether too little was known of the player then to rely on it.
 */
provisional?: boolean,
/**
 * When the game ended or was corrected, in seconds of Unix time.
 */
at: number, };

/**
 * One period of a clock, with at most one of the three ways in which a move gives time.
 */
export type Period = {
/**
 * How many moves the player must make in this period, 1 to 200. Absent, in the last period
 * only: the rest of the game.
 */
moves?: number,
/**
 * Added when the period begins, in ms: up to 24 h.
 */
base_ms: number,
/**
 * Added after each move, in ms: up to 1 h.
 */
increment_ms?: number,
/**
 * The clock waits this long before it counts, in ms: up to 1 h.
 */
delay_ms?: number,
/**
 * What the move took is given back up to this much, in ms: up to 1 h.
 */
bronstein_ms?: number, };

/**
 * The phase of a game.
 */
export type Phase = "playing" | "deciding" | "ended";

/**
 * `ping`: asks for a `pong`, for clients that cannot see WebSocket pings.
 */
export type Ping = {
/**
 * Comes back in `pong`.
 */
n: number, };

/**
 * `move`: plays a move.
 */
export type PlayMove = {
/**
 * The game.
 */
game: GameId,
/**
 * The seq that made the position on the board, from `turn`.
 */
on: number,
/**
 * The move in UCI, such as `e2e4` or `e7e8q`.
 */
uci: Uci,
/**
 * Comes back in `ok` or `rejected`.
 */
id?: CommandId, };

/**
 * A finished game in a list.
 */
export type PlayedGame = {
/**
 * The game.
 */
game: GameId,
/**
 * The players, by the names that they had when the game began.
 */
players: ByColor<PlayerView>,
/**
 * Standard or Chess960.
 */
variant: WireVariant,
/**
 * The clocks' rules.
 */
time_control: TimeControl,
/**
 * The score.
 */
score: WireScore,
/**
 * Why.
 */
reason: WireReason,
/**
 * How it was played out, if an admin has corrected the result since.
 */
played_out?: PlayedOut,
/**
 * How many plies stood at the end.
 */
ply_count: number,
/**
 * The position on the board at the end, in FEN.
 */
fen: string,
/**
 * The last move, if one was played.
 */
last?: Uci,
/**
 * When it began, in seconds of Unix time.
 */
began: number,
/**
 * When it ended.
 */
ended: number,
/**
 * Whether it counts for ratings.
 */
rated?: boolean,
/**
 * What it did to both ratings, with its corrections, if it changed any.
 */
ratings?: ByColor<RatingStep>,
/**
 * The opening of its last position that has a name.
 */
opening?: Opening,
/**
 * Whether it was played elsewhere and imported.
 */
imported?: boolean,
/**
 * What is known of it if it was imported.
 */
origin?: Origin, };

/**
 * The body of `GET /api/games` and of `GET /api/players/{account or name}/games`: finished games, the last one first.
 */
export type PlayedGames = {
/**
 * At most 50.
 */
games: Array<PlayedGame>,
/**
 * The `?before=` of the next request; absent after the first game ever played.
 */
next?: string,
/**
 * Whether games are missing because the server still makes the index of an older version's games.
 */
indexing?: boolean, };

/**
 * A move that was played in a position.
 */
export type PlayedMove = {
/**
 * The games that had the position after it, also those in which it came about by other moves.
 */
games: GameCounts,
/**
 * In UCI.
 */
uci: Uci,
/**
 * In SAN.
 */
san: San, };

/**
 * The body of `GET /api/games/moves`: what was played in a position, by finished games.
 */
export type PlayedMoves = {
/**
 * The games that had the position.
 */
games: GameCounts,
/**
 * The legal moves after which a game went on, the most frequent first.
 */
moves: Array<PlayedMove>, };

/**
 * How a game was played out whose result was corrected.
 */
export type PlayedOut = {
/**
 * The score then.
 */
score: WireScore,
/**
 * Why.
 */
reason: WireReason,
/**
 * When it was corrected, in seconds of Unix time.
 */
corrected: number, };

/**
 * The body of `GET /api/players/{account or name}`.
 */
export type Player = {
/**
 * The account.
 */
account: AccountId,
/**
 * The name now.
 */
name: string,
/**
 * Whether the player is a program.
 */
bot?: boolean,
/**
 * When the account was made, in seconds since 1970; absent of one that nobody has registered.
 */
made?: number,
/**
 * Whether a connection of the account is open.
 */
here: boolean,
/**
 * Games in progress.
 */
live: Array<GameId>,
/**
 * The ratings in the categories in which the account has rated games.
 */
ratings?: Array<CategoryRating>, };

/**
 * A player as others see one.
 */
export type PlayerView = {
/**
 * The account.
 */
account: AccountId,
/**
 * The name to show.
 */
name: string,
/**
 * The rating in the category of the game or the challenge, in whole points; absent without one.
 */
rating?: number,
/**
 * Whether too little is known of the player to rely on the rating.
 */
provisional?: boolean,
/**
 * Whether the player is a program.
 */
bot?: boolean, };

/**
 * A half-move that was played and still stands.
 */
export type PlyView = {
/**
 * 1 for the game's first.
 */
ply: number,
/**
 * The move in UCI.
 */
uci: Uci,
/**
 * The move in SAN.
 */
san: San,
/**
 * White's clock after the move, in ms, rounded up; null without a clock.
 */
white_ms: number | null,
/**
 * Black's.
 */
black_ms: number | null,
/**
 * What the move took, in ms, rounded down; null without a clock.
 */
took: number | null,
/**
 * How much of it was forgiven for the network, in ms, rounded down; null without a clock.
 */
credit: number | null, };

/**
 * `pong`: answers `ping`.
 */
export type Pong = {
/**
 * The `n` of the `ping`.
 */
n: number,
/**
 * When the server wrote this, in seconds of Unix time.
 */
at: number,
/**
 * The milliseconds that had passed in that second, 0 to 999.
 */
ms: number, };

/**
 * A quick pairing pool: its minutes and its seconds a move. Standard chess by
 * `fide_online`.
 */
export type PoolId = "1+0" | "2+1" | "3+0" | "3+2" | "5+0" | "5+3" | "10+0" | "10+5" | "15+10" | "30+0" | "30+20";

/**
 * How many accounts wait in a pool.
 */
export type PoolView = {
/**
 * The pool.
 */
pool: PoolId,
/**
 * Accounts that wait in it.
 */
waiting: number, };

/**
 * The body of `POST /api/analysis/position`: what the rules say of a position.
 */
export type PositionAnalysis = {
/**
 * The position after the moves, in FEN.
 */
fen: string,
/**
 * The moves that led to it.
 */
moves: Array<NamedMove>,
/**
 * The legal moves.
 */
legal: Array<Uci>,
/**
 * The check that stands on the board.
 */
check?: Check,
/**
 * The end that a game has come to here by the Laws alone: by checkmate or stalemate, in a dead position, by the fifth
 * repetition or after 75 moves.
 */
outcome?: OutcomeView,
/**
 * For what a draw could be claimed: `threefold_repetition`, `fifty_moves`.
 */
claims?: Array<WireReason>,
/**
 * Whether each side can still checkmate.
 */
can_mate: ByColor<CanMate>,
/**
 * The opening of the last position that has a name.
 */
opening?: Opening, };

/**
 * `presence`: a player of your game came or went.
 */
export type Presence = {
/**
 * The game.
 */
game: GameId,
/**
 * The side of the player.
 */
color: WireColor,
/**
 * Whether any connection of that player is open.
 */
here: boolean,
/**
 * After how many ms the absence can be claimed; present when it can.
 */
claim_in_ms?: number, };

/**
 * `rated`: what a rated game has done to the ratings of its players. It follows `ended`.
 */
export type Rated = {
/**
 * The game.
 */
game: GameId,
/**
 * White's rating.
 */
white: RatingStep,
/**
 * Black's.
 */
black: RatingStep, };

/**
 * Why a rating has changed.
 */
export type RatingCause = "game" | "correction";

/**
 * The body of `GET /api/players/{account or name}/ratings/{category}`: what rated games and corrections of their results
 * have done, the last one first.
 */
export type RatingHistory = {
/**
 * At most 50.
 */
changes: Array<PastRating>,
/**
 * The `?before=` of the next request; absent after the first change.
 */
next?: string, };

/**
 * What a game has done to a rating, in whole points.
 */
export type RatingStep = {
/**
 * The rating before the game.
 */
before: number,
/**
 * The rating after it.
 */
after: number,
/**
 * Whether too little is known of the player to rely on it.
 */
provisional?: boolean, };

/**
 * `rejected`: your command or frame was rejected, and changed nothing.
 */
export type Rejected = {
/**
 * The command's id; null if it had none or could not be read.
 */
id: CommandId | null,
/**
 * The game, for a command about one.
 */
game?: GameId,
/**
 * The reason; a code never changes its meaning.
 */
code: Code,
/**
 * The reason in English, for people.
 */
message: string, };

/**
 * `said`: a chat message in a room of a game.
 */
export type Said = {
/**
 * The game.
 */
game: GameId,
/**
 * The room.
 */
room: ChatRoom,
/**
 * The line's number in its room: 1, 2, 3 and so on. The first one that a client gets may be a
 * later one.
 */
n: number,
/**
 * The author.
 */
by: PlayerView,
/**
 * The text.
 */
text: string,
/**
 * When, in seconds of Unix time.
 */
at: number, };

/**
 * A move in SAN: `Nf3`, `exd8=Q+`, `O-O-O#`.
 */
export type San = string;

/**
 * `say`: posts a chat message in a room of a game.
 */
export type Say = {
/**
 * The game.
 */
game: GameId,
/**
 * The room that it is for.
 */
room: ChatRoom,
/**
 * One line of at most 200 characters, none of them a control character.
 */
text: string,
/**
 * Comes back in `ok` or `rejected`.
 */
id?: CommandId, };

/**
 * A message from the server.
 */
export type ServerMessage = { "t": "welcome", "d": Welcome } | { "t": "snapshot", "d": Snapshot } | { "t": "history", "d": History } | { "t": "started", "d": Started } | { "t": "move", "d": MoveEvent } | { "t": "draw_offered", "d": ByEvent } | { "t": "draw_declined", "d": ByEvent } | { "t": "draw_claimed", "d": DrawClaimed } | { "t": "absence_claimed", "d": AbsenceClaimed } | { "t": "takeback_offered", "d": TakebackOffered } | { "t": "takeback_declined", "d": ByEvent } | { "t": "taken_back", "d": TakenBack } | { "t": "time_adjusted", "d": TimeAdjusted } | { "t": "ilc_asked", "d": ByEvent } | { "t": "ilc_remedied", "d": IlcRemedied } | { "t": "flag_fell", "d": StoppedBy } | { "t": "resigned", "d": StoppedBy } | { "t": "ended", "d": Ended } | { "t": "rated", "d": Rated } | { "t": "turn", "d": Turn } | { "t": "ok", "d": OkAnswer } | { "t": "rejected", "d": Rejected } | { "t": "clock", "d": Clock } | { "t": "presence", "d": Presence } | { "t": "watchers", "d": Watchers } | { "t": "challenge", "d": Challenge } | { "t": "challenge_gone", "d": ChallengeGone } | { "t": "name", "d": Name } | { "t": "lobby", "d": Lobby } | { "t": "lobby_news", "d": LobbyNews } | { "t": "waiting", "d": Waiting } | { "t": "said", "d": Said } | { "t": "pong", "d": Pong };

/**
 * `set_name`: chooses a name.
 */
export type SetName = {
/**
 * 2 to 20 ASCII letters, digits, `-` and `_`, beginning with a letter. Upper and lower case
 * count as equal when names are compared.
 */
name: string,
/**
 * Comes back in `ok` or `rejected`.
 */
id?: CommandId, };

/**
 * `snapshot`: a game as it stands, with at most its last 200 plies.
 */
export type Snapshot = {
/**
 * The game.
 */
game: GameId,
/**
 * The seq of the last event in it.
 */
seq: number,
/**
 * The seq that made the position on the board.
 */
on: number,
/**
 * Standard or Chess960.
 */
variant: WireVariant,
/**
 * The position the game started from, in FEN.
 */
start_fen: string,
/**
 * The position on the board, in FEN.
 */
fen: string,
/**
 * The players.
 */
players: ByColor<PlayerView>,
/**
 * The clocks' rules.
 */
time_control: TimeControl,
/**
 * The game's rules.
 */
options: GameOptions,
/**
 * How many plies were played in all.
 */
ply_count: number,
/**
 * The last plies, at most 200, oldest first.
 */
plies: Array<PlyView>,
/**
 * What is open: offers, check, the outcome.
 */
state: StateView,
/**
 * White's clock at the start of the turn, in ms, rounded up; null without a clock.
 */
white_ms: number | null,
/**
 * Black's.
 */
black_ms: number | null,
/**
 * When the game began, in seconds of Unix time.
 */
began: number,
/**
 * Whether it counts for ratings.
 */
rated?: boolean,
/**
 * Whether it was played elsewhere and imported.
 */
imported?: boolean,
/**
 * What is known of it if it was imported.
 */
origin?: Origin,
/**
 * What it has done to the ratings of its players, with its corrections; present when it is over and has changed them.
 */
ratings?: ByColor<RatingStep>,
/**
 * The opening of its last position that has a name; only over HTTP.
 */
opening?: Opening, };

/**
 * `started`: the game began.
 */
export type Started = {
/**
 * The game.
 */
game: GameId,
/**
 * Always 1.
 */
seq: number,
/**
 * Standard or Chess960.
 */
variant: WireVariant,
/**
 * The first position, in FEN.
 */
fen: string,
/**
 * The players.
 */
players: ByColor<PlayerView>,
/**
 * The clocks' rules.
 */
time_control: TimeControl,
/**
 * The game's rules.
 */
options: GameOptions,
/**
 * White's clock in ms; null without one.
 */
white_ms: number | null,
/**
 * Black's.
 */
black_ms: number | null,
/**
 * When the game began, in seconds of Unix time.
 */
began: number,
/**
 * Whether it counts for ratings.
 */
rated?: boolean,
/**
 * Whether it was played elsewhere and imported.
 */
imported?: boolean, };

/**
 * What is open on the board.
 */
export type StateView = {
/**
 * The phase of the game.
 */
phase: Phase,
/**
 * The check that stands on the board.
 */
check?: Check,
/**
 * The open draw offer.
 */
draw_offer?: OfferView,
/**
 * How many plies stood on the board when each side last offered a draw, if one has.
 */
draw_offered_at?: ByColor<number | null>,
/**
 * The open takeback offer.
 */
takeback_offer?: TakebackOfferView,
/**
 * What each move gives since a remedy for insufficient losing chances, in place of the time
 * control.
 */
remedy?: ByColor<WireBonus>,
/**
 * How the game ended, if it has.
 */
outcome?: OutcomeView, };

/**
 * `flag_fell` or `resigned`: the clocks have stopped, and `ended` follows with the verdict.
 */
export type StoppedBy = {
/**
 * The game.
 */
game: GameId,
/**
 * This event's number.
 */
seq: number,
/**
 * Whose flag, or who resigned.
 */
by: WireColor,
/**
 * White's clock in ms.
 */
white_ms: number | null,
/**
 * Black's.
 */
black_ms: number | null, };

/**
 * An open takeback offer.
 */
export type TakebackOfferView = {
/**
 * The side that asks.
 */
by: WireColor,
/**
 * The offer's seq. An answer names it as `offer`.
 */
seq: number,
/**
 * How many plies it would take back: 1 or 2.
 */
plies: number, };

/**
 * `takeback_offered`: a takeback was asked for.
 */
export type TakebackOffered = {
/**
 * The game.
 */
game: GameId,
/**
 * This event's number.
 */
seq: number,
/**
 * The side that asked.
 */
by: WireColor,
/**
 * How many plies it would take back.
 */
plies: number, };

/**
 * `taken_back`: moves were taken back.
 */
export type TakenBack = {
/**
 * The game.
 */
game: GameId,
/**
 * This event's number, and the `on` of the next move.
 */
seq: number,
/**
 * How many plies were taken back.
 */
plies: number,
/**
 * The ply the game stands at now; 0 at its start.
 */
ply: number,
/**
 * The position now.
 */
fen: string,
/**
 * White's clock in ms.
 */
white_ms: number | null,
/**
 * Black's.
 */
black_ms: number | null, };

/**
 * `time_adjusted`: clocks were changed by an act.
 */
export type TimeAdjusted = {
/**
 * The game.
 */
game: GameId,
/**
 * This event's number.
 */
seq: number,
/**
 * Why.
 */
cause: AdjustmentCause,
/**
 * White's clock as of the start of the turn, in ms; a `clock` follows.
 */
white_ms: number | null,
/**
 * Black's.
 */
black_ms: number | null, };

/**
 * How much time a game gives.
 */
export type TimeControl = { "kind": "clock",
/**
 * The periods, first to last: 1 to 8. White's, when `black_periods` is there.
 */
periods: Array<Period>,
/**
 * Black's periods, when the clocks are unequal.
 */
black_periods?: Array<Period>, } | { "kind": "days",
/**
 * 1 to 30.
 */
days: number, } | { "kind": "unlimited" };

/**
 * `turn`: your move. A bot need handle no other message.
 */
export type Turn = {
/**
 * The game.
 */
game: GameId,
/**
 * What to send back as `on`.
 */
on: number,
/**
 * The position on the board.
 */
fen: string,
/**
 * Every legal move in UCI.
 */
legal: Array<Uci>,
/**
 * White's clock in ms.
 */
white_ms: number | null,
/**
 * Black's.
 */
black_ms: number | null, };

/**
 * A move in UCI: `e2e4`, `e7e8q`; castling in Chess960 is the king's square, then its rook's.
 */
export type Uci = string;

/**
 * `waiting`: the pool in which the account waits.
 */
export type Waiting = {
/**
 * The pool; null if the account waits in none.
 */
pool: PoolId | null,
/**
 * The game that began, if the account was paired.
 */
game?: GameId, };

/**
 * `watch`: asks for a game's events from now on, or after a seq.
 */
export type Watch = {
/**
 * The game.
 */
game: GameId,
/**
 * The last seq the client has: exactly the events after it follow. Absent: a snapshot and what
 * follows it.
 */
after?: number,
/**
 * Comes back in the `clock` that ends the answer, or in `rejected`.
 */
id?: CommandId, };

/**
 * `watchers`: how many connections watch a game.
 */
export type Watchers = {
/**
 * The game.
 */
game: GameId,
/**
 * How many connections watch, players not counted.
 */
count: number, };

/**
 * `welcome`: answers `hello`, or comes unasked when the upgrade carried an identity.
 */
export type Welcome = {
/**
 * The account of this connection; null for one that only watches.
 */
account: AccountId | null,
/**
 * The account's name; absent for one that only watches.
 */
name?: string,
/**
 * The new guest's token: shown this once.
 */
token?: string,
/**
 * Changes at each start of the server.
 */
boot: BootId,
/**
 * Changes when the server's data were restored from a copy: what a client remembers may no
 * longer be true.
 */
epoch: EpochId,
/**
 * The limits that hold for this connection.
 */
limits: Limits, };

/**
 * A line of many finished games as NDJSON.
 */
export type WholeGame = {
/**
 * The first position as FEN, unless it is the usual one.
 */
start?: string,
/**
 * The moves in UCI, with spaces between them.
 */
moves: string,
/**
 * What the mover's clock showed after each move, in milliseconds; empty without clocks.
 */
clocks_ms: Array<number>,
/**
 * The game.
 */
game: GameId,
/**
 * The players, by the names that they had when the game began.
 */
players: ByColor<PlayerView>,
/**
 * Standard or Chess960.
 */
variant: WireVariant,
/**
 * The clocks' rules.
 */
time_control: TimeControl,
/**
 * The score.
 */
score: WireScore,
/**
 * Why.
 */
reason: WireReason,
/**
 * How it was played out, if an admin has corrected the result since.
 */
played_out?: PlayedOut,
/**
 * How many plies stood at the end.
 */
ply_count: number,
/**
 * The position on the board at the end, in FEN.
 */
fen: string,
/**
 * The last move, if one was played.
 */
last?: Uci,
/**
 * When it began, in seconds of Unix time.
 */
began: number,
/**
 * When it ended.
 */
ended: number,
/**
 * Whether it counts for ratings.
 */
rated?: boolean,
/**
 * What it did to both ratings, with its corrections, if it changed any.
 */
ratings?: ByColor<RatingStep>,
/**
 * The opening of its last position that has a name.
 */
opening?: Opening,
/**
 * Whether it was played elsewhere and imported.
 */
imported?: boolean,
/**
 * What is known of it if it was imported.
 */
origin?: Origin, };

/**
 * What each move gives: at most one of the three, or nothing.
 */
export type WireBonus = {
/**
 * Added after each move, in ms.
 */
increment_ms?: number,
/**
 * The clock waits this long before it counts, in ms.
 */
delay_ms?: number,
/**
 * What the move took is given back up to this much, in ms.
 */
bronstein_ms?: number, };

/**
 * A kind of games that share a rating: Chess960 at any speed, else the speed.
 */
export type WireCategory = "bullet" | "blitz" | "rapid" | "classical" | "correspondence" | "chess960";

/**
 * A side.
 */
export type WireColor = "white" | "black";

/**
 * How insufficient losing chances are handled.
 */
export type WireIlc = "off" | "fide_iii4" | "us14h";

/**
 * A profile's name.
 */
export type WireProfile = "fide_online" | "fide_board" | "us_chess" | "casual";

/**
 * What proves that a side can or cannot checkmate.
 */
export type WireProof = "material" | "static" | { "exhaustive": {
/**
 * How many.
 */
positions: number, } } | { "helpmate": Array<Uci> };

/**
 * Why a game ended, with the article of the Laws.
 */
export type WireReason = "checkmate" | "resignation" | "stalemate" | "dead_position" | "agreement" | "flag_fall" | "threefold_repetition" | "fifty_moves" | "fivefold_repetition" | "seventy_five_moves" | "abandonment" | "aborted" | "first_move_limit" | "both_away" | "arbiter";

/**
 * The score of a finished game.
 */
export type WireScore = "1-0" | "0-1" | "1/2-1/2" | "0-0" | "1/2-0" | "0-1/2" | "*";

/**
 * A square by its name, `a1` to `h8`.
 */
export type WireSquare = string;

/**
 * Standard chess or Chess960.
 */
export type WireVariant = "standard" | "chess960";
