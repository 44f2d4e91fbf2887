//! Runs the cases and prints their transcript.
//!
//! Each case has a connection and a database of its own and a deadline; its lines are the same in every run against
//! the same server: no ids, times, ports or generated names.

use std::fmt::{Debug, Display};
use std::future::Future;
use std::io::Write;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use fluss::client::{EARLIEST_OFFSET, FlussAdmin, FlussConnection, FlussTable, LogScanner};
use fluss::config::Config;
use fluss::error::{Error, FlussError};
use fluss::metadata::{PartitionSpec, Schema, TableDescriptor, TableDescriptorBuilder, TablePath};
use fluss::record::ScanRecord;
use fluss::rpc::message::OffsetSpec;

const DEADLINE: Duration = Duration::from_secs(60);
/// How long after its deadline a case may still hold its thread before the whole run ends.
const PATIENCE: Duration = Duration::from_secs(15);

pub type Failure = Box<dyn std::error::Error>;
pub type Outcome = Result<(), Failure>;
type Body = for<'a> fn(&'a Context) -> Pin<Box<dyn Future<Output = Outcome> + 'a>>;

pub struct Case {
    pub name: &'static str,
    pub body: Body,
}

/// The cases of a module, from the names of its functions.
#[macro_export]
macro_rules! cases {
    ($($name:ident),* $(,)?) => {
        pub fn cases() -> Vec<$crate::harness::Case> {
            vec![$($crate::harness::Case { name: stringify!($name), body: |ctx| Box::pin($name(ctx)) }),*]
        }
    };
}

/// What a case works with.
pub struct Context {
    bootstrap: String,
    pub database: String,
    pub connection: FlussConnection,
    pub admin: Arc<FlussAdmin>,
}

/// How an error stands in the transcript: the wire code and its name, or the client's variant.
pub fn error_text(error: &(dyn std::error::Error + 'static)) -> String {
    match error.downcast_ref::<Error>() {
        Some(Error::FlussAPIError { api_error }) => {
            format!("error {} {:?}", api_error.code, FlussError::for_code(api_error.code))
        }
        Some(other) => {
            let debug = format!("{other:?}");
            let end = debug.find(|c: char| !c.is_alphanumeric()).unwrap_or(debug.len());
            format!("error {}", &debug[..end])
        }
        None => format!("error {error}"),
    }
}

/// Client settings of a further connection.
pub fn config(bootstrap: &str) -> Config {
    Config { bootstrap_servers: bootstrap.to_string(), writer_batch_timeout_ms: 5, ..Config::default() }
}

impl Context {
    async fn open(bootstrap: &str, database: String) -> Result<Self, Failure> {
        let connection = FlussConnection::new(config(bootstrap)).await?;
        let admin = connection.get_admin()?;
        admin.create_database(&database, None, false).await?;
        Ok(Self { bootstrap: bootstrap.to_string(), database, connection, admin })
    }

    /// Prints one line; the generated name of the database is replaced.
    pub fn say(&self, text: impl Display) {
        println!("  {}", text.to_string().replace(&self.database, "DB"));
    }

    /// Prints `what: ok` or `what: error …` and passes the value on.
    pub fn attempt<T, E: Into<Failure>>(&self, what: &str, result: Result<T, E>) -> Option<T> {
        match result {
            Ok(value) => {
                self.say(format!("{what}: ok"));
                Some(value)
            }
            Err(error) => {
                let error: Failure = error.into();
                self.say(format!("{what}: {}", error_text(error.as_ref())));
                eprintln!("    {what}: {}", error.to_string().lines().next().unwrap_or(""));
                None
            }
        }
    }

    /// Prints `what: value` or `what: error …`.
    pub fn show<T: Debug, E: Into<Failure>>(&self, what: &str, result: Result<T, E>) {
        match result {
            Ok(value) => self.say(format!("{what}: {value:?}")),
            Err(error) => _ = self.attempt::<T, E>(what, Err(error)),
        }
    }

    pub fn path(&self, table: &str) -> TablePath {
        TablePath::new(self.database.as_str(), table)
    }

    pub async fn connect(&self, change: impl FnOnce(&mut Config)) -> Result<FlussConnection, Failure> {
        let mut settings = config(&self.bootstrap);
        change(&mut settings);
        Ok(FlussConnection::new(settings).await?)
    }

    /// Creates a table without partitions, waits until its buckets are served, and opens it.
    pub async fn create(
        &self,
        name: &str,
        schema: Schema,
        change: impl FnOnce(TableDescriptorBuilder) -> TableDescriptorBuilder,
    ) -> Result<FlussTable<'_>, Failure> {
        let path = self.path(name);
        let descriptor = change(TableDescriptor::builder().schema(schema)).build()?;
        self.admin.create_table(&path, &descriptor, false).await?;
        let buckets = self.admin.get_table_info(&path).await?.get_num_buckets();
        if !descriptor.is_partitioned() {
            self.until_ready(&path, None, buckets).await?;
        }
        Ok(self.connection.get_table(&path).await?)
    }

    /// Creates a partition and waits until its buckets are served.
    pub async fn create_partition(&self, path: &TablePath, values: &[(&str, &str)], buckets: i32) -> Outcome {
        self.admin.create_partition(path, &spec(values), false).await?;
        let name: Vec<&str> = values.iter().map(|(_, value)| *value).collect();
        self.until_ready(path, Some(&name.join("$")), buckets).await
    }

    /// A server may answer a creation before it serves the buckets: asks until it does.
    async fn until_ready(&self, path: &TablePath, partition: Option<&str>, buckets: i32) -> Outcome {
        while let Err(error) = self.list_offsets(path, partition, buckets, OffsetSpec::Latest).await {
            let code = match error.downcast_ref::<Error>() {
                Some(Error::FlussAPIError { api_error }) => api_error.code,
                _ => 0,
            };
            if ![12, 21, 44].contains(&code) && !error.to_string().contains("No leader found") {
                return Err(error);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    /// The offsets of all buckets, in the order of the buckets.
    pub async fn list_offsets(
        &self,
        path: &TablePath,
        partition: Option<&str>,
        buckets: i32,
        spec: OffsetSpec,
    ) -> Result<Vec<i64>, Failure> {
        let ids: Vec<i32> = (0..buckets).collect();
        let offsets = match partition {
            None => self.admin.list_offsets(path, &ids, spec).await?,
            Some(name) => self.admin.list_partition_offsets(path, name, &ids, spec).await?,
        };
        Ok(ids.iter().map(|bucket| offsets[bucket]).collect())
    }

    pub async fn latest(&self, table: &FlussTable<'_>) -> Result<Vec<i64>, Failure> {
        let buckets = table.get_table_info().get_num_buckets();
        self.list_offsets(table.table_path(), None, buckets, OffsetSpec::Latest).await
    }

    /// The first `count` records of a table without partitions, by bucket and offset.
    pub async fn read(&self, table: &FlussTable<'_>, count: usize) -> Result<Vec<(i32, ScanRecord)>, Failure> {
        let scanner = table.new_scan().create_log_scanner()?;
        for bucket in 0..table.get_table_info().get_num_buckets() {
            scanner.subscribe(bucket, EARLIEST_OFFSET).await?;
        }
        drain(&scanner, count).await
    }
}

pub fn spec(values: &[(&str, &str)]) -> PartitionSpec {
    PartitionSpec::new(values.iter().copied().collect())
}

/// Polls until `count` records are there; returns them by bucket and offset.
pub async fn drain(scanner: &LogScanner, count: usize) -> Result<Vec<(i32, ScanRecord)>, Failure> {
    let mut found = Vec::new();
    while found.len() < count {
        let records = scanner.poll(Duration::from_millis(200)).await?;
        for (bucket, records) in records.into_records_by_buckets() {
            found.extend(records.into_iter().map(|record| (bucket.bucket_id(), record)));
        }
    }
    found.sort_by_key(|(bucket, record)| (*bucket, record.offset()));
    Ok(found)
}

async fn run_case(case: &Case, bootstrap: &str, database: String) -> Outcome {
    let context = Context::open(bootstrap, database.clone()).await?;
    let outcome = tokio::time::timeout(DEADLINE, (case.body)(&context)).await;
    let cleaned = tokio::time::timeout(Duration::from_secs(10), context.admin.drop_database(&database, true, true));
    if !matches!(cleaned.await, Ok(Ok(()))) {
        eprintln!("{}: its database could not be dropped", case.name);
    }
    outcome.unwrap_or_else(|_| Err("DEADLINE".into()))
}

/// Ends the run when a case holds its thread, where no timeout reaches it.
fn watch(name: &'static str, finished: Receiver<()>) {
    std::thread::spawn(move || {
        if finished.recv_timeout(DEADLINE + PATIENCE) == Err(RecvTimeoutError::Timeout) {
            println!("  error DEADLINE (blocked)");
            eprintln!("{name}: blocked; the suite ends here");
            std::process::exit(1);
        }
    });
}

pub fn run(bootstrap: &str, filter: &str, cases: Vec<Case>) {
    let runtime = tokio::runtime::Runtime::new().expect("the runtime starts");
    let millis = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis());
    let selected: Vec<&Case> = cases.iter().filter(|case| case.name.starts_with(filter)).collect();
    for (number, case) in selected.iter().enumerate() {
        println!("case {}", case.name);
        let started = Instant::now();
        let (done, finished) = channel();
        watch(case.name, finished);
        let database = format!("compat_rs_{}_{millis}_{number}", std::process::id());
        if let Err(error) = runtime.block_on(run_case(case, bootstrap, database)) {
            println!("  {}", error_text(error.as_ref()));
            eprintln!("    {error}");
        }
        _ = done.send(());
        eprintln!("{}: {:.2} s", case.name, started.elapsed().as_secs_f64());
    }
    println!("cases {}", selected.len());
    _ = std::io::stdout().flush();
    // Whatever the client still does in the background no longer matters.
    std::process::exit(0);
}
