//! What is written is read back equal, and what is played by the rules replays.

use games::record::{
    Form, GameResult, Note, NoteKind, Reader, Record, Sowing, Tags, replay, write,
};
use games::toguz::Toguz;
use games::{Finish, Last, Play, Playable, Player, Position, Rules, Ruleset};
use proptest::prelude::*;
use proptest::sample::Index;

/// Any note with a text that brackets of its kind can hold.
fn note(sowings: usize) -> impl Strategy<Value = Note> {
    // Not `zero`, which says how a game ended.
    let comment = "([^{}\\s]{1,9} ){0,30}[^{}\\s]{1,3}".prop_map(|text| (NoteKind::Comment, text));
    let tag_like = Just((NoteKind::Comment, "a [White \"b\"] ".repeat(9).trim_end().to_owned()));
    let variation = "([a-f0-9.+]{1,9} ){0,9}(\\([a-f]{1,3} \\{[()]\\}\\))?"
        .prop_map(|text| (NoteKind::Variation, text.trim_end().to_owned()));
    (prop_oneof![comment, tag_like, variation], 0..=sowings)
        .prop_map(|((kind, text), after)| Note { after, kind, text })
}

fn tags() -> impl Strategy<Value = Tags> {
    let names = prop::collection::btree_map("[A-Za-z0-9_]{1,8}", "[^\\r\\n]{0,12}", 1..8);
    names.prop_map(|pairs| {
        let mut tags = Tags::default();
        for (name, value) in pairs {
            tags.push(&name, &value).expect("a tag that can be written");
        }
        tags
    })
}

fn result() -> impl Strategy<Value = GameResult> {
    prop_oneof![
        prop::sample::select(&[Player::South, Player::North][..]).prop_map(GameResult::Win),
        Just(GameResult::Draw),
        Just(GameResult::Unknown),
        (10..=u32::MAX, any::<u32>()).prop_map(|(south, north)| GameResult::Score([south, north])),
    ]
}

/// Any turn of a game without extra sowings.
fn single() -> impl Strategy<Value = Vec<Sowing>> {
    let letter = prop::option::of(prop::sample::select(&[Player::South, Player::North][..]));
    let numbers = (prop::option::of(0..=u32::MAX), prop::option::of(0..=u32::MAX));
    let pits = (0..9u8, prop::option::of(0..9u8), letter);
    (pits, any::<bool>(), numbers).prop_map(
        |((pit, landing, player), tuzdyk, (store, captured))| {
            // A letter stands alone.
            let landing = landing.filter(|_| player.is_none());
            vec![Sowing { player, landing, tuzdyk, store, captured, ..Sowing::of_pit(pit) }]
        },
    )
}

/// Any turn of a game with extra sowings.
fn several() -> impl Strategy<Value = Vec<Sowing>> {
    let captured = prop::option::of(0..=u32::MAX);
    (prop::collection::vec(0..9u8, 1..6), captured).prop_map(|(pits, captured)| {
        let sowing = |&pit: &u8| Sowing { ends_turn: false, ..Sowing::of_pit(pit) };
        let mut turn: Vec<Sowing> = pits.iter().map(sowing).collect();
        let last = turn.last_mut().expect("at least one");
        (last.ends_turn, last.captured) = (true, captured);
        turn
    })
}

fn record(turn: impl Strategy<Value = Vec<Sowing>>) -> impl Strategy<Value = Record> {
    let parts = (tags(), prop::collection::vec(turn, 0..80), result(), any::<bool>());
    parts.prop_flat_map(|(tags, turns, result, atsyrau)| {
        let notes = prop::collection::vec(note(turns.len()), 0..6);
        notes.prop_map(move |mut notes| {
            notes.sort_by_key(|note| note.after);
            for note in &mut notes {
                note.after = turns[..note.after].iter().map(Vec::len).sum();
            }
            let (tags, sowings) = (tags.clone(), turns.concat());
            Record { tags, sowings, result, atsyrau, notes }
        })
    })
}

fn form<R: Playable>(game: &str) -> Form {
    let ruleset: Ruleset<R> = game.parse().expect(game);
    Form::of(&ruleset, &ruleset.rules())
}

fn assert_read_back(records: &[Record], form: Form) {
    let mut text = Vec::new();
    for record in records {
        write(record, form, &mut text).expect("a record that can be written");
    }
    let dressed = [text.clone(), String::from_utf8_lossy(&text).replace('\n', "\r\n").into()];
    for text in dressed {
        let read: Vec<Record> = Reader::new(text.as_slice(), form)
            .map(|read| read.expect("a record that can be read").record)
            .collect();
        assert_eq!(read, records, "{}", String::from_utf8_lossy(&text));
    }
}

/// Plays a game at random and writes all that its form can say.
fn played<R: Playable>(game: &str, choices: &[Index]) -> (Record, Form) {
    let ruleset: Ruleset<R> = game.parse().expect(game);
    let rules = ruleset.rules();
    let form = Form::of(&ruleset, &rules);
    let writes_landings = form != self::form::<Rules>("kalah");
    let mut play = Play::new(&ruleset, &rules, Position::start(&ruleset));
    let mut record = Record::default();
    record.tags.push("South", "a").expect("a tag");
    for choice in choices {
        if play.finish().is_some() {
            break;
        }
        let before = play.position();
        let legal: Vec<usize> = rules.legal(before.board()).collect();
        let pit = legal[choice.index(legal.len())];
        let sown = play.sow(pit).expect("a legal sowing");
        let tuzdyks = |setup: games::Setup| setup.tuzdyks.into_iter().flatten().count();
        let [old, new] = [before, play.position()].map(|at| tuzdyks(at.setup(ruleset.pits())));
        let captured = u32::from(sown.captured);
        let store = play.position().stores()[before.to_move() as usize];
        let mut sowing = Sowing::of_pit(pit as u8);
        if writes_landings {
            let (Last::Own(pit) | Last::Other(pit)) = rules.last(before.board(), pit) else {
                panic!("{game} sows no stores");
            };
            sowing.landing = Some(pit);
            sowing.store = (captured > 0).then_some(store);
            sowing.tuzdyk = new > old;
        } else {
            sowing.ends_turn = !sown.again || play.finish().is_some();
            sowing.captured = sowing.ends_turn.then_some(captured);
        }
        record.sowings.push(sowing);
    }
    if let Some(last) = record.sowings.last_mut() {
        last.ends_turn = true;
    }
    record.result = play.final_stores().map_or(GameResult::Unknown, GameResult::of_stores);
    record.atsyrau = play.finish() == Some(Finish::Board);
    replay(&ruleset, &rules, &record).expect("a record that the rules agree with");
    (record, form)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn records_of_games_with_single_sowings_are_read_back(
        records in prop::collection::vec(record(single()), 1..4)
    ) {
        assert_read_back(&records, form::<Toguz>("toguz"));
        assert_read_back(&records, form::<Rules>("oware"));
    }

    #[test]
    fn records_of_games_with_extra_sowings_are_read_back(
        records in prop::collection::vec(record(several()), 1..4)
    ) {
        assert_read_back(&records, form::<Rules>("mangala"));
    }

    #[test]
    fn games_played_at_random_are_read_back_and_replay(
        choices in prop::collection::vec(any::<Index>(), 0..300)
    ) {
        let (toguz, toguz_form) = played::<Toguz>("toguz", &choices);
        assert_read_back(&[toguz], toguz_form);
        for game in ["bestemshe", "kalah", "mangala", "oware", "awari", "bestemshe:3x2"] {
            let (record, form) = played::<Rules>(game, &choices);
            assert_read_back(&[record], form);
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(
        text in prop::collection::vec(
            prop_oneof![
                prop::sample::select(&b"[]{}()\"\\ \n\r1239.-*xX+!$\0\xef\xbb\xbf"[..]),
                any::<u8>(),
            ],
            0..400,
        ),
        cut in any::<Index>(),
    ) {
        let sound = "[White \"a\"]\n[Result \"1-0\"]\n\n1. 76(10) {b} 87(2) (c) 1-0 {zero}\n\n";
        let mut mixed = sound.as_bytes()[..cut.index(sound.len())].to_vec();
        mixed.extend(&text);
        mixed.extend_from_slice(b"\n\n");
        mixed.extend_from_slice(sound.as_bytes());
        for form in [form::<Toguz>("toguz"), form::<Rules>("kalah")] {
            let read: Vec<_> = Reader::new(mixed.as_slice(), form).collect();
            prop_assert!(!read.is_empty());
        }
        // Whatever stands before, the last record is read.
        let last = Reader::new(mixed.as_slice(), form::<Toguz>("toguz")).last();
        prop_assert!(matches!(last, Some(Ok(last)) if last.record.sowings.len() == 2));
    }
}

#[test]
fn what_cannot_be_read_back_is_not_written() {
    let mut record = Record::default();
    let kalah = form::<Rules>("kalah");
    let fails = |record: &Record| write(record, kalah, &mut Vec::new()).is_err();
    assert!(fails(&record), "no tags");
    record.tags.push("White", "a").expect("a tag");
    record.sowings = vec![Sowing::of_pit(2)];
    assert!(!fails(&record));
    for result in [GameResult::Score([4, 6]), GameResult::Score([1, 0])] {
        assert!(fails(&Record { result, ..record.clone() }), "{result}");
    }
    let note = |after, kind, text: &str| Record {
        notes: vec![Note { after, kind, text: text.to_owned() }],
        ..record.clone()
    };
    assert!(!fails(&note(1, NoteKind::Comment, "{ (")));
    assert!(fails(&note(2, NoteKind::Comment, "behind the end")));
    for text in ["a } b", "zero", " a", "a  b", "a\nb"] {
        assert!(fails(&note(1, NoteKind::Comment, text)), "{text}");
    }
    for text in ["a ) b", "a ( b", "{ )"] {
        assert!(fails(&note(1, NoteKind::Variation, text)), "{text}");
    }
    let sowings = [
        vec![Sowing { ends_turn: false, ..Sowing::of_pit(0) }],
        vec![Sowing { landing: Some(1), ..Sowing::of_pit(0) }],
        vec![Sowing { player: Some(Player::South), ..Sowing::of_pit(0) }],
        vec![Sowing::of_pit(9)],
    ];
    for sowings in sowings {
        assert!(fails(&Record { sowings, ..record.clone() }));
    }
    let mut tags = Tags::default();
    for (name, value) in [("", "a"), ("a b", "c"), ("a", "b\nc"), ("\u{e4}", "b")] {
        assert!(tags.push(name, value).is_err(), "{name}");
    }
}
