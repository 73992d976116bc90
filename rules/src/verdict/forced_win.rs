//! Whether a side wins by force: a checkmate against every defence, within a bound.
//!
//! A proof-number search over a tree of positions. It always expands the leaf that is closest to
//! deciding the root, and draws no random number, so the same question has the same answer
//! everywhere. A win that it finds is certain; finding none proves nothing. Repetition and counters
//! are ignored: a shortest win repeats no position, and a tree of the size of the bound is not deep
//! enough for the counters.

use super::material;
use crate::board::{Color, Packed, Position};

/// Stands for infinity: more than any count of leaves.
const NEVER: u32 = u32::MAX;

struct Node {
    position: Packed,
    parent: u32,
    /// The children lie side by side.
    first_child: u32,
    children: u32,
    /// The proof number: how many leaves must at least be won for this to be won; 0 if it is.
    to_win: u32,
    /// The disproof number: how many leaves must at least fail for this to fail; 0 if it has.
    to_fail: u32,
}

/// Whether `winner` has a checkmate against every defence, found within `nodes` positions.
pub(super) fn has_forced_win(position: &Position, winner: Color, nodes: u32) -> bool {
    let mut tree = vec![leaf(position, winner, 0)];
    while tree[0].to_win != 0 && tree[0].to_fail != 0 && tree.len() < nodes as usize {
        let number = most_proving(&tree, winner);
        expand(&mut tree, number, winner);
        update(&mut tree, number, winner);
    }
    tree[0].to_win == 0
}

fn leaf(position: &Position, winner: Color, parent: u32) -> Node {
    let (to_win, to_fail) = if !position.has_legal_move() {
        let is_mate = position.in_check() && position.side_to_move() != winner;
        if is_mate { (0, NEVER) } else { (NEVER, 0) }
    } else if material::cannot_checkmate(position, winner) {
        (NEVER, 0)
    } else {
        (1, 1)
    };
    Node { position: position.pack(), parent, first_child: 0, children: 0, to_win, to_fail }
}

fn chooses(node: &Node, winner: Color) -> bool {
    node.position.parts().turn == winner
}

fn children<'a>(tree: &'a [Node], node: &Node) -> &'a [Node] {
    &tree[node.first_child as usize..(node.first_child + node.children) as usize]
}

/// The most-proving leaf: the one that both numbers of the root depend on.
fn most_proving(tree: &[Node], winner: Color) -> usize {
    let mut number = 0;
    while tree[number].children > 0 {
        let node = &tree[number];
        let own = chooses(node, winner);
        let found = children(tree, node)
            .iter()
            .position(|child| if own { child.to_win == node.to_win } else { child.to_fail == node.to_fail });
        number = node.first_child as usize + found.expect("a node's number is that of one of its children");
    }
    number
}

fn expand(tree: &mut Vec<Node>, number: usize, winner: Color) {
    let position = tree[number].position.unpack();
    tree[number].first_child = tree.len() as u32;
    for mv in position.legal_moves() {
        let mut next = position.clone();
        next.play_unchecked(mv);
        tree.push(leaf(&next, winner, number as u32));
    }
    tree[number].children = tree.len() as u32 - tree[number].first_child;
}

/// Works out the numbers from a node up to the root.
fn update(tree: &mut [Node], mut number: usize, winner: Color) {
    loop {
        let node = &tree[number];
        let own = chooses(node, winner);
        let (mut least, mut all) = (NEVER, 0_u32);
        for child in children(tree, node) {
            let (one, sum) = if own { (child.to_win, child.to_fail) } else { (child.to_fail, child.to_win) };
            least = least.min(one);
            // A sum with NEVER in it is NEVER.
            all = all.saturating_add(sum);
        }
        let node = &mut tree[number];
        (node.to_win, node.to_fail) = if own { (least, all) } else { (all, least) };
        if number == 0 {
            return;
        }
        number = node.parent as usize;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    fn wins(text: &str, winner: Color) -> bool {
        has_forced_win(&fen::parse(text).expect("the FEN is right"), winner, 100_000)
    }

    #[test]
    fn a_mate_against_every_defence_is_found() {
        // Two knights against a pawn, in three; a bishop against a pawn in the corner.
        assert!(wins("7k/5K2/8/4N1N1/8/8/p7/8 w - - 0 1", Color::White));
        assert!(wins("7k/7p/5K2/8/8/8/1B6/8 w - - 0 1", Color::White));
        assert!(wins("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", Color::White));
    }

    #[test]
    fn where_there_is_none_none_is_found() {
        assert!(!wins("7k/8/5K2/8/8/8/8/5NN1 b - - 0 1", Color::White));
        assert!(!wins("k7/p7/8/8/8/8/8/K5N1 w - - 0 1", Color::White));
        assert!(!wins("6k1/5pp1/8/8/8/8/8/R3K3 w - - 0 1", Color::Black));
    }
}
