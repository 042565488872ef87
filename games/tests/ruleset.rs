//! Rulesets: their strings, defaults, keys and errors.

use games::toguz::Toguz;
use games::{AnyRuleset, Playable, Ruleset, registry};

fn canonical(text: &str) -> String {
    text.parse::<AnyRuleset>().expect("a ruleset").to_string()
}

#[test]
fn the_canonical_string_prints_every_option() {
    let full = "kalah:6x4,capture=nonempty,remainder=owner,end=either";
    for (text, expected) in [
        ("kalah", &*format!("{full},stop=none")),
        (full, &*format!("{full},stop=none")),
        (
            " kalah:6x5,stop=majority,capture=empty",
            "kalah:6x5,capture=empty,remainder=owner,end=either,stop=majority",
        ),
        ("mangala", "mangala:6x4,lone=stay,remainder=emptied,end=either"),
        ("toguz", "toguz:9x9,stop=82"),
        ("toguz:9x8,stop=none", "toguz:9x8,stop=none"),
        ("bestemshe", "bestemshe:5x5,repetition=split,stop=26"),
        ("oware", "oware:6x4,feed=must,end=unfed,slam=nothing,repetition=split,stop=none"),
        (
            "awari",
            "awari:6x4,feed=must,end=unfed,slam=illegal-unless-only,repetition=split,stop=none",
        ),
    ] {
        assert_eq!(canonical(text), expected);
    }
}

#[test]
fn feed_free_makes_slams_free_unless_told_otherwise() {
    let free = "feed=free,end=stuck,slam=takes-all,repetition=split,stop=none";
    for game in ["oware", "awari"] {
        assert_eq!(
            canonical(&format!("{game}:6x4,feed=free,end=stuck")),
            format!("{game}:6x4,{free}")
        );
        let told = canonical(&format!("{game},slam=nothing,feed=free"));
        assert!(told.contains("feed=free,end=unfed,slam=nothing"), "{told}");
    }
}

#[test]
fn every_value_of_every_option_is_read_and_chosen() {
    for spec in registry::games() {
        for option in spec.options {
            for (value, _) in option.values {
                let text = format!("{}:3x2,{}={value}", spec.name, option.name);
                match text.parse().expect("a ruleset") {
                    AnyRuleset::Sides(ruleset) => has(&ruleset, option.name, value),
                    AnyRuleset::Toguz(ruleset) => has(&ruleset, option.name, value),
                }
            }
        }
    }
}

fn has<R: Playable>(ruleset: &Ruleset<R>, option: &str, value: &str) {
    assert_eq!(ruleset.choice(option), Some(value), "{ruleset}");
    assert_eq!((ruleset.pits(), ruleset.seeds(), ruleset.stones()), (3, 2, 12));
}

#[test]
fn tables_are_shared_by_what_cannot_change_a_value() {
    let key = |text: &str| text.parse::<Ruleset>().expect("a ruleset").table_key();
    assert_eq!(key("kalah"), "kalah:6,capture=nonempty,remainder=owner,end=either");
    assert_eq!(key("kalah:6x5,stop=majority"), key("kalah"));
    assert_ne!(key("kalah,end=mover"), key("kalah"));
    assert_ne!(key("kalah:5x4"), key("kalah"));
    assert_ne!(key("awari,slam=nothing"), key("oware"));
}

#[test]
fn a_wrong_ruleset_says_what_is_wrong() {
    let too_large = "does not fit: 1 to 9 pits a side and at most 127 stones on the board are \
                     possible";
    for (text, error) in [
        (
            "chess",
            "unknown game `chess`; known games: kalah, mangala, oware, awari, bestemshe, toguz"
                .to_owned(),
        ),
        (
            "",
            "unknown game ``; known games: kalah, mangala, oware, awari, bestemshe, toguz"
                .to_owned(),
        ),
        ("kalah:6", "board size `6` is not PITSxSEEDS, for example 6x4".to_owned()),
        ("kalah:6x-4", "board size `6x-4` is not PITSxSEEDS, for example 6x4".to_owned()),
        ("kalah:+6x4", "board size `+6x4` is not PITSxSEEDS, for example 6x4".to_owned()),
        ("kalah:10x1", format!("a board of 10x1 {too_large}")),
        ("kalah:0x4", format!("a board of 0x4 {too_large}")),
        ("kalah:8x8", format!("a board of 8x8 {too_large}")),
        (
            "kalah,slam=nothing",
            "kalah has no option `slam`; its options: capture, remainder, end, stop".to_owned(),
        ),
        ("kalah,", "kalah has no option ``; its options: capture, remainder, end, stop".to_owned()),
        (
            "kalah,capture=all",
            "option `capture` of kalah cannot be `all`; its values: nonempty, empty".to_owned(),
        ),
        (
            "kalah,capture",
            "option `capture` of kalah cannot be ``; its values: nonempty, empty".to_owned(),
        ),
        ("kalah,end=mover,end=either", "option `end` is given twice".to_owned()),
    ] {
        let found = text.parse::<Ruleset>().map_err(|error| error.to_string());
        assert_eq!(found.as_ref().map_err(String::as_str), Err(&*error), "{text}");
        let found = text.parse::<AnyRuleset>().map_err(|error| error.to_string());
        assert_eq!(found.as_ref().map_err(String::as_str), Err(&*error), "{text}");
    }
}

#[test]
fn tuzdyks_are_another_type_of_rules() {
    let error = "toguz is not for this command, because of its tuzdyks; it can be shown, counted and \
                 estimated (show, perft, solve), and tables of it be built and asked (build, verify, \
                 stats, query)";
    let found = "toguz".parse::<Ruleset>().map_err(|error| error.to_string());
    assert_eq!(found, Err(error.to_owned()));
    let found = "kalah".parse::<Ruleset<Toguz>>().map_err(|error| error.to_string());
    let error = "kalah is not a game with tuzdyks, which is asked for here";
    assert_eq!(found, Err(error.to_owned()));
    let found = "toguz:9x10".parse::<AnyRuleset>().map_err(|error| error.to_string());
    let error = "a board of 9x10 does not fit: 1 to 9 pits a side and at most 162 stones on the \
                 board are possible";
    assert_eq!(found, Err(error.to_owned()));
}

#[test]
fn the_largest_boards_fit() {
    for text in ["kalah:9x7", "kalah:1x63", "oware:7x9"] {
        let ruleset: Ruleset = text.parse().expect("a ruleset");
        assert_eq!(games::Position::start(&ruleset).total(), ruleset.stones(), "{text}");
    }
}
