use radar_train::ranks::Alone;
use radar_train::*;
use std::time::Duration;
#[global_allocator]
static A: radar_kernel::allocator::LargePages = radar_kernel::allocator::LargePages;
struct Still;
impl Clock for Still {
    fn wall(&self) -> Duration {
        Duration::ZERO
    }
    fn cpu(&self) -> Duration {
        Duration::ZERO
    }
}
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let c = Config::from_toml(config::named(&a[0]).unwrap(), &a[1..]).unwrap();
    let dir = std::env::temp_dir().join(format!("scratch-peak-{}", std::process::id()));
    let out = |m| {
        let o = Outside { clock: &Still, memory: m, ranks: &Alone, stop: &|| false, hear: &|_| () };
        start(c.clone(), &dir, None, &o)
    };
    println!("{}", out(Some(0)).unwrap_err().cause);
    out(None).unwrap();
    let s = std::fs::read_to_string("/proc/self/status").unwrap();
    println!("   {:?} {}", a, s.lines().find(|l| l.starts_with("VmHWM")).unwrap());
    let _ = std::fs::remove_dir_all(&dir);
}
