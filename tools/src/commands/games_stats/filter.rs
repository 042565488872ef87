//! Which games count.

use clap::ValueEnum;
use games::Player;
use games::record::{GameResult, Record};
use serde::{Deserialize, Serialize};

use super::date::Date;

/// What a game must be to count. A game that does not say what is asked for does not count.
#[derive(Clone, PartialEq, Debug, Default, clap::Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Filter {
    /// Only games of this player, on either side
    #[arg(long, value_name = "NAME")]
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<String>,
    /// Only games surely played on this day, in this month or year, or later, for example 2025-03
    #[arg(long, value_name = "DATE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<Date>,
    /// Only games surely played on this day, in this month or year, or earlier
    #[arg(long, value_name = "DATE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Date>,
    /// Only games in which both ratings are given and at least this
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    min_rating: Option<u32>,
    /// Only games in which both ratings are given and at most this
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    max_rating: Option<u32>,
    /// Only games with this result, as written
    #[arg(long, value_enum)]
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Winner>,
    /// Only games of at least so many sowings
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    min_plies: Option<usize>,
}

/// Who won.
#[derive(Clone, Copy, PartialEq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Winner {
    South,
    Draw,
    North,
}

impl Winner {
    /// The same in a result; `None` if it is not known.
    pub(crate) fn of(result: GameResult) -> Option<Winner> {
        match result.outcome() {
            GameResult::Win(Player::South) => Some(Winner::South),
            GameResult::Win(Player::North) => Some(Winner::North),
            GameResult::Draw => Some(Winner::Draw),
            GameResult::Score(_) | GameResult::Unknown => None,
        }
    }
}

impl Filter {
    /// Whether a record counts.
    pub(crate) fn takes(&self, record: &Record) -> bool {
        self.takes_player(record)
            && self.takes_date(record)
            && self.takes_ratings(record)
            && self.result.is_none_or(|result| Winner::of(record.result) == Some(result))
            && self.min_plies.is_none_or(|plies| record.sowings.len() >= plies)
    }

    fn takes_player(&self, record: &Record) -> bool {
        self.player.as_deref().is_none_or(|name| {
            Player::BOTH.into_iter().any(|player| record.tags.player(player) == Some(name))
        })
    }

    fn takes_date(&self, record: &Record) -> bool {
        if self.from.is_none() && self.to.is_none() {
            return true;
        }
        let date = record.tags.get("Date").and_then(|date| date.parse::<Date>().ok());
        date.is_some_and(|date| {
            self.from.is_none_or(|from| date.first() >= from.first())
                && self.to.is_none_or(|to| date.last() <= to.last())
        })
    }

    fn takes_ratings(&self, record: &Record) -> bool {
        if self.min_rating.is_none() && self.max_rating.is_none() {
            return true;
        }
        Player::BOTH.into_iter().all(|player| {
            record.tags.rating(player).is_some_and(|rating| {
                self.min_rating.is_none_or(|least| rating >= least)
                    && self.max_rating.is_none_or(|most| rating <= most)
            })
        })
    }
}
