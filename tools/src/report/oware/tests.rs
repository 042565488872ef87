//! What is checked of committed results.

use clap::Parser;

use super::*;
use crate::engine::Resources;

#[derive(Parser)]
struct Given {
    #[command(flatten)]
    resources: Resources,
}

/// Checks a study of the lower layers in which something has been changed.
fn checked(known: &Endgames, change: &dyn Fn(&mut Layer)) -> Result<(), Error> {
    let given = Given::parse_from(["mancala", "--quiet", "--memory", "256MiB"]);
    let random = fastrand::Rng::with_seed(1);
    let resources = &given.resources;
    let mut checker = Checker { resources, samples: 1, random, done: Vec::new() };
    let mut known = known.clone();
    change(&mut known.layers[6]);
    check(&mut checker, "it", &known)
}

#[test]
fn anything_wrong_in_the_lower_layers_is_found() {
    let game: Ruleset = "oware".parse().expect("a ruleset");
    let tables = endgame::Given { folder: None, memory: 1 << 28 };
    let layers = endgame::study(&game, 6, &tables, &|_, _| ()).expect("studied");
    let (command, program) = (String::new(), String::new());
    let known = Endgames { game: game.to_string(), command, program, seconds: 0.0, layers };
    checked(&known, &|_| ()).expect("nothing is wrong");

    let wrong = |change: &dyn Fn(&mut Layer)| {
        let error = checked(&known, change).expect_err("it is wrong");
        assert_eq!(error.exit_code(), 1);
        error.to_string()
    };
    let told = wrong(&|layer| layer.greed.thrown += 1);
    assert!(told.contains("`greed` of layer 6"), "{told}");
    let told = wrong(&|layer| layer.tempo.strongest[1].value -= 1);
    assert!(told.contains("`tempo` of layer 6"), "{told}");
    let told = wrong(&|layer| *layer.wins.entry(3).or_default() += 1);
    assert!(told.contains("`wins` of layer 6"), "{told}");
    let told = wrong(&|layer| layer.longest.as_mut().expect("there is one").value += 1);
    assert!(told.contains("layer 6 does not go as it says"), "{told}");
    let told = wrong(&|layer| layer.longest.as_mut().expect("there is one").line.push_str(" 1"));
    assert!(told.contains("layer 6 does not go as it says"), "{told}");
}
