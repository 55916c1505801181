//! Every variant of every distribution gives numbers of the order of 1.

use radar_kernel::isa::Isa;
use radar_net::{Config, Context, Draw, Input, Mix, Task};
use radar_problem::{Feature, Instance, Variant};
use radar_rollout::{Nearest, Starts, State, rollout};
use radar_sample::Distribution;

use super::{config, instance};

/// Numbers beyond this would drown the others.
const MOST: f32 = 60.0;

fn instances(name: &str, preset: &str, variant: Variant) -> Vec<Instance> {
    let parameters = [("n", "25"), ("variant", &variant.to_string()), ("preset", preset)];
    let distribution = Distribution::named(name, &parameters, None).expect("a distribution");
    (0..3).map(|index| instance(&distribution.sample(3, index).problem)).collect()
}

fn examine(config: &Config, instance: &Instance) {
    let input = Input::of(config, instance, Draw::default(), Isa::best()).expect("made for it");
    let bounded = |values: &[f32]| values.iter().all(|x| x.abs() <= MOST);
    assert!(input.mixed(config).iter().all(|matrix| bounded(matrix)));
    assert!(
        bounded(input.features()) && bounded(input.depot().unwrap_or_default()),
        "{}",
        instance.variant()
    );
    let context = Context::of(config, instance);
    for trajectory in rollout(&[instance], Starts::All, 1, || Nearest) {
        let Some(plan) = trajectory.into_plan() else { continue };
        let mut state = State::new(instance, 0);
        let mut numbers = vec![0.0; context.numbers()];
        for route in &plan.0 {
            for &stop in route {
                state = state.after(instance, stop).0;
                context.fill(&state, &mut numbers);
                assert!(bounded(&numbers), "{} {numbers:?}", instance.variant());
                // A legal route has room, length and shift left.
                assert!(numbers.iter().all(|&x| x >= 0.0), "{} {numbers:?}", instance.variant());
            }
            state = state.after(instance, 0).0;
        }
        assert_eq!(state.remaining, 0);
        context.fill(&state, &mut numbers);
        assert_eq!(
            (numbers[0], *numbers.last().expect("numbers")),
            (1.0, if config.task == Task::Vrp { 0.0 } else { 1.0 })
        );
    }
}

#[test]
fn all_variants_are_bounded() {
    let config = Config { mix: Mix::ALL.to_vec(), rank: 10, ..config(Task::Vrp) };
    for variant in Variant::every().filter(|&variant| variant != Variant::Atsp) {
        for (name, preset) in
            [("multitask", "paper"), ("multitask", "tight"), ("city", "paper"), ("city", "tight")]
        {
            for instance in instances(name, preset, variant) {
                assert_eq!(instance.variant(), variant);
                examine(&config, &instance);
                let input = Input::of(&config, &instance, Draw::default(), Isa::best()).expect("made for it");
                let depot = &input.depot().expect("a depot")[20..];
                let has = |feature| f32::from(u8::from(instance.features().has(feature)));
                assert_eq!(depot[0], has(Feature::Open));
                assert_eq!(depot[2], has(Feature::Limit));
                let returns = has(Feature::Windows) * (1.0 - has(Feature::Open));
                assert_eq!((depot[4], depot[6], depot[9]), (returns, 0.0, 1.0));
                assert_eq!(depot[8] > 0.0, instance.features().has(Feature::Backhaul));
                assert!(input.features()[30..].chunks(30).all(|row| row[24] == has(Feature::Windows)));
            }
        }
    }
}

#[test]
fn the_other_tasks_are_bounded() {
    let distribution = Distribution::named("acvrp", &[("n", "25")], None).expect("a distribution");
    let routes = instance(&distribution.sample(1, 0).problem);
    examine(&config(Task::Acvrp), &routes);
    let input = Input::of(&config(Task::Acvrp), &routes, Draw::default(), Isa::best()).expect("made for it");
    let shares: f32 = input.features().chunks(9).map(|row| row[8]).sum();
    assert!((shares - 1.0).abs() < 1e-5 && input.depot().is_none());
}
