//! The rule for the dead, over every short course of polls and many long ones, against the rule as it is written down; and
//! nodes on a database that is slow, stalls or fails over.

use proptest::prelude::*;
use uuid::Uuid;

use super::*;

const OWN: NodeNumber = NodeNumber(1);
const OTHER: NodeNumber = NodeNumber(2);

fn at(node: NodeNumber, beat: u64) -> NodeBeat {
    NodeBeat { node, boot: Uuid::nil(), beat }
}

/// What came of a poll, and whether the other node's beat had moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Poll {
    Answered { after_ms: u64, moved: bool },
    Failed { after_ms: u64 },
}

const KINDS: [Poll; 7] = [
    Poll::Answered { after_ms: 5, moved: false },
    Poll::Answered { after_ms: 5, moved: true },
    Poll::Answered { after_ms: 300, moved: false },
    Poll::Answered { after_ms: 4_000, moved: false },
    Poll::Answered { after_ms: 4_000, moved: true },
    Poll::Failed { after_ms: 2_000 },
    Poll::Answered { after_ms: 299, moved: false },
];

/// A poll as it went: when it was asked and was over, and which beat it found.
#[derive(Clone, Copy, Debug)]
struct Went {
    asked: ServiceInstant,
    over: ServiceInstant,
    found: Option<u64>,
}

/// Polls one after the other, [`POLL_EVERY`] apart unless one takes longer.
fn course(polls: &[Poll]) -> Vec<Went> {
    let (mut now, mut beat) = (ServiceInstant(1_000_000), 0);
    let go = |poll: &Poll| {
        let (after_ms, found) = match *poll {
            Poll::Answered { after_ms, moved } => {
                beat += u64::from(moved);
                (after_ms, Some(beat))
            }
            Poll::Failed { after_ms } => (after_ms, None),
        };
        let went = Went { asked: now, over: now + Duration::from_millis(after_ms), found };
        now = went.over.max(now + POLL_EVERY);
        went
    };
    polls.iter().map(go).collect()
}

/// Whether the other node is declared dead after the last of these polls, by the rule as it is written down.
fn is_dead_by_the_rule(went: &[Went]) -> bool {
    let Some((last, before)) = went.split_last() else { return false };
    let Some(beat) = last.found else { return false };
    let answered = |poll: &Went| poll.found == Some(beat);
    let is_fast = |poll: &Went| poll.over.since(poll.asked) < Duration::from_millis(300);
    if before.iter().any(|poll| poll.found.is_none() && last.asked < poll.over + Duration::from_secs(10)) {
        return false;
    }
    let stands_over_three =
        went.len() >= 4 && went[went.len() - 4..].iter().all(|poll| answered(poll) && is_fast(poll));
    let standing = before.iter().rev().take_while(|poll| answered(poll)).last();
    let stands_for_long =
        standing.is_some_and(|first| last.asked.since(first.over) >= Duration::from_secs(10));
    stands_over_three || stands_for_long
}

/// What the machine says after each poll.
fn is_dead(went: &[Went]) -> Vec<bool> {
    let mut members = Members::new(OWN);
    let say = |poll: &Went| match poll.found {
        Some(beat) => {
            let living = [at(OWN, 9), at(OTHER, beat)];
            let dead = members.answered(poll.asked, poll.over, &living);
            assert!(dead.iter().all(|dead| *dead == at(OTHER, beat)), "{dead:?}");
            !dead.is_empty()
        }
        None => {
            members.failed(poll.over);
            false
        }
    };
    went.iter().map(say).collect()
}

fn check(polls: &[Poll]) {
    let went = course(polls);
    let by_the_rule: Vec<_> = (1..=went.len()).map(|upto| is_dead_by_the_rule(&went[..upto])).collect();
    assert_eq!(is_dead(&went), by_the_rule, "{polls:?}");
}

#[test]
fn over_every_course_of_six_polls_the_dead_are_those_of_the_rule() {
    let count = KINDS.len().pow(6);
    for number in 0..count {
        let poll = |place: u32| KINDS[number / KINDS.len().pow(place) % KINDS.len()];
        check(&[0, 1, 2, 3, 4, 5].map(poll));
    }
}

fn poll() -> impl Strategy<Value = Poll> {
    // Mostly fast polls of a node that stands: otherwise no count gets far.
    prop_oneof![
        8 => Just(KINDS[0]),
        1 => proptest::sample::select(KINDS.to_vec()),
        1 => (0..6_000_u64, any::<bool>()).prop_map(|(after_ms, moved)| Poll::Answered { after_ms, moved }),
    ]
}

proptest! {
    #[test]
    fn over_long_courses_too(polls in proptest::collection::vec(poll(), 0..80)) {
        check(&polls);
    }
}

#[test]
fn a_node_that_dies_is_declared_dead_within_three_seconds_and_with_the_beat_that_was_seen() {
    for died_ms in (0..1_400).step_by(50) {
        let mut members = Members::new(OWN);
        let mut now = ServiceInstant(1_000_000);
        let died = now + Duration::from_millis(died_ms);
        let declared = (0..20).find_map(|number| {
            // The other one beats in the middle between two polls.
            let beats = (0..number).filter(|n| ServiceInstant(1_000_000 + n * 700_000 + 350_000) < died);
            let living = [at(OTHER, beats.count() as u64)];
            let dead = members.answered(now, now + Duration::from_millis(5), &living);
            let declared = (!dead.is_empty()).then(|| (now, dead[0].beat, living[0].beat));
            now = now + POLL_EVERY;
            declared
        });
        let (declared, seen, beat) = declared.unwrap();
        assert!(declared.since(died) <= Duration::from_secs(3), "{died_ms}");
        assert_eq!(seen, beat);
    }
}

#[test]
fn a_new_node_begins_its_count_with_the_first_poll_that_sees_it_and_one_that_is_gone_has_none() {
    let mut members = Members::new(OWN);
    let mut now = ServiceInstant(1_000_000);
    let mut poll = |living: &[NodeBeat]| {
        now = now + POLL_EVERY;
        members.answered(now, now + Duration::from_millis(5), living)
    };
    let beats = |node: u32| at(NodeNumber(node), 4);
    for _ in 0..3 {
        assert_eq!(poll(&[beats(2)]), []);
    }
    assert_eq!(poll(&[beats(2), beats(3)]), [beats(2)]);
    assert_eq!(poll(&[beats(3)]), []);
    assert_eq!(poll(&[beats(2), beats(3)]), [], "what was gone begins anew");
    assert_eq!(poll(&[beats(2), beats(3)]), [beats(3)]);
}

/// Nodes on one database that does not answer between two instants. All live: nobody may be declared dead.
fn nobody_dies(count: usize, phases_ms: &[u64], away: (u64, u64), fails: bool, back_after_ms: &[u64]) {
    #[derive(Clone)]
    struct Node {
        members: Members,
        beat: u64,
        asks_at: ServiceInstant,
        connection: Connection,
    }
    #[derive(Clone, Copy, PartialEq)]
    enum Connection {
        First,
        None,
        Next,
    }
    let ms = |ms: u64| ServiceInstant(1_000_000) + Duration::from_millis(ms);
    let (from, to) = (ms(away.0), ms(away.1));
    let node = |number: usize| Node {
        members: Members::new(NodeNumber(number as u32 + 1)),
        beat: 0,
        asks_at: ms(phases_ms[number]),
        connection: Connection::First,
    };
    let mut nodes: Vec<_> = (0..count).map(node).collect();
    while let Some(next) =
        (0..count).min_by_key(|n| nodes[*n].asks_at).filter(|n| nodes[*n].asks_at < ms(60_000))
    {
        let asked = nodes[next].asks_at;
        if nodes[next].connection == Connection::None {
            // It is connected again, and has said so with this poll.
            nodes[next].connection = Connection::Next;
            nodes[next].beat += 1;
            nodes[next].members.failed(asked);
            nodes[next].asks_at = asked + POLL_EVERY;
            continue;
        }
        if asked >= from && fails && nodes[next].connection == Connection::First {
            nodes[next].members.failed(asked);
            nodes[next].connection = Connection::None;
            nodes[next].asks_at = asked.max(to) + Duration::from_millis(back_after_ms[next]);
            continue;
        }
        // While the database stalls, what is asked waits for it.
        let answered =
            if asked >= from && asked < to && !fails { to } else { asked } + Duration::from_millis(3);
        nodes[next].beat += 1;
        let living: Vec<_> = (0..count).map(|n| at(NodeNumber(n as u32 + 1), nodes[n].beat)).collect();
        let dead = nodes[next].members.answered(asked, answered, &living);
        assert_eq!(dead, [], "at {asked:?}, away {away:?}, {fails}, {phases_ms:?}, {back_after_ms:?}");
        nodes[next].asks_at = answered.max(asked + POLL_EVERY);
    }
}

proptest! {
    #[test]
    fn a_database_that_stalls_or_fails_over_kills_nobody(
        phases_ms in proptest::collection::vec(0..700_u64, 4),
        from in 2_000..6_000_u64,
        stays_away in 0..30_000_u64,
        fails in any::<bool>(),
        back_after_ms in proptest::collection::vec(0..7_000_u64, 4),
    ) {
        nobody_dies(4, &phases_ms, (from, from + stays_away), fails, &back_after_ms);
    }
}
