//! The rules by example, each test named after the rule it shows.

use games::notation::{Line, dash};
use games::{Finish, Game, Play, Position, Ruleset};

const START: &str = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";

fn ruleset(game: &str) -> Ruleset {
    game.parse().expect("a ruleset")
}

/// A position; the number of pits is its own, so `game` may leave the size out.
fn position(text: &str) -> (Position, usize) {
    let setup = dash::parse(text).expect("a position");
    let pits = setup.pits[0].len();
    (Position::new(&setup, pits).expect("fits"), pits)
}

/// `name[,options]` on a board that the position fits.
fn game_for(game: &str, pits: usize) -> Ruleset {
    let (name, options) = game.split_once(',').unwrap_or((game, ""));
    let comma = if options.is_empty() { "" } else { "," };
    ruleset(&format!("{name}:{pits}x1{comma}{options}"))
}

/// Sows one pit (numbered from 1): the position reached and the stones captured.
fn sow(game: &str, text: &str, pit: usize) -> (String, u8) {
    let (position, pits) = position(text);
    let (after, sown) = position.sow(&game_for(game, pits).rules(), pit - 1);
    (dash::format(&after.setup(pits)), sown.captured)
}

/// The pits (numbered from 1) that may be sown.
fn legal(game: &str, text: &str) -> Vec<usize> {
    let (position, pits) = position(text);
    let rules = game_for(game, pits).rules();
    assert_eq!(rules.remainder(position.board()), None, "{game} {text} is finished");
    rules.legal(position.board()).map(|pit| pit + 1).collect()
}

/// Plays a line: the position reached, why the game is over, the final stores.
fn play(game: &str, text: &str, line: &str) -> (String, Option<Finish>, Option<[u32; 2]>) {
    let (position, pits) = position(text);
    let ruleset = game_for(game, pits);
    let rules = ruleset.rules();
    let mut play = Play::new(&ruleset, &rules, position);
    play.line(&line.parse::<Line>().expect("a line")).expect("a legal line");
    (dash::format(&play.position().setup(pits)), play.finish(), play.final_stores())
}

/// Why and how the game ends after a line.
fn end(game: &str, text: &str, line: &str) -> Option<(Finish, [u32; 2])> {
    let (_, finish, stores) = play(game, text, line);
    finish.zip(stores)
}

fn reached(text: &str, captured: u8) -> (String, u8) {
    (text.to_owned(), captured)
}

mod kalah {
    use super::*;

    #[test]
    fn pit_3_of_the_start_ends_in_the_store_and_sows_again() {
        assert_eq!(sow("kalah", START, 3), reached("4-4-0-5-5-5-4-4-4-4-4-4-1-0-S", 0));
    }

    #[test]
    fn thirteen_stones_pass_the_other_store_and_capture_from_the_emptied_origin() {
        let from = "13-0-0-0-0-0-1-1-1-1-1-1-0-0-S";
        assert_eq!(sow("kalah", from, 1), reached("0-1-1-1-1-1-2-2-2-2-2-0-4-0-N", 3));
    }

    #[test]
    fn last_stone_in_an_own_empty_pit_captures_by_the_capture_option() {
        let bare = "1-0-1-2-0-0-0-0-S";
        assert_eq!(sow("kalah", bare, 1), reached("0-1-1-2-0-0-0-0-N", 0));
        assert_eq!(sow("kalah,capture=empty", bare, 1), reached("0-0-1-2-0-0-1-0-N", 1));
        let faced = "1-0-1-0-2-1-0-0-S";
        for game in ["kalah", "kalah,capture=empty"] {
            assert_eq!(sow(game, faced, 1), reached("0-0-1-0-0-1-3-0-N", 3));
        }
    }

    #[test]
    fn last_stone_elsewhere_captures_nothing() {
        let occupied = ("1-1-0-0-2-0-0-0-S", 1, "0-2-0-0-2-0-0-0-N");
        let others_empty_pit = ("1-0-3-0-0-1-0-0-S", 3, "1-0-0-1-1-1-1-0-N");
        for (from, pit, to) in [occupied, others_empty_pit] {
            assert_eq!(sow("kalah,capture=empty", from, pit), reached(to, 0));
        }
    }

    #[test]
    fn end_decides_whether_a_row_emptied_by_its_owner_finishes_the_board() {
        let from = "0-0-2-1-1-1-0-0-S";
        assert_eq!(end("kalah", from, "3"), Some((Finish::Board, [1, 4])));
        assert_eq!(end("kalah,end=mover", from, "3"), None);
        assert_eq!(end("kalah,end=mover", from, "3 2"), Some((Finish::Board, [1, 4])));
    }

    #[test]
    fn the_board_is_finished_in_the_middle_of_a_turn_too() {
        for game in ["kalah", "kalah,end=mover"] {
            assert_eq!(end(game, "0-0-1-1-1-1-0-0-S", "3"), Some((Finish::Board, [1, 3])));
        }
        // The opponent's row is empty and the mover could go on.
        assert_eq!(end("kalah", "0-1-1-0-0-0-0-0-S", ""), Some((Finish::Board, [2, 0])));
        assert_eq!(end("kalah,end=mover", "0-1-1-0-0-0-0-0-S", "3"), None);
    }

    #[test]
    fn remainder_says_who_gets_what_is_left() {
        for (option, stores) in [("owner", [1, 4]), ("emptied", [5, 0]), ("none", [1, 0])] {
            let game = format!("kalah,remainder={option}");
            assert_eq!(end(&game, "0-0-2-1-1-1-0-0-S", "3"), Some((Finish::Board, stores)));
        }
    }

    #[test]
    fn stop_majority_ends_play_above_half_and_not_at_half() {
        let half = "0-1-1-1-1-0-4-0-S";
        assert_eq!(end("kalah,stop=majority", half, ""), None);
        assert_eq!(end("kalah,stop=majority", half, "3"), Some((Finish::Majority, [5, 0])));
        assert_eq!(end("kalah", half, "3"), None);
    }
}

mod oware {
    use super::*;

    #[test]
    fn pit_1_captures_2_and_pit_6_captures_a_2_and_a_3_stopped_by_a_5() {
        let from = "1-4-2-1-4-4-6-0-3-0-6-4-0-0-N";
        assert_eq!(sow("oware", from, 1), reached("0-4-2-1-4-4-0-1-4-1-7-5-0-2-S", 2));
        assert_eq!(sow("oware", from, 6), reached("2-5-0-0-4-4-6-0-3-0-6-0-0-5-S", 5));
    }

    #[test]
    fn pit_5_captures_12_unless_that_is_all() {
        let twelve = sow("oware", "1-1-2-2-1-1-4-0-3-0-6-0-0-0-N", 5);
        assert_eq!(twelve, reached("0-0-0-0-0-1-4-0-3-0-0-1-0-12-S", 12));
        let seven_stones = sow("oware", "1-1-2-2-1-1-4-0-3-0-7-0-0-0-N", 5);
        assert_eq!(seven_stones, reached("2-2-3-3-2-2-4-0-3-0-0-1-0-0-S", 0));
        let pit_6_empty = sow("oware", "1-1-2-2-1-0-4-0-3-0-6-0-0-0-N", 5);
        assert_eq!(pit_6_empty, reached("2-2-3-3-2-0-4-0-3-0-0-1-0-0-S", 0));
    }

    #[test]
    fn pit_4_skips_itself_on_the_second_lap_and_captures_4() {
        let from = "0-0-2-15-1-1-0-0-1-0-1-0-0-0-S";
        assert_eq!(sow("oware", from, 4), reached("1-1-3-0-3-3-0-0-2-1-2-1-4-0-N", 4));
    }

    #[test]
    fn captures_stay_in_the_opponents_row() {
        let first_pit = "0-0-0-0-2-1-1-0-0-0-0-1-0-0-S";
        assert_eq!(sow("oware", first_pit, 6), reached("0-0-0-0-2-0-0-0-0-0-0-1-2-0-N", 2));
        let own_row = "0-0-0-1-1-0-1-0-0-0-0-1-0-0-S";
        assert_eq!(sow("oware", own_row, 4), reached("0-0-0-0-2-0-1-0-0-0-0-1-0-0-N", 0));
    }

    #[test]
    fn slam_says_what_becomes_of_a_capture_of_all_stones() {
        let from = "1-1-2-2-1-0-4-0-3-0-6-0-0-0-N";
        for (slam, pits, captured) in [
            ("nothing", vec![1, 3, 5], 0),
            ("takes-all", vec![1, 3, 5], 12),
            ("illegal", vec![1, 3], 12),
            ("illegal-unless-only", vec![1, 3], 12),
        ] {
            let game = format!("oware,slam={slam}");
            assert_eq!(legal(&game, from), pits, "{slam}");
            assert_eq!(sow(&game, from, 5).1, captured, "{slam}");
        }
    }

    #[test]
    fn slam_says_what_happens_when_nothing_else_can_be_sown() {
        let from = "1-1-2-2-1-0-0-0-0-0-6-0-0-0-N";
        for (slam, finish) in [
            ("nothing", None),
            ("takes-all", Some((Finish::Board, [0, 13]))),
            ("illegal-unless-only", Some((Finish::Board, [0, 13]))),
        ] {
            assert_eq!(end(&format!("oware,slam={slam}"), from, "5"), finish, "{slam}");
        }
        assert_eq!(end("oware,slam=illegal", from, ""), Some((Finish::Board, [7, 6])));
    }

    #[test]
    fn a_sowing_that_feeds_must_be_played_if_there_is_one() {
        let from = "1-0-0-0-0-1-0-0-0-0-0-0-0-0-S";
        for slam in ["nothing", "takes-all", "illegal", "illegal-unless-only"] {
            assert_eq!(legal(&format!("oware,slam={slam}"), from), [6], "{slam}");
        }
        for slam in ["nothing", "takes-all", "illegal"] {
            assert_eq!(legal(&format!("oware,feed=free,slam={slam}"), from), [1, 6], "{slam}");
        }
        // "By not feeding" is part of this option, whatever `feed` says.
        assert_eq!(legal("oware,feed=free,slam=illegal-unless-only", from), [6]);
    }

    #[test]
    fn an_opponent_who_cannot_be_fed_ends_the_game_by_the_end_option() {
        let from = "2-1-0-0-0-0-0-0-0-0-0-0-1-2-S";
        for feed in ["must", "free"] {
            let unfed = format!("oware,feed={feed}");
            assert_eq!(end(&unfed, from, ""), Some((Finish::Board, [4, 2])));
            let stuck = format!("oware,feed={feed},end=stuck");
            assert_eq!(legal(&stuck, from), [1, 2]);
            assert_eq!(end(&stuck, from, "2"), Some((Finish::Board, [4, 2])));
        }
    }

    #[test]
    fn a_mover_without_stones_leaves_the_rest_to_the_opponent() {
        for options in ["", ",end=stuck", ",feed=free", ",feed=free,end=stuck", ",slam=illegal"] {
            let game = format!("oware{options}");
            let from = "0-0-0-0-0-0-0-3-0-0-0-1-5-6-S";
            assert_eq!(end(&game, from, ""), Some((Finish::Board, [5, 10])), "{options}");
        }
    }

    #[test]
    fn the_club_variant_has_neither_ban_nor_duty() {
        let club = "oware,feed=free,end=stuck";
        assert_eq!(ruleset(club).choice("slam"), Some("takes-all"));
        let starve = "1-0-0-0-0-1-0-0-0-0-0-0-0-0-S";
        assert_eq!(end(club, starve, "1"), Some((Finish::Board, [2, 0])));
        let slam = "1-1-2-2-1-0-4-0-3-0-6-0-0-0-N";
        assert_eq!(end(club, slam, "5"), Some((Finish::Board, [0, 20])));
    }

    /// Slam forbidden, feeding required, nothing else to play: every option has its outcome.
    #[test]
    fn the_stuck_looking_board() {
        let from = "1-1-0-2-1-17-0-0-0-0-0-0-0-0-S";
        let (all, quiet) = (vec![1, 2, 4, 5, 6], vec![1, 2, 4, 5]);
        // `None`: the game is over and South keeps his 22 stones.
        for (slam, feed, end_option, expected) in [
            ("nothing", "must", "unfed", Some(vec![6])),
            ("nothing", "must", "stuck", Some(vec![6])),
            ("nothing", "free", "unfed", Some(all.clone())),
            ("nothing", "free", "stuck", Some(all.clone())),
            ("takes-all", "must", "unfed", Some(vec![6])),
            ("takes-all", "must", "stuck", Some(vec![6])),
            ("takes-all", "free", "unfed", Some(all.clone())),
            ("takes-all", "free", "stuck", Some(all.clone())),
            ("illegal", "must", "unfed", None),
            ("illegal", "must", "stuck", Some(quiet.clone())),
            ("illegal", "free", "unfed", None),
            ("illegal", "free", "stuck", Some(quiet)),
            ("illegal-unless-only", "must", "unfed", None),
            ("illegal-unless-only", "must", "stuck", Some(all.clone())),
            ("illegal-unless-only", "free", "unfed", None),
            ("illegal-unless-only", "free", "stuck", Some(all)),
        ] {
            for name in ["oware", "awari"] {
                let game = format!("{name},feed={feed},end={end_option},slam={slam}");
                match &expected {
                    Some(pits) => assert_eq!(legal(&game, from), *pits, "{game}"),
                    None => {
                        let over = Some((Finish::Board, [22, 0]));
                        assert_eq!(end(&game, from, ""), over, "{game}");
                    }
                }
            }
        }
        let fed = reached("2-2-1-3-2-0-2-2-2-2-2-2-0-0-N", 0);
        assert_eq!(sow("oware", from, 6), fed);
        let slammed = reached("2-2-1-3-2-0-0-0-0-0-0-0-12-0-N", 12);
        assert_eq!(sow("oware,slam=takes-all", from, 6), slammed);
    }

    #[test]
    fn repetition_own_side_ends_at_the_third_occurrence() {
        let from = "1-0-1-0-5-3-S";
        let once = "1 1 2 2";
        let twice = format!("{once} {once}");
        for game in ["oware", "awari"] {
            let own_side = format!("{game},repetition=own-side");
            assert_eq!(play(game, from, &twice), (from.to_owned(), None, None));
            assert_eq!(play(&own_side, from, once), (from.to_owned(), None, None));
            assert_eq!(end(&own_side, from, &twice), Some((Finish::Repetition, [6, 4])));
        }
    }

    #[test]
    fn stop_majority_ends_play_above_half() {
        let from = "0-0-0-0-2-1-1-0-0-0-0-1-4-2-S";
        assert_eq!(end("oware,stop=majority", from, "6"), Some((Finish::Majority, [6, 2])));
        assert_eq!(end("oware", from, "6"), None);
    }
}

mod mangala {
    use super::*;

    #[test]
    fn turn_4_5_from_the_start() {
        let (reached, finish, _) = play("mangala", START, "4-5");
        assert_eq!(reached, "4-4-4-1-1-6-5-5-4-4-4-4-2-0-N");
        assert_eq!(finish, None);
    }

    #[test]
    fn line_4_6_4_3_1_gives_north_six_stones_in_pit_2() {
        let (reached, ..) = play("mangala", START, "4-6 4-3-1");
        assert_eq!(dash::parse(&reached).expect("a position").pits[1][1], 6);
    }

    #[test]
    fn two_lines_end_with_a_capture_of_two_stones_by_pit_6() {
        for (line, pit) in [("4-6 4-3-1 6-5 2 6", 5), ("4-6 4-3-1 5 2 6-6", 5)] {
            let (before, ..) = play("mangala", START, line);
            let (after, captured) = sow("mangala", &before, pit);
            assert_eq!(captured, 3, "{line}");
            let pits = |text: &str| dash::parse(text).expect("a position").pits;
            let ([south, north], [south_after, north_after]) = (pits(&before), pits(&after));
            assert_eq!([south[5], north[0]], [0, 2], "{line}");
            assert_eq!([south_after[5], north_after[0]], [0, 0], "{line}");
        }
    }

    #[test]
    fn of_two_or_more_stones_the_first_goes_back_and_a_single_stone_moves_on() {
        assert_eq!(sow("mangala", "2-1-0-0-1-0-0-0-S", 1), reached("1-2-0-0-1-0-0-0-N", 0));
        assert_eq!(sow("mangala", "1-1-0-0-1-0-0-0-S", 1), reached("0-2-0-0-1-0-0-0-N", 0));
        assert_eq!(sow("mangala", "0-1-1-0-1-0-0-0-S", 3), reached("0-1-0-0-1-0-1-0-S", 0));
    }

    #[test]
    fn a_lap_passes_the_opponents_store() {
        let from = "0-0-8-0-0-0-0-0-S";
        assert_eq!(sow("mangala", from, 3), reached("1-1-2-1-1-1-1-0-N", 0));
    }

    #[test]
    fn an_opponents_pit_that_becomes_even_is_captured() {
        assert_eq!(sow("mangala", "1-0-3-1-1-0-0-0-S", 3), reached("1-0-1-0-1-0-3-0-N", 2));
        assert_eq!(sow("mangala", "1-0-3-2-1-0-0-0-S", 3), reached("1-0-1-3-1-0-1-0-N", 0));
    }

    #[test]
    fn lone_decides_about_a_last_stone_opposite_an_empty_pit() {
        let bare = "1-0-1-2-0-0-0-0-S";
        assert_eq!(sow("mangala", bare, 1), reached("0-1-1-2-0-0-0-0-N", 0));
        assert_eq!(sow("mangala,lone=take", bare, 1), reached("0-0-1-2-0-0-1-0-N", 1));
        let faced = "1-0-1-0-2-1-0-0-S";
        for game in ["mangala", "mangala,lone=take"] {
            assert_eq!(sow(game, faced, 1), reached("0-0-1-0-0-1-3-0-N", 3));
        }
    }

    #[test]
    fn the_rest_goes_to_the_emptied_row_also_after_a_capture() {
        let captured = "1-0-1-0-2-0-0-0-S";
        assert_eq!(end("mangala", captured, "1"), Some((Finish::Board, [3, 1])));
        assert_eq!(end("mangala,remainder=owner", captured, "1"), Some((Finish::Board, [4, 0])));
        let sown_out = "0-0-1-0-2-0-0-0-S";
        assert_eq!(end("mangala", sown_out, "3"), Some((Finish::Board, [3, 0])));
        assert_eq!(end("mangala,remainder=owner", sown_out, "3"), Some((Finish::Board, [1, 2])));
    }

    #[test]
    fn end_decides_whether_a_row_emptied_by_its_owner_finishes_the_board() {
        let from = "0-1-0-2-1-0-0-0-S";
        assert_eq!(end("mangala", from, "2"), Some((Finish::Board, [4, 0])));
        assert_eq!(end("mangala,end=mover", from, "2"), None);
        assert_eq!(play("mangala,end=mover", from, "2").0, "0-0-0-0-1-0-3-0-N");
    }
}

mod bestemshe {
    use super::*;

    #[test]
    fn of_two_or_more_stones_the_first_goes_back_and_no_store_is_sown() {
        assert_eq!(sow("bestemshe", "2-1-1-0-0-0-S", 1), reached("1-2-1-0-0-0-N", 0));
        assert_eq!(sow("bestemshe", "1-1-1-0-0-0-S", 1), reached("0-2-1-0-0-0-N", 0));
        assert_eq!(sow("bestemshe", "5-0-0-0-0-0-S", 1), reached("2-1-1-1-0-0-N", 0));
    }

    #[test]
    fn an_opponents_pit_that_becomes_even_is_captured_and_three_stay() {
        assert_eq!(sow("bestemshe", "0-2-1-1-0-0-S", 2), reached("0-1-0-1-2-0-N", 2));
        assert_eq!(sow("bestemshe", "0-2-2-1-0-0-S", 2), reached("0-1-3-1-0-0-N", 0));
        assert_eq!(sow("bestemshe", "1-2-1-1-0-0-S", 1), reached("0-3-1-1-0-0-N", 0));
    }

    #[test]
    fn stop_26_ends_play_at_26() {
        let from = |store| format!("0-2-1-{}-{store}-0-S", 47 - store);
        assert_eq!(end("bestemshe", &from(24), "2"), Some((Finish::Majority, [26, 0])));
        assert_eq!(end("bestemshe", &from(23), "2"), None);
        assert_eq!(end("bestemshe,stop=none", &from(24), "2"), None);
        let small = "0-2-1-1-2-0-S";
        assert_eq!(end("bestemshe,stop=majority", small, "2"), Some((Finish::Majority, [4, 0])));
    }

    #[test]
    fn without_stones_to_move_the_other_keeps_his_rest() {
        assert_eq!(end("bestemshe", "0-2-1-0-0-0-S", "2"), Some((Finish::Board, [3, 0])));
        assert_eq!(end("bestemshe", "1-0-0-0-0-0-S", ""), None);
    }

    #[test]
    fn repetition_draw_ends_at_the_third_occurrence() {
        let from = "1-0-1-0-5-3-S";
        let once = "1 1 2 2";
        let twice = format!("{once} {once}");
        assert_eq!(end("bestemshe", from, &twice), None);
        assert_eq!(end("bestemshe,repetition=draw", from, once), None);
        let drawn = Some((Finish::Repetition, [5, 5]));
        assert_eq!(end("bestemshe,repetition=draw", from, &twice), drawn);
        // Stores of more than half, and an odd number of stones.
        let led = |text: &str| end("bestemshe,repetition=draw,stop=none", text, &twice);
        assert_eq!(led("1-0-1-0-7-1-S"), Some((Finish::Repetition, [7, 3])));
        assert_eq!(led("1-0-1-0-1-7-S"), Some((Finish::Repetition, [3, 7])));
        assert_eq!(led("1-0-1-0-2-3-S"), Some((Finish::Repetition, [3, 3])));
    }
}
