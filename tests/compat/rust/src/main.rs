//! The Rust compatibility suite: fluss-rs against a Fluss server. Usage: HOST:PORT [FILTER]

mod append;
mod database;
mod harness;
mod offsets;
mod partition;
mod render;
mod scan;
mod table;
mod types;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(bootstrap) = arguments.first() else {
        eprintln!("usage: strom-compat-rust HOST:PORT [FILTER]");
        std::process::exit(2);
    };
    let filter = arguments.get(1).map_or("", String::as_str);
    let cases = [
        append::cases(),
        database::cases(),
        offsets::cases(),
        partition::cases(),
        scan::cases(),
        table::cases(),
        types::cases(),
    ];
    harness::run(bootstrap, filter, cases.into_iter().flatten().collect());
}
