//! Chains: the answers of Sudoku Explainer, and a checker that replays every chain.

use crate::support::{
    chains::{Candidates, check_solution},
    has_turn,
};
use std::sync::Arc;
use sudoku_batch::{
    Cell, Puzzle, Solver,
    grid::{Candidate, Digits},
    questions::Team,
    technique::{
        Position,
        chain::{self, GaveUpError, Hint, Kind, Search, State, Work},
    },
};

/// Positions with the hint of Sudoku Explainer 1.2.1, as sukaku-forge with its two mends off
/// gave it on 2026-11-22: the filled cells, three hexadecimal digits for the candidates of
/// each cell, the rating, the search, the kind, the placement and the strikes.
const STATES: &str = include_str!("../support/chains.txt");

/// A recorded hint.
struct Known {
    position: Position,
    rating: &'static str,
    search: Search,
    kind: &'static str,
    place: &'static str,
    strikes: &'static str,
}

fn known() -> impl Iterator<Item = Known> {
    STATES.lines().map(|line| {
        let [filled, candidates, rating, search, kind, place, strikes]: [&str; 7] =
            line.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let filled: Puzzle = filled.parse().unwrap();
        let candidates = std::array::from_fn(|cell| {
            let bits = u16::from_str_radix(&candidates[3 * cell..3 * cell + 3], 16).unwrap();
            Digits::from_bits(bits)
        });
        let search = match search {
            "forcing" => Search::Forcing,
            "nishio" => Search::Nishio,
            "multiple" => Search::Multiple,
            "dynamic" => Search::Dynamic,
            nested => Search::Nested(nested.strip_prefix("nested-").unwrap().parse().unwrap()),
        };
        let position = Position::with_candidates(&filled, &candidates);
        Known {
            position,
            rating,
            search,
            kind,
            place,
            strikes,
        }
    })
}

fn find(search: Search, position: &Position) -> Option<Hint> {
    chain::find(search, &State::new(position), &mut Work::unbounded()).unwrap()
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::XCycle => "x-cycle",
        Kind::YCycle => "y-cycle",
        Kind::XyCycle => "xy-cycle",
        Kind::XChain => "x-chain",
        Kind::XyChain => "xy-chain",
        Kind::Contradiction => "contradiction",
        Kind::Double => "double",
        Kind::Cell(_) => "cell",
        Kind::Region(..) => "region",
    }
}

fn strikes_text(strikes: &[Candidate]) -> String {
    let cells: Vec<Cell> = strikes.iter().map(|strike| strike.cell).collect();
    let mut texts = Vec::new();
    for cell in Cell::all().filter(|cell| cells.contains(cell)) {
        let of_cell = strikes.iter().filter(|strike| strike.cell == cell);
        let digits: String = of_cell.map(|strike| strike.digit.to_string()).collect();
        texts.push(format!("{cell}-{digits}"));
    }
    texts.join(",")
}

/// Each recorded position has the recorded hint, and the searches before find nothing.
#[test]
fn hints_are_those_of_sudoku_explainer() {
    for known in known() {
        for search in Search::ALL
            .into_iter()
            .take_while(|&search| search < known.search)
        {
            // The longer searches are checked where they are the answer.
            if search < Search::Nested(2) {
                assert_eq!(find(search, &known.position), None);
            }
        }
        let hint = find(known.search, &known.position).unwrap();
        let place = hint
            .place
            .map(|place| format!("{}={}", place.cell, place.digit));
        assert_eq!(
            hint.rating.to_string(),
            known.rating,
            "{}",
            known.position.filled()
        );
        assert_eq!(kind_name(hint.kind), known.kind);
        assert_eq!(place.as_deref().unwrap_or("-"), known.place);
        assert_eq!(strikes_text(&hint.strikes), known.strikes);
    }
}

/// Every chain that is found is true: each node follows from its parents, the end from the
/// chains, and nothing is struck that the solution needs.
#[test]
fn chains_are_proofs() {
    let mut solver = Solver::new();
    let mut count = 0;
    for known in known() {
        let solution = solver.solve_unique(known.position.filled()).unwrap();
        let hint = find(known.search, &known.position).unwrap();
        let candidates = Candidates::of(|cell| known.position.candidates(cell));
        candidates.check(&hint);
        check_solution(&hint, &solution);
        count += 1;
    }
    assert!(count > 40);
}

/// The hints that follow, one after the other, are true as well.
#[test]
fn hints_agree_with_the_solution() {
    let mut solver = Solver::new();
    for known in known().filter(|known| known.search <= Search::Dynamic) {
        let solution = solver.solve_unique(known.position.filled()).unwrap();
        let mut position = known.position.clone();
        let mut steps = 0;
        while let Some(hint) = Search::ALL[..4]
            .iter()
            .find_map(|&search| find(search, &position))
        {
            Candidates::of(|cell| position.candidates(cell)).check(&hint);
            check_solution(&hint, &solution);
            for &strike in &hint.strikes {
                position.strike(strike);
            }
            if let Some(place) = hint.place {
                position.place(place.cell, place.digit);
            }
            steps += 1;
            if steps == 12 || Cell::all().any(|cell| position.candidates(cell).len() == 1) {
                break;
            }
        }
        assert!(steps > 0);
    }
}

/// A search gives up when its work is bounded, always at the same point.
#[test]
fn work_is_bounded() {
    let known = known()
        .find(|known| known.search == Search::Dynamic)
        .unwrap();
    let state = State::new(&known.position);
    let mut free = Work::unbounded();
    let hint = chain::find(Search::Dynamic, &state, &mut free).unwrap();
    let mut enough = Work::up_to(free.done());
    assert_eq!(chain::find(Search::Dynamic, &state, &mut enough), Ok(hint));
    let mut short = Work::up_to(free.done() - 1);
    assert_eq!(
        chain::find(Search::Dynamic, &state, &mut short),
        Err(GaveUpError)
    );
}

/// A team finds the same hint with the same work, and gives up at the same bound.
#[test]
fn a_team_finds_what_one_finds_with_the_same_work() {
    let crew = |threads| Some(Arc::new(Team::new(threads)) as Arc<dyn chain::Crew>);
    // By default each chain meets one of the two teams.
    let (mut shared, mut number) = (0, 0);
    for known in known().filter(|known| known.search >= Search::Dynamic) {
        let state = State::new(&known.position);
        let mut work = Work::unbounded();
        let alone = chain::find(known.search, &state, &mut work);
        let done = work.done();
        shared += usize::from(known.search > Search::Dynamic);
        number += 1;
        for (at, threads) in [1, 3].into_iter().enumerate() {
            if !has_turn(number + at, 2) {
                continue;
            }
            let mut work = Work::up_to(done);
            work.share_with(crew(threads));
            assert_eq!(chain::find(known.search, &state, &mut work), alone);
            assert_eq!(work.done(), done);
            work.restart(done - 1);
            assert_eq!(
                chain::find(known.search, &state, &mut work),
                Err(GaveUpError)
            );
        }
    }
    assert!(shared > 20, "{shared}");
}
