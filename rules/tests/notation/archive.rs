//! Games from archives.

use zeitnot_rules::notation::{pgn, san};

const GAMES: &str = include_str!("../data/games.pgn");

/// Every move of every game is read, and written again as it stands in the file.
#[test]
fn real_games_are_read_and_their_moves_written_as_they_were() {
    let games: Vec<_> = pgn::games(GAMES).map(|game| game.expect("a real game")).collect();
    assert_eq!(games.len(), 8);
    let mut written = Vec::new();
    for game in &games {
        let mut position = game.start.clone();
        for &mv in &game.moves {
            written.push(san::write(mv, &position).to_string());
            position.play(mv).expect("read moves are legal");
        }
    }
    let in_file: Vec<_> = GAMES
        .lines()
        .filter(|line| !line.starts_with(['[', '%']))
        .flat_map(str::split_whitespace)
        .filter(|word| !word.ends_with('.') && pgn::PgnResult::from_token(word).is_none())
        .collect();
    assert_eq!(written, in_file);
}
