//! What several boards are asked, and which null window each thread searches.
//!
//! A thread takes the question that the fewest others work on. So threads spread over the
//! boards as long as there are enough, and share one window where there are not; what one
//! proves the others find in the transposition table either way.
//!
//! Several thresholds of one board at a time were tried and dropped: of the windows beside the
//! present one too many turn out to be of no use. The value of kalah:5x5 over 12 stones took 16
//! threads 105.5 M nodes where all shared one window, 113.7 M where each four went to the next
//! of three, 125.6 M where they spread evenly; two threads 95.5 M shared, 110.0 M apart.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use games::Board;

use crate::worker::Stop;

/// How a value is narrowed down by null windows. In cyclic games both bounds are moved in turn,
/// whatever the driver.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Driver {
    /// Each window is at the bound that the last one gave, the first at zero (MTD(f), Plaat et
    /// al. 1996).
    #[default]
    Mtdf,
    /// Each window halves what is open.
    Bisection,
}

/// What is to be found of a board.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    /// Its value.
    Value(Driver),
    /// Whether it is worth at least so much.
    AtLeast(i32),
}

/// A question about a board, and what is proved so far.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) board: Board,
    goal: Goal,
    pub(crate) bounds: (i32, i32),
    /// The bound that the last window gave.
    last: i32,
    /// Threads on the present window, and what stops them when it is answered.
    workers: u32,
    stop: Arc<AtomicBool>,
}

impl Question {
    pub(crate) fn new(board: Board, goal: Goal, bounds: (i32, i32)) -> Question {
        Question { board, goal, bounds, last: 0, workers: 0, stop: Arc::default() }
    }

    /// Whether there is something left to be found.
    pub(crate) fn is_open(&self) -> bool {
        self.threshold().is_some()
    }

    /// The threshold of the next null window; `None` if there is nothing left to be found.
    fn threshold(&self) -> Option<i32> {
        let (lower, upper) = self.bounds;
        match self.goal {
            Goal::AtLeast(threshold) => {
                (lower < threshold && threshold <= upper).then_some(threshold)
            }
            Goal::Value(_) if lower == upper => None,
            Goal::Value(Driver::Mtdf) => {
                Some((self.last + i32::from(self.last == lower)).clamp(lower + 1, upper))
            }
            Goal::Value(Driver::Bisection) => Some(lower + (upper - lower + 1) / 2),
        }
    }
}

/// A null window that a thread is to search.
pub(crate) struct Window {
    question: usize,
    pub(crate) board: Board,
    pub(crate) threshold: i32,
    /// Set when the window is of no more use.
    pub(crate) stop: Arc<AtomicBool>,
}

/// The questions of one search, shared by its threads.
pub(crate) struct Questions(Mutex<State>);

struct State {
    questions: Vec<Question>,
    /// Why the search as a whole ended.
    ended: Option<Stop>,
}

impl Questions {
    pub(crate) fn new(questions: Vec<Question>) -> Questions {
        Questions(Mutex::new(State { questions, ended: None }))
    }

    /// The window for a thread that has none; `None` if the search is over.
    pub(crate) fn next(&self) -> Option<Window> {
        let State { questions, ended } = &mut *self.state();
        if ended.is_some() {
            return None;
        }
        let open = questions.iter_mut().enumerate();
        let open = open.filter_map(|(at, question)| Some((question.threshold()?, at, question)));
        let (threshold, at, question) = open.min_by_key(|(_, _, question)| question.workers)?;
        question.workers += 1;
        let stop = question.stop.clone();
        Some(Window { question: at, board: question.board, threshold, stop })
    }

    /// Enters what a thread found in its window: a bound, or why there is none. Gives the bounds
    /// of the board if they are news.
    pub(crate) fn answer(&self, window: &Window, found: Result<i32, Stop>) -> Option<(i32, i32)> {
        let State { questions, ended } = &mut *self.state();
        if window.stop.load(Relaxed) {
            // Another thread was faster.
            return None;
        }
        let bound = match found {
            Ok(bound) => bound,
            Err(reason) => {
                *ended = Some(reason);
                questions.iter().for_each(|question| question.stop.store(true, Relaxed));
                return None;
            }
        };
        let question = &mut questions[window.question];
        let (lower, upper) = question.bounds;
        question.bounds = if bound >= window.threshold { (bound, upper) } else { (lower, bound) };
        question.last = bound;
        question.workers = 0;
        std::mem::take(&mut question.stop).store(true, Relaxed);
        Some(question.bounds)
    }

    /// The questions as they stand, and why the search ended before they were answered.
    pub(crate) fn into_parts(self) -> (Vec<Question>, Option<Stop>) {
        let State { questions, ended } =
            self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        (questions, ended)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn questions(goal: Goal) -> Questions {
        let boards = [1, 2].map(|seeds| Board::start(2, seeds).expect("fits"));
        Questions::new(Vec::from(boards.map(|board| Question::new(board, goal, (-4, 4)))))
    }

    /// The windows of the next threads.
    fn next<const N: usize>(questions: &Questions) -> [Window; N] {
        std::array::from_fn(|_| questions.next().expect("open"))
    }

    #[test]
    fn threads_spread_over_boards_and_share_those_left() {
        let questions = questions(Goal::Value(Driver::Mtdf));
        let windows: [Window; 3] = next(&questions);
        assert_eq!(windows.each_ref().map(|window| window.question), [0, 1, 0]);
        assert_eq!(windows.each_ref().map(|window| window.threshold), [0, 0, 0]);
        // The first to answer stops the other on its board, and what that finds is no news.
        assert_eq!(questions.answer(&windows[0], Ok(2)), Some((2, 4)));
        let stopped = windows.each_ref().map(|window| window.stop.load(Relaxed));
        assert_eq!(stopped, [true, false, true]);
        assert_eq!(questions.answer(&windows[2], Err(Stop::Done)), None);
        let [again] = next(&questions);
        assert_eq!((again.question, again.threshold), (0, 3));
        assert_eq!(questions.answer(&again, Ok(2)), Some((2, 2)));
        let [joined] = next(&questions);
        assert_eq!(joined.question, 1);
        assert_eq!(questions.answer(&windows[1], Ok(-4)), Some((-4, -4)));
        assert!(questions.next().is_none());
        assert_eq!(questions.into_parts().1, None);
    }

    #[test]
    fn a_reason_to_stop_ends_all_and_keeps_what_is_proved() {
        let questions = questions(Goal::AtLeast(1));
        let windows: [Window; 2] = next(&questions);
        assert_eq!(questions.answer(&windows[1], Ok(0)), Some((-4, 0)));
        assert_eq!(questions.answer(&windows[0], Err(Stop::Limit)), None);
        assert!(windows[0].stop.load(Relaxed) && questions.next().is_none());
        let (questions, ended) = questions.into_parts();
        assert_eq!(ended, Some(Stop::Limit));
        let bounds: Vec<_> = questions.iter().map(|question| question.bounds).collect();
        assert_eq!(bounds, [(-4, 4), (-4, 0)]);
    }
}
