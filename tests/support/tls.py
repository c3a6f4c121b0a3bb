"""A certificate authority of the test, and servers that show its certificates."""

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


def authority(folder: Path, *names: str) -> tuple[Path, ssl.SSLContext]:
    """A new authority's certificate as a PEM file, and the TLS of a server whose certificate it gave to those names."""
    issuer_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Authority of a test")])
    now = datetime.now(UTC)

    def certificate(subject: x509.Name, public: ec.EllipticCurvePublicKey, *more: x509.ExtensionType) -> bytes:
        builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(public)
        builder = builder.serial_number(x509.random_serial_number())
        builder = builder.not_valid_before(now - timedelta(hours=1)).not_valid_after(now + timedelta(hours=1))
        for extension in more:
            # As RFC 5280 4.2 has it, which some Pythons insist on.
            is_key_id = isinstance(extension, x509.AuthorityKeyIdentifier | x509.SubjectKeyIdentifier)
            builder = builder.add_extension(extension, critical=not is_key_id)
        return builder.sign(issuer_key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    usage = x509.KeyUsage(
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
    known_by = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key())
    trusted = folder / "authority.pem"
    trusted.write_bytes(
        certificate(
            issuer,
            issuer_key.public_key(),
            x509.BasicConstraints(ca=True, path_length=0),
            x509.SubjectKeyIdentifier.from_public_key(issuer_key.public_key()),
            usage,
        )
    )
    own = folder / "server.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    subject_names = x509.SubjectAlternativeName([x509.DNSName(each) for each in names])
    own.write_bytes(private + certificate(x509.Name([]), key.public_key(), subject_names, known_by))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own)
    return trusted, context
