//! Reading PGN, by the sentences of docs/laws.md.

use zeitnot_rules::board::{ByColor, Color, Position};
use zeitnot_rules::game::{Bonus, Micros, Period, TimeControl, Variant};
use zeitnot_rules::notation::pgn::{
    self, ImportedGame, PgnError, PgnProblem, PgnResult, UnreadableTimeControl,
};
use zeitnot_rules::notation::san::SanError;
use zeitnot_rules::notation::{fen, san};
use zeitnot_rules::verdict::{Outcome, Proof, Reason, Score};

fn read_all(text: &str) -> Vec<Result<ImportedGame, PgnError>> {
    pgn::games(text).collect()
}

#[track_caller]
fn read_one(text: &str) -> ImportedGame {
    match read_all(text).as_slice() {
        [Ok(game)] => game.clone(),
        other => panic!("expected one game: {other:?}"),
    }
}

/// The moves of the game as SAN.
fn moves(game: &ImportedGame) -> String {
    let mut position = game.start.clone();
    let mut texts = Vec::new();
    for &mv in &game.moves {
        texts.push(san::write(mv, &position).to_string());
        position.play(mv).expect("read moves are legal");
    }
    texts.join(" ")
}

/// `text` is one game with those moves.
#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(moves(&read_one(text)), expected);
}

/// The one game of `text` is rejected, with that line and message.
#[track_caller]
fn check_rejected(text: &str, message: &str) {
    match read_all(text).as_slice() {
        [Err(error)] => assert_eq!(error.to_string(), message),
        other => panic!("expected one error: {other:?}"),
    }
}

#[test]
fn tags_moves_and_result() {
    let game = read_one("[Event \"Club\"]\n[White \"A\"]\n[Round \"3\"]\n\n1. e4 e5 2. Nf3 1-0\n");
    let tags = [("Event", "Club"), ("White", "A"), ("Round", "3")];
    assert_eq!(game.tags, tags.map(|(name, value)| (name.to_owned(), value.to_owned())));
    assert_eq!((game.tag("White"), game.tag("Black")), (Some("A"), None));
    assert_eq!((game.line, game.variant, &game.start), (1, Variant::Standard, &Position::standard()));
    assert_eq!(moves(&game), "e4 e5 Nf3");
    assert_eq!(game.result, PgnResult::WhiteWins);
}

#[test]
fn an_empty_text_has_no_games() {
    for text in ["", " \r\n\t", "\u{feff}", "; nothing\n% nothing\n{nothing}\n"] {
        assert_eq!(read_all(text), [], "{text:?}");
    }
}

#[test]
fn results() {
    for (token, result) in [
        ("1-0", PgnResult::WhiteWins),
        ("0-1", PgnResult::BlackWins),
        ("1/2-1/2", PgnResult::Draw),
        ("½-½", PgnResult::Draw),
        ("*", PgnResult::Unknown),
    ] {
        assert_eq!(read_one(&format!("1. e4 {token}")).result, result);
        // Without a token the tag says it.
        assert_eq!(read_one(&format!("[Result \"{token}\"]\n1. e4")).result, result);
        // The token comes first.
        assert_eq!(read_one(&format!("[Result \"1-0\"]\n1. e4 {token}")).result, result);
    }
    assert_eq!(read_one("[Result \"?\"] 1. e4").result, PgnResult::Unknown);
}

#[test]
fn numeric_annotation_glyphs() {
    check("1. e4 $1 e5 $19$146 2. Nf3$2 Nc6 $ 3. Bb5 *", "e4 e5 Nf3 Nc6 Bb5");
}

#[test]
fn comments() {
    check("{before} 1. {a (b) [c] 1-0 ; d} e4 {e\nf}e5{g}2. Nf3 {h} * ", "e4 e5 Nf3");
    check("[Event \"a\"] {between tags} [Site \"b\"]\n\n1. e4 *", "e4");
}

#[test]
fn semicolon_lines() {
    check("1. e4 ; the rest } ) of 1-0\n e5 ;\n2. Nf3;end", "e4 e5 Nf3");
}

#[test]
fn percent_lines() {
    check("% escape [Event \"x\"]\n1. e4 e5\n%2. Bad ( {\n2. Nf3 *", "e4 e5 Nf3");
    check("\u{feff}%first line\n1. e4 *", "e4");
    check_rejected(
        "1. e4 %e5 *",
        "line 1: \"%e5\" as half-move 2: not a move in standard algebraic notation",
    );
}

#[test]
fn variations_are_skipped_also_nested() {
    check(
        "1. e4 (1. d4 d5 (1... Nf6 $1 {(} 2. c4 ; )\n) 2. c4) e5 (1... junk 1-0 0000) 2. Nf3 *",
        "e4 e5 Nf3",
    );
    let deep = format!("1. e4 {}{} e5 *", "( a ".repeat(200_000), ")".repeat(200_000));
    check(&deep, "e4 e5");
}

#[test]
fn crlf_bom_and_old_line_ends() {
    let text = "[Event \"a\"]\n\n1. e4 ; x\ne5\n2. Nf3 *\n";
    check(&format!("\u{feff}{}", text.replace('\n', "\r\n")), "e4 e5 Nf3");
    check(&text.replace('\n', "\r"), "e4 e5 Nf3");
    check(&text.replace('\n', "\n\u{feff}"), "e4 e5 Nf3");
}

#[test]
fn escaped_quotes() {
    let game = read_one(r#"[ Event  "The \"Big\" \\ one \n" ] [Site"x"]  1. e4 *"#);
    assert_eq!(game.tag("Event"), Some(r#"The "Big" \ one \n"#));
    assert_eq!(game.tag("Site"), Some("x"));
}

#[test]
fn move_numbers_do_not_matter() {
    for text in [
        "1.e4 e5 2.Nf3",
        "e4 e5 Nf3",
        "1 e4 e5 2 Nf3",
        "1. e4 1... e5 2. Nf3",
        "1... e4 1.e5 7.Nf3",
        "1. e4 1. … e5 2.Nf3",
    ] {
        check(&format!("{text} *"), "e4 e5 Nf3");
    }
}

#[test]
fn marks_beside_moves() {
    check("1. e4! e5 !? 2. Nf3 ? Nc6 + 3. Bb5 *", "e4 e5 Nf3 Nc6 Bb5");
    check("1. e4 Nf6 2. e5 d5 3. exd6 e.p. *", "e4 Nf6 e5 d5 exd6");
    check("1. e4 f6 2. d4 g5 3. Qh5++ 1-0", "e4 f6 d4 g5 Qh5#");
    check("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. 0-0 *", "e4 e5 Nf3 Nc6 Bb5 a6 O-O");
}

#[test]
fn a_move_that_cannot_be_read_names_its_line() {
    check_rejected(
        "\n\n1. e4\ne5 2. Nf9 *",
        "line 4: \"Nf9\" as half-move 3: not a move in standard algebraic notation",
    );
    check_rejected("1. e4\r\n{\r\n}\r\n1... e4 *", "line 4: \"e4\" as half-move 2: no legal move fits");
    check_rejected("1. e4\r\r1... e4 *", "line 3: \"e4\" as half-move 2: no legal move fits");
    let long = "x".repeat(100_000);
    let message =
        "line 1: \"xxxxxxxxxxxxxxxxxxxxxxxx\" as half-move 1: not a move in standard algebraic notation";
    check_rejected(&long, message);
}

#[test]
fn ambiguous_and_null_moves_are_rejected() {
    let error = |reason| PgnProblem::Move { ply: 1, text: "Rd1".to_owned(), reason };
    let text = "[FEN \"4k3/8/8/8/8/8/4K3/R6R w - - 0 1\"] 1. Rd1 *";
    assert_eq!(read_all(text), [Err(PgnError { line: 1, problem: error(SanError::Ambiguous) })]);
    for null in ["--", "Z0", "0000", "1.0000"] {
        let text = null.trim_start_matches("1.");
        check_rejected(
            &format!("1. e4 {null} *"),
            &format!("line 1: {text:?} as half-move 2: a null move is not a move"),
        );
    }
}

#[test]
fn brackets_without_their_partner_name_their_line() {
    check_rejected("1. e4\n{ e5 *", "line 2: the comment that begins here is not closed");
    check_rejected("1. e4\n( e5\n(d5) *", "line 2: the variation that begins here is not closed");
    check_rejected("1. e4 (1. d4\n{ e5) *", "line 2: the comment that begins here is not closed");
    for letter in [')', ']', '}', '"'] {
        check_rejected(&format!("1. e4\n{letter} e5 *"), &format!("line 2: unexpected {letter:?}"));
    }
    check_rejected("1. e4 [%clk 1] e5 *", "line 1: unexpected '['");
}

#[test]
fn a_tag_that_cannot_be_read_names_its_line() {
    for tag in [
        "[Event]",
        "[Event \"x]",
        "[Event \"x\"",
        "[\"x\"]",
        "[]",
        "[Event x]",
        "[Evént \"x\"]",
        "[Event \"a\" \"b\"]",
        "[",
    ] {
        check_rejected(
            &format!("[Site \"a\"]\n{tag}\n[Round \"1\"]\n\n1. e4 e5 *\n"),
            "line 2: expected a tag such as [White \"name\"] on one line",
        );
    }
}

#[test]
fn start_positions() {
    let text = "4k3/8/8/8/8/8/4K3/7R b - - 5 40";
    for set_up in ["[SetUp \"1\"]\n", ""] {
        let game = read_one(&format!("{set_up}[FEN \"{text}\"]\n\n40... Kd7 41. Rh7+ *"));
        assert_eq!(game.start, fen::parse(text).unwrap());
        assert_eq!(moves(&game), "Kd7 Rh7+");
    }
    let game = read_one(&format!("[SetUp \"0\"]\n[FEN \"{text}\"]\n1. e4 *"));
    assert_eq!(game.start, Position::standard());
    check_rejected(
        "[Event \"a\"]\n[FEN \"x\"]\n\n1. e4 *",
        "line 2: the FEN tag: a FEN has 4 or 6 fields, this has 1",
    );
}

#[test]
fn variants() {
    for name in ["Chess960", "chess 960", "Fischerandom", "Fischer Random", "fischerandom"] {
        assert_eq!(read_one(&format!("[Variant \"{name}\"] 1. e4 *")).variant, Variant::Chess960, "{name}");
    }
    for name in ["Standard", "chess", "From Position", ""] {
        assert_eq!(read_one(&format!("[Variant \"{name}\"] 1. e4 *")).variant, Variant::Standard, "{name}");
    }
    check_rejected(
        "\n[Variant \"Atomic\"] 1. e4 *",
        "line 2: the variant \"Atomic\" is neither standard chess nor Chess960",
    );
    let game = read_one(
        "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"nrkbbrqn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRQN w FBfb - 0 1\"]\n\n\
         1. e4 e5 2. Bg4 a6 3. O-O-O *",
    );
    assert_eq!(moves(&game), "e4 e5 Bg4 a6 O-O-O");
}

#[test]
fn games_follow_one_another() {
    let text = "[Event \"1\"]\n\n1. e4 1-0\n\n\n[Event \"2\"]\n\n1. d4 0-1 1. c4 * 1. b4\n[Event \"4\"]\n\n*\n[Event \"5\"]\n[Event \"6\"]\n";
    let games: Vec<_> = read_all(text).into_iter().map(Result::unwrap).collect();
    let told: Vec<_> = games.iter().map(|game| (game.line, game.tag("Event"), moves(game))).collect();
    let expected = [
        (1, Some("1"), "e4"),
        (6, Some("2"), "d4"),
        (8, None, "c4"),
        (8, None, "b4"),
        (9, Some("4"), ""),
        (12, Some("5"), ""),
        (13, Some("6"), ""),
    ];
    assert_eq!(told, expected.map(|(line, event, moves)| (line, event, moves.to_owned())));
}

#[test]
fn a_bad_game_does_not_lose_the_next() {
    let good = "[Event \"good\"]\n\n1. e4 {it} e5 *\n";
    for bad in [
        "[Event \"bad\"]\n\n1. e4 e4 2. junk (x { [Event \"a\"]}) *\n",
        "[Event \"bad\"]\n\n1. e4 e4\n\n",
        "[Event \"bad\"]\n\n1. e4 { e5 *\n\n",
        "[Event \"bad\"]\n\n1. e4 ( e5 *\n\n",
        "[Event \"bad\"]\n\n1. e4 ) e5 *\n\n",
        "[Event \"bad]\n[Site \"x\"]\n\n1. e4 e5 *\n\n",
        "[Event \"bad\"]\n[FEN \"8/8\"]\n\n1. e4 e5 *\n\n",
        "1. e4 e4 * ",
    ] {
        match read_all(&format!("{good}{bad}{good}")).as_slice() {
            [Ok(first), Err(_), Ok(second)] => {
                assert_eq!((first.moves.len(), second.moves.len()), (2, 2), "{bad}");
                assert_eq!(second.tag("Event"), Some("good"), "{bad}");
            }
            other => panic!("{bad}: {other:?}"),
        }
    }
}

#[test]
fn only_articles_3_and_4_are_checked() {
    // Past a dead position: only the kings are left.
    let dead = "[FEN \"4k3/8/8/8/8/8/4K3/8 w - - 0 1\"] 1. Kd2 Kd7 2. Ke2 Ke7 *";
    assert_eq!(read_one(dead).moves.len(), 4);
    // Past a fivefold repetition.
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(6);
    assert_eq!(read_one(&format!("{shuffle} e4 *")).moves.len(), 25);
    // Past moves 50 and 75.
    let late = "[FEN \"4k3/8/8/8/8/8/4K3/7R w - - 149 200\"] 1. Rh2 Kd7 2. Rh1 Ke7 *";
    assert_eq!(read_one(late).moves.len(), 4);
    // Mate ends the game: no legal move is left.
    check_rejected("1. f3 e5 2. g4 Qh4# 3. e3 *", "line 1: \"e3\" as half-move 5: no legal move fits");
}

#[test]
fn no_text_costs_more_than_reading() {
    // Were each search for an end a new one, most of these would take minutes.
    for (game, games) in [
        ("[Site \"a\"]\n1. e4 {\n", 100_000),
        ("[Event \"a\"]\n1. e4 {\n", 100_000),
        ("[Event \"a\"]\n1. e4 ( ( \n", 100_000),
    ] {
        assert_eq!(pgn::games(&game.repeat(games)).filter(Result::is_err).count(), games);
    }
    for part in [
        "[Site \"b\"]",
        "(",
        "{",
        "[",
        "\"",
        "%",
        ";",
        "\u{feff}",
        "   ",
        "[ ",
        "$",
        ")",
        "e4 ",
        "e4 {} ",
        "{\n[Event \"a\"]\n",
    ] {
        pgn::games(&part.repeat(200_000)).for_each(|game| drop(game.ok()));
    }
}

#[test]
fn clocks_belong_to_the_move_before() {
    let game = read_one(
        "{[%clk 9:00:00]} 1. e4 $1 {a} {[%clk 0:05:00]} {[%clk 0:01:00]} (1. d4 {[%clk 0:02:00]} d5) e5 \
         (1... c5 {[%clk 0:03:00]}) {[%clk\n0:04:59.5]} 2. Nf3 Nc6 {[%clk x]} 3. Bb5 {[%clk 0:00:01]} * {[%clk 1:00:00]}",
    );
    let clocks: Vec<_> = game.clocks.iter().map(|clock| clock.map(|clock| clock.0 / 100_000)).collect();
    assert_eq!(clocks, [Some(3_000), Some(2_995), None, None, Some(10)]);
}

#[test]
fn time_controls_of_other_programs() {
    let control = |tags: &str| read_one(&format!("{tags}\n\n1. e4 *\n")).time_control();
    let unlimited = Ok(TimeControl::Unlimited);
    for none in ["", "[TimeControl \"-\"]", "[TimeControl \"?\"]", "[TimeControl \"\"]"] {
        assert_eq!(control(none), unlimited, "{none}");
    }
    let one = |bonus| {
        Ok(TimeControl::Clock(ByColor::both(vec![Period {
            moves: None,
            base: Micros::from_secs(300),
            bonus,
        }])))
    };
    assert_eq!(control("[TimeControl \"300\"]"), one(Bonus::None));
    assert_eq!(control("[TimeControl \" 300+3 \"]"), one(Bonus::Increment(Micros::from_secs(3))));
    assert_eq!(control("[TimeControl \"300+5d\"]"), one(Bonus::SimpleDelay(Micros::from_secs(5))));
    for odd in [
        "G/60",
        "*60",
        "40/9000/3600",
        "300+-3",
        "+",
        "9:9",
        "1/2678400",
        "0",
        "99999999999",
        "300 moves",
        ":",
        "300+5.x",
    ] {
        assert_eq!(control(&format!("[TimeControl \"{odd}\"]")), Err(UnreadableTimeControl), "{odd}");
    }
    assert_eq!(control("[WhiteTimeControl \"300\"]"), Err(UnreadableTimeControl));
}

#[test]
fn outcomes_of_other_programs() {
    use Reason as R;
    let start = Position::standard();
    for (result, tags, score, reason) in [
        ("1-0", "", Score::WhiteWins, R::Resignation),
        ("0-1", "[Termination \"Time forfeit\"]", Score::BlackWins, R::FlagFall),
        ("0-1", "[Termination \"hikaru won on time\"]", Score::BlackWins, R::FlagFall),
        ("1-0", "[Termination \"Abandoned\"]", Score::WhiteWins, R::Abandonment),
        ("1-0", "[Termination \"rules infraction\"]", Score::WhiteWins, R::Arbiter),
        ("1-0", "[Reason \"luck\"]", Score::WhiteWins, R::Resignation),
        ("1/2-1/2", "[Termination \"Normal\"]", Score::Draw, R::Agreement),
        ("*", "[Termination \"Abandoned\"]", Score::NoResult, R::Aborted),
    ] {
        let game = read_one(&format!("{tags}\n\n{result}\n"));
        assert_eq!(game.outcome(&start, 1), Outcome { score, reason, proof: None }, "{result} {tags}");
    }
    let draw = read_one("1/2-1/2\n");
    assert_eq!(draw.outcome(&start, 3).reason, R::ThreefoldRepetition);
    let read = |fen: &str| fen::parse(fen).expect("a position");
    assert_eq!(draw.outcome(&read("4k3/8/8/8/8/8/8/R3K3 w - - 100 90"), 1).reason, R::FiftyMoves);
    assert_eq!(draw.outcome(&read("4k3/8/8/8/8/8/8/4K3 w - - 0 90"), 1).reason, R::DeadPosition);
    let named = read_one("[Reason \"dead position\"]\n\n1/2-1/2\n");
    let proved = |position| named.outcome(&read(position), 1).proof;
    assert_eq!(proved("4k3/8/8/8/8/8/8/4K3 w - - 0 90"), Some(Proof::Material));
    assert_eq!(proved("4k3/8/8/8/8/8/8/R3K3 w - - 0 90"), None);
    assert_eq!(draw.outcome(&read("k7/2Q5/8/8/8/8/8/4K3 b - - 0 90"), 1).reason, R::Stalemate);
    let mate = read("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
    let won = Outcome::win(Color::White, R::Checkmate);
    assert_eq!(read_one("1-0\n").outcome(&mate, 1), won);
    assert_eq!(read_one("*\n").outcome(&mate, 1), won);
    // The result of the file stands.
    assert_eq!(draw.outcome(&mate, 1), Outcome::draw(R::Agreement));
}
