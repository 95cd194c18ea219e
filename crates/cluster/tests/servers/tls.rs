//! Encrypted lines to the engine.

use crate::run::{Cluster, program};
use crate::{ALWAYS, append, open_by, take_over};
use cluster::{Access, Encryption, Nats, Partition, Unfit};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use std::fs;
use std::path::{Path, PathBuf};

/// Somebody who signs certificates.
struct Authority {
    folder: PathBuf,
    issuer: Issuer<'static, KeyPair>,
    /// Its own certificate.
    file: PathBuf,
}

impl Authority {
    fn new(folder: &Path, name: &str) -> Authority {
        let folder = folder.join(name);
        fs::create_dir(&folder).expect("a folder");
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new([]).expect("no names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let file = folder.join("authority.pem");
        fs::write(&file, params.self_signed(&key).expect("a certificate").pem()).expect("a file");
        Authority { folder, issuer: Issuer::new(params, key), file }
    }

    /// A certificate for whoever is at this address, and its key.
    fn sign(&self, address: &str) -> [PathBuf; 2] {
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new([address.to_owned()]).expect("an address");
        let signed = params.signed_by(&key, &self.issuer).expect("a certificate");
        let files = ["pem", "key"].map(|end| self.folder.join(format!("{address}.{end}")));
        fs::write(&files[0], signed.pem()).expect("a file");
        fs::write(&files[1], key.serialize_pem()).expect("a file");
        files
    }
}

/// Servers that speak to those alone whose certificate their authority has signed.
#[tokio::test]
async fn lines_are_encrypted_and_strangers_at_either_end_refused() {
    let Some(program) = program("PARLOUR_NATS") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let (ours, others) = (Authority::new(folder.path(), "ours"), Authority::new(folder.path(), "others"));
    let [certificate, key] = ours.sign("127.0.0.1");
    let mut cluster = Cluster::prepare(program, 3, ALWAYS);
    cluster.tell(&format!(
        "tls {{ cert_file: {certificate:?}, key_file: {key:?}, ca_file: {:?}, verify: true }}\n",
        ours.file
    ));
    cluster.begin();
    let access = |authority: Option<&Authority>, own: Option<[PathBuf; 2]>| Access {
        encryption: Encryption { authority: authority.map(|authority| authority.file.clone()), own },
        ..cluster.access(&[0, 1, 2])
    };
    let own = ours.sign("north.example");
    let nats = open_by(&access(Some(&ours), Some(own.clone()))).await;
    let (mut writer, _) = take_over(&nats, Partition(3), 1).await;
    append(&mut writer, b"a move").await;

    // Not encrypted, another authority's server, nobody's certificate, and one that another authority has signed.
    for (what, access) in [
        ("without", access(None, None)),
        ("another server", access(Some(&others), Some(own.clone()))),
        ("nobody", access(Some(&ours), None)),
        ("a stranger", access(Some(&ours), Some(others.sign("south.example")))),
    ] {
        let refused = Nats::open(&access).await.map(drop);
        assert!(matches!(refused, Err(Unfit::Unreachable { .. })), "{what}: {refused:?}");
    }
    let missing = folder.path().join("missing.pem");
    let access = access(Some(&ours), Some([own[0].clone(), missing.clone()]));
    let Err(unfit) = Nats::open(&access).await.map(drop) else { panic!("without its key") };
    let said = unfit.to_string();
    assert!(said.contains("missing.pem cannot be read") && said.contains("NATS"), "{said}");
}
