//! Game records: a part of real ones, the rules they prove, and broken ones among sound ones.

use std::io::{BufReader, Read};

use games::record::{Form, GameResult, Located, MAX_RECORD, ReadError, Reader, Record, replay};
use games::toguz::Toguz;
use games::{Playable, Ruleset};

const REAL: &str = include_str!("../../data/games/toguz-73.txt");

/// Everything a text holds, sound or not, with what is wrong as `line: reason`.
fn told<R: Playable>(game: &str, text: &[u8]) -> Vec<Result<Record, (u64, String)>> {
    let ruleset: Ruleset<R> = game.parse().expect(game);
    let rules = ruleset.rules();
    let judge = |read: Result<Located, ReadError>| match read {
        Ok(located) => match replay(&ruleset, &rules, &located.record) {
            Ok(_) => Ok(located.record),
            Err(fault) => Err((fault.line(&located), fault.to_string())),
        },
        Err(ReadError::Broken(broken)) => Err((broken.line, broken.reason.to_string())),
        Err(ReadError::Io { line, error }) => Err((line, error.to_string())),
    };
    Reader::new(text, Form::of(&ruleset, &rules)).map(judge).collect()
}

fn records<R: Playable>(game: &str, text: &str) -> Vec<Record> {
    let told = told::<R>(game, text.as_bytes());
    told.into_iter()
        .map(|told| told.unwrap_or_else(|wrong| panic!("{wrong:?} in {text}")))
        .collect()
}

#[test]
fn real_records_replay_without_a_mismatch() {
    let records = records::<Toguz>("toguz", REAL);
    assert_eq!(records.len(), 73);
    let count = |of: &dyn Fn(&Record) -> bool| records.iter().filter(|record| of(record)).count();
    assert_eq!(
        count(&|record| record.sowings.is_empty()),
        REAL.matches("\n\n1-0\n").count()
            + REAL.matches("\n\n0-1\n").count()
            + REAL.matches("\n\n1/2-1/2\n").count()
    );
    assert_eq!(count(&|record| record.atsyrau), REAL.matches("{zero}").count());
    let draws = REAL.matches("[Result \"1/2-1/2\"]").count();
    assert_eq!(count(&|record| record.result == GameResult::Draw), draws);
    let sowings: usize = records.iter().map(|record| record.sowings.len()).sum();
    let written = REAL.split_whitespace().filter(|word| {
        word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains(['.', '-', '"'])
    });
    assert_eq!(sowings, written.count());
}

#[test]
fn real_records_are_written_as_they_were_byte_for_byte() {
    let ruleset: Ruleset<Toguz> = "toguz".parse().expect("a game");
    let form = Form::of(&ruleset, &ruleset.rules());
    let mut written = Vec::new();
    for record in records::<Toguz>("toguz", REAL) {
        games::record::write(&record, form, &mut written).expect("a record");
    }
    let written = String::from_utf8(written).expect("UTF-8");
    for (at, (written, real)) in written.lines().zip(REAL.lines()).enumerate() {
        assert_eq!(written, real, "line {}", at + 1);
    }
    assert_eq!(written.trim_end().len(), REAL.trim_end().len());
}

/// The rules of tuzdyks, each of which can be left out.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Rule {
    ExactlyThree,
    OneEach,
    NotTheNinth,
    NotTheSameNumber,
    BarredStonesStay,
    ThreeGoToTheOwner,
    OwnStonesGoToTheOwner,
    OpponentsStonesGoToTheOwner,
    NeverCaptured,
}

/// Replays a record stone by stone without one of the rules; returns whether the record still
/// agrees.
fn agrees_without(rule: Option<Rule>, record: &Record) -> bool {
    let has = |asked: Rule| rule != Some(asked);
    let mut pits = [[9u32; 9]; 2];
    let (mut stores, mut tuzdyks) = ([0; 2], [None; 2]);
    for (ply, sowing) in record.sowings.iter().enumerate() {
        let (me, you) = (ply % 2, 1 - ply % 2);
        let hand = std::mem::take(&mut pits[me][usize::from(sowing.pit)]);
        if hand == 0 {
            return false;
        }
        let first = usize::from(sowing.pit) + usize::from(hand == 1);
        let way = (first..first + hand as usize).map(|step| (step % 18 / 9, step % 9));
        let place = |(row, pit): (usize, usize)| (if row == 0 { me } else { you }, pit);
        let (row, pit) =
            way.map(place).inspect(|&(row, pit)| pits[row][pit] += 1).last().expect("stones");
        let stones = pits[row][pit];
        let (mut captured, mut made) = (0, false);
        if row == you && (tuzdyks[me] != Some(pit) || !has(Rule::NeverCaptured)) {
            let is_three = stones == 3 || (stones % 6 == 3 && !has(Rule::ExactlyThree));
            let may = (tuzdyks[me].is_none() || !has(Rule::OneEach))
                && (pit != 8 || !has(Rule::NotTheNinth))
                && (tuzdyks[you] != Some(pit) || !has(Rule::NotTheSameNumber));
            if stones.is_multiple_of(2) || (is_three && !may && !has(Rule::BarredStonesStay)) {
                captured = std::mem::take(&mut pits[row][pit]);
            } else if is_three && may {
                (tuzdyks[me], made) = (Some(pit), true);
            }
        }
        stores[me] += captured;
        for owner in [me, you] {
            let rule = match (owner == me, made) {
                (true, true) => Rule::ThreeGoToTheOwner,
                (true, false) => Rule::OwnStonesGoToTheOwner,
                (false, _) => Rule::OpponentsStonesGoToTheOwner,
            };
            let fallen = tuzdyks[owner].map(|pit| std::mem::take(&mut pits[1 - owner][pit]));
            stores[owner] += fallen.filter(|_| has(rule)).unwrap_or(0);
        }
        let total = (captured > 0).then_some(stores[me]);
        if sowing.landing.map(usize::from) != Some(pit)
            || sowing.tuzdyk != made
            || sowing.store != total
        {
            return false;
        }
    }
    let rest = [0, 1].map(|row| pits[row].iter().sum::<u32>());
    let is_atsyrau = rest[record.sowings.len() % 2] == 0;
    let ends = [0, 1].map(|player| stores[player] + rest[player]);
    let is_over = is_atsyrau || stores.iter().any(|&store| store >= 82);
    is_atsyrau == record.atsyrau
        && (!is_over
            || record.result == GameResult::of_stores(if is_atsyrau { ends } else { stores }))
}

#[test]
fn leaving_out_any_rule_of_tuzdyks_contradicts_real_records() {
    let records = records::<Toguz>("toguz", REAL);
    assert!(records.iter().all(|record| agrees_without(None, record)));
    let rules = [
        Rule::ExactlyThree,
        Rule::OneEach,
        Rule::NotTheNinth,
        Rule::NotTheSameNumber,
        Rule::BarredStonesStay,
        Rule::ThreeGoToTheOwner,
        Rule::OwnStonesGoToTheOwner,
        Rule::OpponentsStonesGoToTheOwner,
        Rule::NeverCaptured,
    ];
    for rule in rules {
        let failing = records.iter().filter(|record| !agrees_without(Some(rule), record)).count();
        assert!(failing > 0, "no record needs {rule:?}");
    }
}

const HEAD: &str = "[White \"a\"]\n[Black \"b\"]\n\n";
const SOUND: &str = "[White \"x\"]\n[Black \"y\"]\n\n1. 76(10) 87(2)\n2. 99 67 3. 88X 1-0\n\n";

/// Broken records: the text behind the head, a part of the line that is told, a part of the
/// reason.
const BROKEN: &[(&str, &str, &str)] = &[
    // Cut off.
    ("1. 76(10) 87(2)\n2. 99", "2. 99", "cut off"),
    ("1. 76(10) 87(2)\n2. 9", "2. 9", "cut off"),
    ("1. 76(10) 87(2) 2.", "2.", "cut off"),
    ("1. 76(10)\n87(", "87(", "no closing )"),
    ("1. 76(10) 0-", "0-", "`0-` is no turn"),
    ("", "Black", "tags without a game"),
    ("{only a comment}", "only", "tags without a game"),
    ("(only a variation)", "only", "tags without a game"),
    ("1.", "1.", "tags without a game"),
    ("1. {never closed 87(2) 0-1", "never", "no closing }"),
    ("1. 76(10)\n(never closed 0-1", "never", "no closing )"),
    ("1. 76(10) (a (b) 0-1", "76", "no closing )"),
    ("1. 76(10) (a {)} 0-1", "76", "no closing )"),
    // Brackets.
    ("1. 76(10)) 0-1", "76", "`)` closes nothing"),
    ("1. 76(10)\n} 0-1", "}", "`}` closes nothing"),
    ("1. 76(10) [Site \"x\"] 0-1", "Site", "a tag pair among the turns"),
    ("1. 76(10) [ 0-1", "[ 0", "tag pair must be"),
    // Tags.
    ("[Site \"no end\n\n1. 76(10) 0-1", "no end", "tag pair must be"),
    ("[Site \"no bracket\"\n\n1. 76(10) 0-1", "no bracket", "tag pair must be"),
    ("[Si te \"x\"]\n\n1. 76(10) 0-1", "Si te", "tag pair must be"),
    ("[Site x]\n\n1. 76(10) 0-1", "Site x", "tag pair must be"),
    ("[]\n\n1. 76(10) 0-1", "[]", "tag pair must be"),
    ("[Site \"x\"] [Site \"y\"]\n\n1. 76(10) 0-1", "Site", "tag Site is there twice"),
    // Numbers of turns.
    ("1. 76(10) 3. 87(2) 0-1", "3.", "turn number 3 where 1"),
    ("2. 76(10) 0-1", "2.", "turn number 2 where 1"),
    ("0. 76(10) 0-1", "0.", "turn number 0 where 1"),
    ("1. 76(10) 87(2)\n4. 99 0-1", "4.", "turn number 4 where 2"),
    ("99999999999999999999999. 76(10) 0-1", "999", "where 1"),
    // Words.
    ("1. 00 0-1", "00", "`00` is no turn"),
    ("1. 70 0-1", "70", "`70` is no turn"),
    ("1. 0 *", "0 *", "`0` is no turn"),
    ("1. 766 *", "766", "`766` is no turn"),
    ("1. 76+ *", "76+", "`76+` is no turn"),
    ("1. 76+x *", "76+x", "`76+x` is no turn"),
    ("1. 76(4294967296) *", "76(", "`76(4294967296)` is no turn"),
    ("1. 76(10)(10) *", "76(", "`76(10)(10)` is no turn"),
    ("1. 76XX *", "76XX", "`76XX` is no turn"),
    ("1. hello *", "hello", "`hello` is no turn"),
    ("1. J *", "J", "`J` is no turn"),
    ("1. 76(10) 1-O", "1-O", "`1-O` is no turn"),
    ("1. 76(10) 1/2", "1/2", "`1/2` is no turn"),
    ("1. 76(10) \u{1}\u{2}\u{3} *", "76", "`\\u{1}\\u{2}\\u{3}` is no turn"),
    // Against the rules.
    ("1. 7 8\n2. 7 *", "2. 7", "ply 3: pit 7 of South is empty"),
    ("1. a *", "a *", "ply 1: the letter is that of a pit of North"),
    ("1. 12 *", "12", "ply 1: the last stone lands in pit 9 of the mover, not in pit 2"),
    ("1. 76(11) *", "76", "ply 1: South has 10 stones in the store then, not 11"),
    ("1. 76 *", "76", "ply 1: 10 stones are captured, not 0"),
    ("1. 76x9 *", "76", "ply 1: 10 stones are captured, not 9"),
    ("1. 19(9) *", "19", "ply 1: a capture is written, but nothing is captured"),
    ("1. 19X *", "19", "ply 1: a tuzdyk is written"),
    ("1. 76(10) 87(2) 2. 99 67\n3. 88 79 *", "3. 88", "ply 5: a tuzdyk is made here"),
    ("1. 7 8\n1-0 {zero}", "zero", "ply 2: the game is said to end"),
    ("1. 7 8\n5-40", "5-40", "ply 2: a score of 5 to 40"),
    ("1. 7 8\n100-100", "100-100", "ply 2: a score of 100 to 100"),
    ("[Result \"1-0\"]\n\n1. 7 8\n0-1", "0-1", "ply 2: the tag Result says 1-0"),
    ("[FEN \"9S/8 1 2 X 1\"]\n\n1. 7 *", "White", "ply 0: the position in the tag FEN"),
    (
        "[FEN \"0-0-0-0-0-0-0-0-1-1-0-0-0-0-0-0-0-0-82-78-S\"]\n\n1. 9 *",
        "1. 9",
        "ply 1: the game is over",
    ),
    (
        "[FEN \"0-0-0-0-0-0-0-0-0-1-0-0-0-0-0-0-0-0-81-80-S\"]\n\n1-0",
        "1-0",
        "ply 0: the result 1-0 is written, but the game is over with 81 to 81 stones",
    ),
];

/// The text as it is, with CRLF, with a byte order mark, and without empty lines.
fn dressed(text: &str) -> [String; 4] {
    let lines: String = text
        .lines()
        .filter(|line| !line.is_empty())
        .fold(String::new(), |text, line| text + line + "\n");
    [text.to_owned(), text.replace('\n', "\r\n"), format!("\u{feff}{text}"), lines]
}

/// Asserts that of three records the one in the middle is told and the others are read.
fn assert_told(text: &str, place: &str, reason: &str) {
    for text in dressed(text) {
        let told = told::<Toguz>("toguz", text.as_bytes());
        let [Ok(_), Err((line, found)), Ok(_)] = told.as_slice() else {
            panic!("{told:?} in {text}");
        };
        assert!(found.contains(reason), "{found} instead of {reason} in {text}");
        let there = text.lines().nth(*line as usize - 1);
        assert!(there.is_some_and(|there| there.contains(place)), "line {line} in {text}");
    }
}

#[test]
fn broken_records_are_told_and_stop_nothing() {
    assert!(4 * BROKEN.len() > 200);
    for (body, place, reason) in BROKEN {
        assert_told(&format!("{SOUND}{HEAD}{body}\n\n{SOUND}"), place, reason);
    }
}

#[test]
fn text_without_tags_is_told_and_stops_nothing() {
    let cases = [
        ("1. 76(10) 87(2) 1-0", "1. 76", "a game without tags"),
        ("76(10) 1-0", "76", "a game without tags"),
        ("1. 76(10) 87(2)", "1. 76", "cut off"),
        ("hello world", "hello", "text that is no record: `hello`"),
        ("\u{0}\u{1}{\u{2}", "\u{0}", "text that is no record"),
        ("]]]", "]]]", "text that is no record"),
        ("{", "{", "no closing }"),
        ("}", "}", "`}` closes nothing"),
        ("1-0", "1-0", "text that is no record: `1-0`"),
    ];
    for (text, place, reason) in cases {
        assert_told(&format!("{SOUND}{text}\n\n{SOUND}"), place, reason);
    }
}

/// What stands alone and begins like a tag does not take the head behind an empty line with it.
#[test]
fn broken_tags_do_not_swallow_the_next_record() {
    for (broken, reason) in [
        ("[W\"", "tag pair must be"),
        ("[W \"a\"", "tag pair must be"),
        ("[W \"a\"] junk", "`junk` is no turn"),
        ("[W \"a\"] 1. 76(10)", "cut off"),
    ] {
        let told = told::<Toguz>("toguz", format!("{SOUND}{broken}\n\n{SOUND}").as_bytes());
        let [Ok(_), Err((7, found)), Ok(_)] = told.as_slice() else {
            panic!("{told:?} for {broken}");
        };
        assert!(found.contains(reason), "{found}");
    }
    // A head may have empty lines, and lines of comments.
    for between in ["; a", "% b", "%[Event \"?]", "{c} ; d", ""] {
        let text = format!("{SOUND}[W \"a\"]\n{between}\n[X \"b\"]\n{between}\n1. 7 *\n\n{SOUND}");
        let tags = records::<Toguz>("toguz", &text).into_iter().map(|record| record.tags);
        assert_eq!(tags.map(|tags| tags.iter().count()).collect::<Vec<_>>(), [2, 2, 2], "{text}");
    }
    assert_eq!(records::<Toguz>("toguz", "[W \"a\"] [X \"b\"]\n\n[Y \"c\"]\n\n1. 7 *\n").len(), 1);
}

#[test]
fn odd_records_are_read() {
    let sowings = [
        ("1. 76(10) 87(2) 2. 99 67 3. 88X 1-0", 5),
        ("76(10) 87(2) 99 67 88X 1-0", 5),
        ("1.76(10) 87(2) 2.99 67 3.88X 1-0", 5),
        ("1.\n76(10)\n87(2)\n2.\n99\n1-0", 3),
        ("1. 76(10) {a} 1... 87(2) {b\n{c} (1... 99 (x) {)}) $3 2. 99! 67?! 1-0", 4),
        ("1. 76(10){tight}87(2)(variation)2. 99 *{behind}", 3),
        ("1. 76(10) ; to the end (of {the line\n87(2);tight\n% for programs [X \"\n2. 99 *", 3),
        ("1. 7 8 2. 9 6 3. 8 1-0", 5),
        ("1. G h 2. I f 3. H 1-0", 5),
        ("1. 7+10 8x2 2. 9 *", 3),
        ("1. 76(10)+10 *", 1),
        ("1-0", 0),
        ("*", 0),
        ("1. 7 20-100", 1),
        ("[Site \"\"]\n[X \"a \\\"b\\\" \\\\ [c] {d\"]\n   [ Y   \"e\" ] [Z \"f\"]\n1. 7 *", 1),
        ("[Result \"?\"]\n\n1. 7 *", 1),
        ("[Result \"1-0\"]\n\n1. 7 *", 1),
        ("\n\n\n\t1. 7\t\t*\n\n\n\n", 1),
    ];
    for (body, count) in sowings {
        for text in dressed(&format!("{SOUND}{HEAD}{body}\n\n{SOUND}")) {
            let records = records::<Toguz>("toguz", &text);
            let counts: Vec<usize> = records.iter().map(|record| record.sowings.len()).collect();
            assert_eq!(counts, [5, count, 5], "{text}");
        }
    }
}

#[test]
fn tags_are_read_with_their_escapes() {
    let text = "[White \"a \\\"b\\\" \\\\ \\n\"]\n[BlackElo \"1500\"]\n[WhiteElo \"?\"]\n\n*\n";
    let record = records::<Toguz>("toguz", text).remove(0);
    assert_eq!(record.tags.player(games::Player::South), Some("a \"b\" \\ \\n"));
    assert_eq!(record.tags.rating(games::Player::North), Some(1500));
    assert_eq!(record.tags.rating(games::Player::South), None);
}

#[test]
fn a_hundred_megabytes_in_a_line_are_told_and_stop_nothing() {
    for filling in [b'7', b'{', b'\0', b'['] {
        let line = std::io::repeat(filling).take(100 << 20);
        let (before, after) = (format!("{SOUND}{HEAD}1. 7 "), format!("\n\n{SOUND}"));
        let input = BufReader::new(before.as_bytes().chain(line).chain(after.as_bytes()));
        let ruleset: Ruleset<Toguz> = "toguz".parse().expect("a game");
        let read: Vec<_> = Reader::new(input, Form::of(&ruleset, &ruleset.rules())).collect();
        let [Ok(_), Err(ReadError::Broken(broken)), Ok(last)] = read.as_slice() else {
            panic!("{} records", read.len());
        };
        assert!(broken.reason.to_string().contains(&MAX_RECORD.to_string()), "{broken}");
        assert_eq!((broken.line, last.line), (10, 12));
    }
}

#[test]
fn oware_is_read_as_programs_write_it() {
    let text = "\
[Event \"Test\"]
[Variant \"Oware Abapa\"]
[South \"a\"]
[North \"b\"]
[FEN \"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\"]
[Result \"26-22\"]

1. F f 2. E {comment} a (2... b 3. A) 3. 4 26-22
";
    let record = records::<games::Rules>("oware", text).remove(0);
    assert_eq!(record.sowings.len(), 5);
    assert_eq!(record.result, GameResult::Score([26, 22]));
    assert_eq!(record.notes.len(), 2);
    let wrong = text.replace("1. F f", "1. F F");
    let told = told::<games::Rules>("oware", wrong.as_bytes());
    assert!(matches!(&told[0], Err((8, reason)) if reason.contains("letter")), "{told:?}");
}

#[test]
fn captures_of_oware_are_compared() {
    let text = |mark: &str| {
        let fen = "0-0-0-0-0-1-2-1-0-0-0-4-0-0-S";
        format!("[South \"a\"]\n[FEN \"{fen}\"]\n\n1. F{mark} *\n")
    };
    for mark in ["", "+3", "x3", "(3)"] {
        assert_eq!(records::<games::Rules>("oware", &text(mark))[0].sowings.len(), 1);
    }
    for mark in ["+2", "x0", "(4)"] {
        assert!(told::<games::Rules>("oware", text(mark).as_bytes())[0].is_err(), "{mark}");
    }
}

#[test]
fn turns_of_games_with_extra_sowings_are_read() {
    for turn in ["3-6", "36", "3-6!"] {
        let text = format!("[White \"a\"]\n\n1. {turn} 2-1 2. 2 4 *\n");
        let record = records::<games::Rules>("kalah", &text).remove(0);
        let ends: Vec<bool> = record.sowings.iter().map(|sowing| sowing.ends_turn).collect();
        assert_eq!(ends, [false, true, false, true, true, true]);
    }
    let wrong = [
        ("1. 3 2-1 *", "sows again in the same turn"),
        ("1. 4-6 *", "cannot sow again"),
        ("1. 3-6-1 *", "cannot sow again"),
        ("1. 3- *", "`3-` is no turn"),
        ("1. 7 *", "there is no pit 7"),
    ];
    for (body, reason) in wrong {
        let text = format!("[White \"a\"]\n\n{body}\n");
        let told = told::<games::Rules>("kalah", text.as_bytes());
        assert!(matches!(&told[0], Err((3, found)) if found.contains(reason)), "{told:?}");
    }
}
