//! The loss and gradients of a recorded case: `cargo run --release -p radar-net --example gradients -- FILE`
use radar_kernel::isa::Isa;
fn main() {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).expect("a file");
        let report = radar_net::parity::run_gradients(&bytes, Isa::best().precise()).expect("a case");
        println!("{report}{} worst {:.2e}", report.passed(), report.worst());
    }
}
