//! The TypeScript types of the wire, made from the Rust types: `bindings/protocol.ts`.
//!
//! The test fails when the file is stale; run it with `ZEITNOT_WRITE_BINDINGS=1` to rewrite it.
//! Every number is a `u32` or smaller, so that JavaScript's numbers hold it: the test fails at a
//! `bigint`.

mod schema;

use std::collections::BTreeMap;

use ts_rs::{Config, TS, TypeVisitor};

use crate::{
    BestLines, ClientMessage, CloseReason, Evaluation, FeaturedGame, FenReason, FoundNames, FoundOpenings,
    FoundPlayers, GameCounts, KnownEvaluations, PlayedGames, PlayedMoves, Player, PositionAnalysis,
    RatingHistory, ServerMessage, WholeGame,
};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/bindings/protocol.ts");

const HEAD: &str = "\
// The types of subprotocol zeitnot.v1.json, made from the Rust types of zeitnot-protocol. Do not
// edit: run ZEITNOT_WRITE_BINDINGS=1 cargo test -p zeitnot-protocol bindings
";

/// The declarations of all types found, by name.
struct Declarations<'a> {
    config: &'a Config,
    by_name: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Types of TypeScript itself have no path.
        if T::output_path().is_none() || self.by_name.contains_key(&T::ident(self.config)) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        let declaration = format!("{docs}export {}\n", T::decl(self.config));
        self.by_name.insert(T::ident(self.config), declaration);
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

fn generate() -> String {
    let config = Config::default();
    let mut declarations = Declarations { config: &config, by_name: BTreeMap::new() };
    declarations.visit::<ClientMessage>();
    declarations.visit::<ServerMessage>();
    declarations.visit::<CloseReason>();
    declarations.visit::<Player>();
    declarations.visit::<FoundPlayers>();
    declarations.visit::<PlayedGames>();
    declarations.visit::<RatingHistory>();
    declarations.visit::<WholeGame>();
    declarations.visit::<GameCounts>();
    declarations.visit::<PlayedMoves>();
    declarations.visit::<FoundNames>();
    declarations.visit::<PositionAnalysis>();
    declarations.visit::<FenReason>();
    declarations.visit::<Evaluation>();
    declarations.visit::<KnownEvaluations>();
    declarations.visit::<BestLines>();
    declarations.visit::<FeaturedGame>();
    declarations.visit::<FoundOpenings>();
    let mut text = HEAD.to_owned();
    for declaration in declarations.by_name.values() {
        text.push('\n');
        for line in declaration.lines() {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

#[test]
fn bindings_are_fresh() {
    let generated = generate();
    assert!(!generated.contains("bigint"), "every number must fit a JavaScript number");
    assert_is_fresh(PATH, &generated);
}

/// Compares a committed file with what is generated now, or writes it if that is asked for.
fn assert_is_fresh(path: &str, generated: &str) {
    if std::env::var_os("ZEITNOT_WRITE_BINDINGS").is_some() {
        std::fs::write(path, generated).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        committed == generated,
        "{path} is stale; write it with ZEITNOT_WRITE_BINDINGS=1 cargo test -p zeitnot-protocol bindings"
    );
}
