//! Connecting, and databases.

use fluss::client::FlussConnection;
use fluss::metadata::{AlterConfig, AlterConfigOpType, DataTypes, DatabaseDescriptor, DatabaseInfo, Schema};

use crate::harness::{Context, Failure, Outcome, config};

crate::cases!(
    connect,
    database_create_and_info,
    database_alter,
    database_summaries,
    database_errors,
    database_names,
    database_drop_cascade,
);

async fn connect(ctx: &Context) -> Outcome {
    let mut nodes: Vec<String> =
        ctx.admin.get_server_nodes().await?.iter().map(|n| format!("{:?} id {}", n.server_type(), n.id())).collect();
    nodes.sort();
    for node in nodes {
        ctx.say(node);
    }
    ctx.attempt("connect where nobody listens", FlussConnection::new(config("127.0.0.1:1")).await.map(drop));
    Ok(())
}

fn describe(ctx: &Context, info: &DatabaseInfo) {
    let descriptor = info.database_descriptor();
    let mut properties: Vec<_> = descriptor.custom_properties().iter().collect();
    properties.sort();
    ctx.say(format!("name {}", info.database_name()));
    ctx.say(format!("comment {:?}", descriptor.comment()));
    ctx.say(format!("properties {properties:?}"));
}

async fn database_create_and_info(ctx: &Context) -> Outcome {
    let name = format!("{}_x", ctx.database);
    let descriptor = DatabaseDescriptor::builder()
        .comment("a comment, with ü and 漢")
        .custom_property("owner", "me")
        .custom_property("empty", "")
        .build();
    ctx.admin.create_database(&name, Some(&descriptor), false).await?;
    let info = ctx.admin.get_database_info(&name).await?;
    describe(ctx, &info);
    ctx.say(format!("created is modified: {}", info.created_time() == info.modified_time()));
    ctx.say(format!("exists {}", ctx.admin.database_exists(&name).await?));
    let mut listed = ctx.admin.list_databases().await?;
    listed.retain(|database| database.starts_with(&ctx.database));
    listed.sort();
    ctx.say(format!("listed {listed:?}"));
    ctx.admin.drop_database(&name, false, false).await?;
    ctx.say(format!("exists after drop {}", ctx.admin.database_exists(&name).await?));
    Ok(())
}

/// A server of 0.9.1 does not have this call: the client finds out and says so.
async fn database_alter(ctx: &Context) -> Outcome {
    let set = |key: &str, value: &str| AlterConfig::new(key, Some(value.to_string()), AlterConfigOpType::Set);
    let changes = vec![set("owner", "you"), set("team", "blue")];
    let altered = ctx.admin.alter_database(&ctx.database, changes, Some("another comment"), false).await;
    ctx.attempt("set two properties and the comment", altered);
    describe(ctx, &ctx.admin.get_database_info(&ctx.database).await?);
    Ok(())
}

async fn database_summaries(ctx: &Context) -> Outcome {
    for table in ["one", "two"] {
        ctx.create(table, one_column()?, |b| b).await?;
    }
    match ctx.admin.list_database_summaries().await {
        Ok(all) => {
            for summary in all.iter().filter(|s| s.database_name == ctx.database) {
                let timed = summary.created_time > 0;
                ctx.say(format!("{} has {} tables, a time {timed}", summary.database_name, summary.table_count));
            }
        }
        Err(error) => _ = ctx.attempt::<(), _>("summaries", Err(error)),
    }
    Ok(())
}

fn one_column() -> Result<Schema, Failure> {
    Ok(Schema::builder().column("id", DataTypes::int()).build()?)
}

async fn database_errors(ctx: &Context) -> Outcome {
    let (admin, none) = (&ctx.admin, "no_such_database");
    ctx.attempt("create again", admin.create_database(&ctx.database, None, false).await);
    ctx.attempt("create again, ignoring", admin.create_database(&ctx.database, None, true).await);
    ctx.attempt("info of none", admin.get_database_info(none).await);
    ctx.attempt("drop none", admin.drop_database(none, false, false).await);
    ctx.attempt("drop none, ignoring", admin.drop_database(none, true, false).await);
    ctx.attempt("tables of none", admin.list_tables(none).await);
    ctx.show("exists none", admin.database_exists(none).await);
    Ok(())
}

async fn database_names(ctx: &Context) -> Outcome {
    let long = "x".repeat(201);
    for name in ["", ".", "..", "a.b", "a/b", "a b", "ä", "__internal", "a$b", long.as_str()] {
        let shown: String = name.chars().take(12).collect();
        ctx.attempt(&format!("{shown:?}"), ctx.admin.create_database(name, None, false).await);
    }
    let longest: String = format!("{}_{long}", ctx.database).chars().take(200).collect();
    ctx.attempt("200 characters", ctx.admin.create_database(&longest, None, false).await);
    ctx.attempt("drop it", ctx.admin.drop_database(&longest, false, false).await);
    Ok(())
}

async fn database_drop_cascade(ctx: &Context) -> Outcome {
    for table in ["one", "two"] {
        ctx.create(table, one_column()?, |b| b).await?;
    }
    ctx.attempt("drop with tables", ctx.admin.drop_database(&ctx.database, false, false).await);
    ctx.attempt("drop cascading", ctx.admin.drop_database(&ctx.database, false, true).await);
    ctx.show("exists", ctx.admin.database_exists(&ctx.database).await);
    ctx.attempt("create again", ctx.admin.create_database(&ctx.database, None, false).await);
    ctx.show("tables", ctx.admin.list_tables(&ctx.database).await);
    Ok(())
}
