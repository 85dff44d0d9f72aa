//! The job files of docs/campaigns are read by what reads them: a shell, and YAML.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/campaigns").join(name)
}

/// With stand-ins for Slurm and Ray, which write down how they are called.
#[test]
fn the_job_for_slurm_starts_a_cluster_and_the_campaign() {
    let folder = tempfile::tempdir().expect("a folder");
    let bin = folder.path().join("venv/bin");
    fs::create_dir_all(&bin).expect("a folder");
    let log = folder.path().join("log");
    let stand_in = format!("#!/bin/sh\necho \"${{0##*/}} $*\" >> {}\n", log.display());
    for name in ["srun", "ray", "hardbop"] {
        make(&bin.join(name), &stand_in);
    }
    make(&bin.join("scontrol"), "#!/bin/sh\necho n1; echo n2; echo n3\n");
    make(&bin.join("activate"), "");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let run = Command::new("bash")
        .arg(file("slurm.sh"))
        .arg("night.toml")
        .env("PATH", path)
        .env("HARDBOP_VENV", folder.path().join("venv"))
        .env("SLURM_JOB_NODELIST", "n[1-3]")
        .env("SLURM_MEM_PER_NODE", "64000")
        .env("SLURM_CPUS_PER_TASK", "16")
        .output()
        .expect("bash runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let log = fs::read_to_string(log).expect("a log");
    let has = |words: &str| log.lines().any(|line| line.contains(words));
    assert!(has("--nodelist=n1 ray start --head --port=6379 --num-cpus=16"), "{log}");
    assert!(has("--nodelist=n2,n3 ray start --address=n1:6379"), "{log}");
    assert!(has("hardbop campaign night.toml --on ray://auto --html night.html"), "{log}");
}

fn make(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, text).expect("written");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("executable");
}

#[test]
fn the_job_for_kubernetes_is_one() {
    let text = fs::read_to_string(file("kubernetes.yaml")).expect("a file");
    let job: serde_yaml_ng::Value = serde_yaml_ng::from_str(&text).expect("YAML");
    assert_eq!(job["kind"], "RayJob");
    let entry = job["spec"]["entrypoint"].as_str().expect("a command");
    let help = Command::new(env!("CARGO_BIN_EXE_hardbop")).args(["campaign", "--help"]).output();
    let help = String::from_utf8(help.expect("hardbop runs").stdout).expect("UTF-8");
    for option in entry.split_whitespace().filter(|word| word.starts_with("--")) {
        assert!(help.contains(option), "there is no {option}");
    }
    // What workers give is more than a task may take.
    let workers = &job["spec"]["rayClusterSpec"]["workerGroupSpecs"][0]["template"]["spec"];
    assert_eq!(workers["containers"][0]["resources"]["limits"]["memory"], "64Gi");
}
