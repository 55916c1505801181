//! The native half of the Python package `radar`: translation only. The other half, in `python/radar`, has what people
//! see; the two speak in the words and keys of the wire form.
//!
//! Work goes on with the interpreter free ([`attend`]); everything that is refused becomes an exception of the package
//! ([`failure`]).

mod attend;
mod check;
mod failure;
mod files;
mod generate;
mod memory;
mod model;
mod pool;
mod problem;
mod solution;
mod solve;
mod table;
mod train;

use pyo3::prelude::*;

/// What `import radar._radar` finds.
#[pymodule]
fn _radar(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<problem::Problem>()?;
    module.add_class::<solution::Solution>()?;
    module.add_class::<model::Model>()?;
    for function in [
        wrap_pyfunction!(attend::close, module)?,
        wrap_pyfunction!(files::read, module)?,
        wrap_pyfunction!(files::write, module)?,
        wrap_pyfunction!(files::plan, module)?,
        wrap_pyfunction!(files::ending, module)?,
        wrap_pyfunction!(files::formats, module)?,
        wrap_pyfunction!(solution::render, module)?,
        wrap_pyfunction!(solve::solve, module)?,
        wrap_pyfunction!(solve::solve_many, module)?,
        wrap_pyfunction!(check::check, module)?,
        wrap_pyfunction!(check::explain, module)?,
        wrap_pyfunction!(generate::generate, module)?,
        wrap_pyfunction!(generate::distributions, module)?,
        wrap_pyfunction!(train::train, module)?,
        wrap_pyfunction!(train::train_config, module)?,
        wrap_pyfunction!(train::train_presets, module)?,
    ] {
        module.add_function(function)?;
    }
    Ok(())
}
