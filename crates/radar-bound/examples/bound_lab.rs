//! Laboratory.
use radar_bound::*;
use radar_problem::*;

struct Instant;
impl Instant {
    fn now() -> f64 {
        let s = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        s.split(" ").next().unwrap().parse::<f64>().unwrap() * 1e-6
    }
}
fn ms(t: f64) -> f64 {
    Instant::now() - t
}
fn load(path: &str) -> (usize, Vec<i32>) {
    let b = std::fs::read(path).unwrap();
    let n = u32::from_le_bytes(b[0..4].try_into().unwrap()) as usize;
    let base = 12 + 4 * n;
    (
        n,
        (0..n * n)
            .map(|i| i32::from_le_bytes(b[base + 4 * i..base + 4 * i + 4].try_into().unwrap()))
            .collect(),
    )
}
fn instance(n: usize, m: &[i32]) -> Instance {
    let t = Table::from_values(n, n, m.iter().map(|&x| x as f64).collect());
    Problem::atsp(t).validate().instance.unwrap()
}
/// or-opt on a tour
fn or_opt(r: &Reduced<i32>, t: &[u32]) -> Vec<u32> {
    let mut t = t.to_vec();
    let n = t.len();
    if n < 8 {
        return t;
    }
    let at = |a: u32, b: u32| r.at(a as usize, b as usize) as i64;
    let mut better = true;
    let mut loops = 0;
    while better && loops < 3 {
        better = false;
        loops += 1;
        for i in 0..n {
            for len in 1..=3usize {
                let p = t[(i + n - 1) % n];
                let a = t[i];
                let b = t[(i + len - 1) % n];
                let q = t[(i + len) % n];
                let gain = at(p, a) + at(b, q) - at(p, q);
                if gain <= 0 {
                    continue;
                }
                let mut best = (0, 0);
                for k in 0..n - len - 1 {
                    let x = t[(i + len + k) % n];
                    let y = t[(i + len + k + 1) % n];
                    if at(x, a) >= gain {
                        continue;
                    }
                    let d = gain + at(x, y) - at(x, a) - at(b, y);
                    if d > best.0 {
                        best = (d, k + 1);
                    }
                }
                if best.0 > 0 {
                    t.rotate_left(i);
                    t[0..len + best.1].rotate_left(len);
                    better = true;
                    break;
                }
            }
        }
    }
    t
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let never: Stop = &|| false;
    match args[1].as_str() {
        "roads" => {
            // ref file
            let refs = std::fs::read_to_string("/tmp/probe/ref.txt").unwrap();
            let rounds: u64 = args[2].parse().unwrap();
            let only: &[String] = &args[3..];
            for size in [100, 200, 500] {
                if !only.is_empty() && !only.contains(&size.to_string()) {
                    continue;
                }
                let (mut k, mut ga, mut gh, mut worst, mut ta, mut th, mut rr) =
                    (0.0, 0.0, 0.0, 0.0f64, 0.0, 0.0, 0);
                for line in refs.lines().filter(|l| l.contains(&format!("\"n\":{size},"))) {
                    let field = |key: &str| {
                        let at = line.find(&format!("\"{key}\":")).unwrap() + key.len() + 3;
                        line[at..].trim_start_matches('"').split(['"', ',']).next().unwrap().to_string()
                    };
                    let best: i64 = field("best").parse().unwrap();
                    let (n, m) = load(&format!("/tmp/roads/{}.bin", field("name")));
                    let i = instance(n, &m);
                    let t = Instant::now();
                    let r = Reduced::by_assignment(Arcs::<i32>::of(&i));
                    ta += ms(t);
                    let t = Instant::now();
                    let a = ascend(&r, best + best / 100, rounds, never);
                    th += ms(t);
                    rr += a.rounds;
                    let gap = |b: i64| 100.0 * (best - b) as f64 / best as f64;
                    if args.len() > 4 {
                        println!(
                            "{} {} ap {:.2} hk {:.3} rounds {}",
                            field("name"),
                            best,
                            gap(r.bound()),
                            gap(a.bound),
                            a.rounds
                        );
                    }
                    k += 1.0;
                    ga += gap(r.bound());
                    gh += gap(a.bound);
                    worst = worst.max(gap(a.bound));
                }
                println!(
                    "roads {size}: {k} ap gap {:.2}% {:.2}ms; ascent gap {:.3}% worst {worst:.3} {:.1}ms rounds {:.0}",
                    ga / k,
                    ta / k,
                    gh / k,
                    th / k,
                    rr as f64 / k
                );
            }
        }
        "tmat" => {
            let sizes: Vec<usize> = args[2].split(',').map(|x| x.parse().unwrap()).collect();
            for n in sizes {
                let count = match n {
                    100 => 20,
                    200 => 10,
                    500 => 10,
                    _ => 5,
                };
                let d = radar_sample::Distribution::named("tmat", &[("n", &n.to_string())], None).unwrap();
                let mut s = [0.0f64; 12];
                let mut most = 0.0f64;
                let mut proved = 0;
                let mut ti = 0.0;
                for k in 0..count {
                    let i = d.sample(1, k).problem.validate().instance.unwrap();
                    assert_eq!(width(&i), Width::Narrow);
                    let t = Instant::now();
                    let arcs = Arcs::<i32>::of(&i);
                    s[0] += ms(t);
                    let t = Instant::now();
                    let r = Reduced::by_assignment(arcs);
                    s[1] += ms(t);
                    let t = Instant::now();
                    let tour = patch(&r, r.successor().unwrap());
                    s[2] += ms(t);
                    let cost = |t: &[u32]| -> i64 {
                        (0..t.len()).map(|k| r.cost(t[k] as usize, t[(k + 1) % t.len()] as usize)).sum()
                    };
                    let t = Instant::now();
                    let better = or_opt(&r, &tour);
                    s[3] += ms(t);
                    let patched = cost(&tour);
                    let promising = is_promising(&r, cost(&better));
                    let t = Instant::now();
                    let p = prove(
                        &r,
                        &better,
                        &mut |t: &[u32]| {
                            let t0 = Instant::now();
                            let x = if std::env::var("ID").is_ok() { t.to_vec() } else { or_opt(&r, t) };
                            ti += ms(t0);
                            x
                        },
                        100_000,
                        never,
                    );
                    let took = ms(t);
                    s[4] += took;
                    most = most.max(took);
                    proved += p.optimal as usize;
                    s[5] += p.nodes as f64;
                    s[6] += promising as u8 as f64;
                    s[7] += 100.0 * (patched - p.cost) as f64 / p.cost as f64;
                    s[8] += 100.0 * (cost(&better) - p.cost) as f64 / p.cost as f64;
                    s[9] += 100.0 * (p.cost - r.bound()) as f64 / p.cost as f64;
                    let t = Instant::now();
                    let a =
                        ascend(&r, p.cost, std::env::var("AR").map_or(3000, |x| x.parse().unwrap()), never);
                    s[10] += ms(t);
                    s[11] += 100.0 * (p.cost - a.bound) as f64 / p.cost as f64;
                }
                let c = count as f64;
                println!(
                    "tmat {n}: arcs {:.2} ap {:.2} patch {:.3} oropt {:.2} prove {:.2} (max {most:.1}) ms; nodes {:.1} promising {:.2} proved {proved}/{count}; patch gap {:.2} oropt gap {:.2} ap gap {:.3} ascent {:.1} ms gap {:.4}",
                    s[0] / c,
                    s[1] / c,
                    s[2] / c,
                    s[3] / c,
                    s[4] / c,
                    s[5] / c,
                    s[6] / c,
                    s[7] / c,
                    s[8] / c,
                    s[9] / c,
                    s[10] / c,
                    s[11] / c
                );
            }
        }
        "variants" => {
            let n: usize = args[2].parse().unwrap();
            let rounds: u64 = args[3].parse().unwrap();
            for preset in ["paper", "tight"] {
                for v in Variant::every().filter(|&v| v != Variant::Atsp) {
                    let name = v.to_string();
                    let d = radar_sample::Distribution::named(
                        "multitask",
                        &[("n", &n.to_string()), ("variant", &name), ("preset", preset)],
                        None,
                    )
                    .unwrap();
                    let count = 5;
                    let c = count as f64;
                    let mut s = [0.0f64; 8];
                    for k in 0..count {
                        let i = d.sample(1, k).problem.validate().instance.unwrap();
                        let best = radar_rollout::construct::construct(
                            &i,
                            radar_rollout::construct::Effort::modest(&i),
                            1,
                            never,
                            &mut |_, _| {},
                        );
                        let plan = &best.construction;
                        let cost = plan.cost(&i);
                        let t = Instant::now();
                        let arcs = Arcs::<i32>::of(&i);
                        s[0] += ms(t);
                        let m = Reduced::by_minima(arcs.clone());
                        let t = Instant::now();
                        let r = Reduced::by_assignment(arcs);
                        s[1] += ms(t);
                        let t = Instant::now();
                        let a = ascend(&r, cost, rounds, never);
                        s[2] += ms(t);
                        let gap = |b: i64| 100.0 * (cost - b) as f64 / cost as f64;
                        s[3] += gap(m.bound());
                        s[4] += gap(r.bound());
                        s[5] += gap(a.bound);
                        s[6] += r.least_routes() as f64;
                        s[7] += plan.routes.len() as f64;
                    }
                    println!(
                        "{preset:5} {name:10} arcs {:.2} ap {:.2} ascent {:.1} ms; gap minima {:.1} ap {:.2} ascent {:.2}; least {:.1} of {:.1} routes",
                        s[0] / c,
                        s[1] / c,
                        s[2] / c,
                        s[3] / c,
                        s[4] / c,
                        s[5] / c,
                        s[6] / c,
                        s[7] / c
                    );
                }
            }
        }
        "big" => {
            for n in args[2].split(',').map(|x| x.parse::<usize>().unwrap()) {
                for kind in ["rand", "metric", "routes"] {
                    if args.len() > 3 && args[3] != kind {
                        continue;
                    }
                    let mut st = radar_kernel::random::Stream::new(1, "lab", n as u64);
                    let pts: Vec<(f64, f64)> = (0..n).map(|_| (st.unit(), st.unit())).collect();
                    let mut m = Vec::with_capacity(n * n);
                    for a in 0..n {
                        for b in 0..n {
                            let e = ((pts[a].0 - pts[b].0).powi(2) + (pts[a].1 - pts[b].1).powi(2)).sqrt();
                            m.push(if kind == "rand" {
                                st.between(1, 1_000_000) as f64
                            } else {
                                (e * 100_000.0 * (1.0 + 0.3 * st.unit())).round()
                            });
                        }
                    }
                    let t = Table::from_values(n, n, m);
                    let p = if kind == "routes" {
                        Problem {
                            demand: Some(
                                (0..n).map(|i| if i == 0 { 0.0 } else { (1 + i % 9) as f64 }).collect(),
                            ),
                            capacity: Some(200.0),
                            ..Problem::vrp(t)
                        }
                    } else {
                        Problem::atsp(t)
                    };
                    let i = p.validate().instance.unwrap();
                    let t = Instant::now();
                    let arcs = Arcs::<i32>::of(&i);
                    let ta = ms(t);
                    drop(i);
                    let t = Instant::now();
                    let m = Reduced::by_minima(arcs.clone());
                    let tm = ms(t);
                    let bm = m.bound();
                    drop(m);
                    let t = Instant::now();
                    let r = Reduced::by_assignment(arcs);
                    let tr = ms(t);
                    let t = Instant::now();
                    let tour = r.successor().map(|s| patch(&r, s));
                    let tp = ms(t);
                    let t = Instant::now();
                    let a = ascend(&r, i64::MAX, if n > 2000 { 100 } else { 1000 }, never);
                    let th = ms(t);
                    let status = std::fs::read_to_string("/proc/self/status").unwrap();
                    let peak = status.lines().find(|l| l.starts_with("VmHWM")).unwrap().to_string();
                    let gap = tour.map_or(0.0, |t| {
                        let c: i64 = (0..n).map(|k| r.cost(t[k] as usize, t[(k + 1) % n] as usize)).sum();
                        100.0 * (c - r.bound()) as f64 / c as f64
                    });
                    println!(
                        "{kind} {n}: arcs {ta:.1} minima {tm:.1} ap {tr:.1} patch {tp:.1} (gap {gap:.2}) ascent {th:.1} ms rounds {}; minima/ap/ascent {bm} {} {}; {peak}",
                        a.rounds,
                        r.bound(),
                        a.bound
                    );
                }
            }
        }
        other => panic!("{other}"),
    }
}
