//! What hosts are given to run a parlour by: the files in packaging/, judged by the tools that will read them, and held against what
//! the program and the handbook say.

#[expect(dead_code, reason = "the tests of pages need more of it")]
mod common;

use common::{read, root, sources};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const CLUSTER: &str = "packaging/cluster";

/// The metrics of Parlour that a text names, without what they all begin with.
fn metrics(text: &str) -> BTreeSet<&str> {
    let parts = text.split("parlour_").skip(1);
    let name = |part: &'_ str| part.find(|c: char| !c.is_ascii_lowercase() && c != '_').unwrap_or(part.len());
    parts.map(|part| &part[..name(part)]).collect()
}

/// Those that the handbook explains.
fn explained(handbook: &str) -> BTreeSet<&str> {
    let rows = handbook.lines().filter(|line| line.starts_with("| `parlour_"));
    rows.flat_map(|row| metrics(row.split('|').nth(1).expect("a cell"))).collect()
}

#[test]
fn every_metric_that_alerts_and_the_dashboard_name_is_counted() {
    let mut server = String::new();
    sources(&root().join("crates/server/src"), &mut server);
    let counted =
        |name: &str| server.contains(&format!("\"{name}\"")) || server.contains(&format!("parlour_{name}"));
    let [alerts, dashboard, handbook] =
        [format!("{CLUSTER}/alerts.yml"), format!("{CLUSTER}/grafana.json"), "docs/cluster.md".to_owned()]
            .map(|page| read(&page));
    let explained = explained(&handbook);
    let mut named: BTreeSet<&str> = metrics(&alerts);
    named.extend(metrics(&dashboard));
    named.extend(&explained);
    assert!(named.len() > 15, "{named:?}");
    // A server that is no node of a cluster counts none of these, nor does one that cannot be.
    let nodes = counted("cluster_nodes");
    for name in named {
        let is_known = match name.starts_with("cluster_") && !nodes {
            true => explained.contains(name),
            false => counted(name),
        };
        assert!(is_known, "nobody counts parlour_{name}");
    }
    for name in explained {
        assert!(metrics(&dashboard).contains(name), "the dashboard does not show parlour_{name}");
    }
    if !nodes {
        println!("left out: whether the metrics of a cluster are counted, since no server counts any");
    }
}

#[test]
fn every_alert_leads_to_what_is_to_be_done() {
    let (alerts, handbook) = (read(&format!("{CLUSTER}/alerts.yml")), read("docs/cluster.md"));
    let headings: Vec<String> =
        handbook.lines().filter_map(|line| line.strip_prefix("### ")).map(str::to_lowercase).collect();
    let mut led = 0;
    for rest in alerts.split("docs/cluster.md, ").skip(1) {
        let (what, _) = rest.split_once('.').expect("a sentence");
        assert!(headings.iter().any(|heading| heading == what), "docs/cluster.md does not say: {what}");
        led += 1;
    }
    assert!(led > 5, "{led}");
    for name in alerts.split("- alert: ").skip(1) {
        let name = name.lines().next().expect("a name");
        assert!(handbook.contains(&format!("`{name}`")), "docs/cluster.md does not know {name}");
    }
}

#[test]
fn the_number_of_partitions_is_the_programs() {
    let source = read("crates/cluster/src/message.rs");
    let (_, rest) = source.split_once("pub const PARTITIONS: u16 = ").expect("the number");
    let (number, _) = rest.split_once(';').expect("an end");
    for (page, sentence) in [
        ("packaging/cluster/alerts.yml", format!("sum(parlour_cluster_hosted) > {number}")),
        ("docs/cluster.md", format!("{number} partitions")),
        ("docs/decisions/cluster.md", format!("{number} partitions")),
    ] {
        assert!(read(page).contains(&sentence), "{page} does not say: {sentence}");
    }
}

#[test]
fn every_file_that_is_named_is_there() {
    let folder = root().join(CLUSTER);
    let (kustomization, compose) =
        (read(&format!("{CLUSTER}/kustomization.yaml")), read(&format!("{CLUSTER}/compose.yaml")));
    let resources = kustomization.lines().filter_map(|line| line.trim().strip_prefix("- kubernetes/"));
    let mut named: Vec<String> = resources.map(|name| format!("kubernetes/{name}")).collect();
    named.extend(compose.split("\"./").skip(1).filter_map(|rest| rest.split(':').next()).map(str::to_owned));
    assert!(named.len() > 10, "{named:?}");
    for name in named {
        // Those that the host makes are told of in the file itself.
        let made = compose.contains(&format!("> {name}"));
        assert!(made || folder.join(&name).is_file(), "there is no {name}");
    }
}

#[test]
fn the_dashboard_is_one() {
    let dashboard: serde_json::Value =
        serde_json::from_str(&read(&format!("{CLUSTER}/grafana.json"))).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels");
    let mut taken = BTreeSet::new();
    for panel in panels {
        let number = |name: &str| panel["gridPos"][name].as_u64().expect("a place");
        assert!(panel["title"].is_string() && panel["description"].is_string(), "{panel}");
        for target in panel["targets"].as_array().expect("something to show") {
            assert!(target["expr"].as_str().is_some_and(|expr| expr.contains("parlour_")), "{panel}");
        }
        for x in number("x")..number("x") + number("w") {
            for y in number("y")..number("y") + number("h") {
                assert!(
                    x < 24 && taken.insert((x, y)),
                    "two panels lie on each other, or one beside: {panel}"
                );
            }
        }
    }
    assert!(panels.len() > 10, "{}", panels.len());
}

/// Runs a tool, which must be content.
fn content(command: &mut Command) {
    let told = command.output().unwrap_or_else(|why| panic!("{command:?}: {why}"));
    let text = String::from_utf8_lossy(&told.stdout).into_owned() + &String::from_utf8_lossy(&told.stderr);
    assert!(told.status.success(), "{command:?}: {text}");
}

/// All files of a folder with that ending.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
    entries.filter(|path| path.extension().is_some_and(|end| end == ending)).collect()
}

fn tool(variable: &str, what: &str) -> Option<PathBuf> {
    let found = std::env::var_os(variable).map(PathBuf::from);
    if found.is_none() {
        println!("left out: {what}, since {variable} names nothing (`cargo xtask test` fetches it)");
    }
    found
}

#[test]
fn linters_are_content_with_compose_kubernetes_and_yaml() {
    let Some(linters) = tool("PARLOUR_LINTERS", "linters of YAML, Compose and Kubernetes") else { return };
    let folder = root().join(CLUSTER);
    let module = |name: &str| {
        let mut command = Command::new("python3");
        command.args(["-m", name]).env("PYTHONPATH", &linters).current_dir(&folder);
        command
    };
    content(module("yamllint").args(["--strict", "--config-file", ".yamllint", "."]));
    content(module("check_jsonschema").args(["--builtin-schema", "vendor.compose-spec", "compose.yaml"]));
    content(module("kubernetes_validate").arg("--strict").args(files(&folder.join("kubernetes"), "yaml")));
}

#[test]
fn prometheus_is_content_and_each_alert_is_raised_by_its_fault_alone() {
    let Some(promtool) = tool("PARLOUR_PROMTOOL", "the alerts") else { return };
    let promtool =
        |args: &[&str]| content(Command::new(&promtool).args(args).current_dir(root().join(CLUSTER)));
    promtool(&["check", "rules", "alerts.yml"]);
    promtool(&["check", "config", "prometheus.yml"]);
    promtool(&["test", "rules", "alerts_test.yml"]);
}

#[test]
fn systemd_is_content_with_the_units() {
    let found = Command::new("systemd-analyze").arg("--version").output();
    if !found.is_ok_and(|told| told.status.success()) {
        return println!("left out: the units of systemd, which is not here");
    }
    // It looks for the programs, too, which are not installed.
    let copies = tempfile::tempdir().expect("a folder");
    let folders = [root().join("packaging"), root().join(CLUSTER)];
    for unit in folders.iter().flat_map(|folder| files(folder, "service")) {
        let text = std::fs::read_to_string(&unit).expect("text");
        let text: String = text
            .split_inclusive('\n')
            .map(|line| {
                line.replace("/usr/local/bin/parlour", "/bin/true")
                    .replace("/usr/local/bin/nats-server", "/bin/true")
            })
            .collect();
        let name = unit.file_name().expect("a name").to_string_lossy().replace('@', "@north");
        std::fs::write(copies.path().join(name), text).expect("a copy");
    }
    let units = files(copies.path(), "service");
    assert_eq!(units.len(), 3, "{units:?}");
    content(Command::new("systemd-analyze").args(["verify", "--man=no"]).args(units));
}

#[test]
fn nats_is_content_with_its_configuration() {
    let Some(server) = tool("PARLOUR_NATS", "the configuration of NATS") else { return };
    let example = read(&format!("{CLUSTER}/secrets.env.example"));
    let secrets =
        example.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('='));
    let config = format!("{CLUSTER}/nats.conf");
    content(
        Command::new(server)
            .args(["-t", "-c", &config])
            .env_clear()
            .envs(secrets)
            .envs([("NATS_NAME", "nats-1"), ("NATS_STORE", "/var/lib/nats")])
            .current_dir(root()),
    );
    assert!(read(&config).contains("sync_interval: always"), "a parlour refuses to start without it");
}

#[test]
fn caddy_is_content_with_the_load_balancer() {
    let Some(caddy) = tool("PARLOUR_CADDY", "the configuration of Caddy") else { return };
    let own = tempfile::tempdir().expect("a folder");
    let caddy = |args: &[&str]| {
        let mut command = Command::new(&caddy);
        content(command.args(args).current_dir(root().join(CLUSTER)).env("HOME", own.path()));
    };
    caddy(&["validate", "--adapter", "caddyfile", "--config", "Caddyfile"]);
    let text = read(&format!("{CLUSTER}/Caddyfile"));
    std::fs::write(own.path().join("Caddyfile"), &text).expect("a copy");
    caddy(&["fmt", "--overwrite", &own.path().join("Caddyfile").to_string_lossy()]);
    let formatted = std::fs::read_to_string(own.path().join("Caddyfile")).expect("text");
    assert_eq!(formatted, text, "as `caddy fmt` writes it");
}

#[test]
fn kubectl_makes_one_whole_of_what_the_kustomization_names() {
    let found = Command::new("kubectl").args(["version", "--client"]).output();
    if !found.is_ok_and(|told| told.status.success()) {
        return println!("left out: the kustomization, since kubectl is not here");
    }
    // With the secrets that the host makes.
    let copies = tempfile::tempdir().expect("a folder");
    let copy = |name: &str, to: &str| {
        let (from, to) = (root().join(CLUSTER).join(name), copies.path().join(to));
        std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        std::fs::copy(from, to).expect("a copy");
    };
    ["kustomization.yaml", "nats.conf", "node.toml"].iter().for_each(|name| copy(name, name));
    copy("secrets.env.example", "secrets.env");
    for file in files(&root().join(CLUSTER).join("kubernetes"), "yaml") {
        let name = format!("kubernetes/{}", file.file_name().expect("a name").to_string_lossy());
        copy(&name, &name);
    }
    std::fs::write(copies.path().join("cookie.key"), [7; 32]).expect("a key");
    let made = Command::new("kubectl").arg("kustomize").arg(copies.path()).output().expect("it runs");
    let whole = String::from_utf8_lossy(&made.stdout);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    for kind in
        ["Namespace", "StatefulSet", "Service", "PodDisruptionBudget", "NetworkPolicy", "Secret", "ConfigMap"]
    {
        assert!(whole.contains(&format!("\nkind: {kind}\n")), "no {kind} comes of it");
    }
    assert!(!whole.contains("image: parlour\n"), "the image is the one that the cluster fetches");
}
