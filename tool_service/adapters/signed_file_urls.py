"""Grants as URLs: signed text that only this service can write, checked against our own clock."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from itsdangerous import BadData, URLSafeSerializer

from tool_service.domain.signed_files import DownloadGrant, SignedUrlExpired, SignedUrlInvalid, UploadGrant
from tool_service.ports import Clock


class SignedFileUrls:
    """Writes and reads the URLs of uploads and downloads; one kind never passes for the other.

    The first key signs, all of them are believed. The token is readable but not writable: it
    tells its holder nothing that files_create or files_download did not.
    """

    def __init__(self, public_url: str, keys: Sequence[bytes], clock: Clock) -> None:
        self._public_url = public_url.rstrip("/")
        self._clock = clock
        self._uploads = _serializer(keys, "signed upload")
        self._downloads = _serializer(keys, "signed download")

    def upload(self, grant: UploadGrant) -> str:
        return f"{self._public_url}/files/upload/{self._uploads.dumps(_claims(grant))}"

    def download(self, grant: DownloadGrant) -> str:
        return f"{self._public_url}/files/download/{self._downloads.dumps(_claims(grant))}"

    def read_upload(self, token: str) -> UploadGrant:
        """Raises: SignedUrlInvalid, SignedUrlExpired."""
        return UploadGrant(**self._claims_of(self._uploads, token))

    def read_download(self, token: str) -> DownloadGrant:
        """Raises: SignedUrlInvalid, SignedUrlExpired."""
        return DownloadGrant(**self._claims_of(self._downloads, token))

    def _claims_of(self, serializer: URLSafeSerializer, token: str) -> dict[str, Any]:
        try:
            claims = serializer.loads(token)
        except BadData as error:
            raise SignedUrlInvalid() from error
        claims["expires_at"] = datetime.fromisoformat(claims["expires_at"])
        if claims["expires_at"] <= self._clock.now():
            raise SignedUrlExpired()
        return claims


def _claims(grant: UploadGrant | DownloadGrant) -> dict[str, Any]:
    return {**asdict(grant), "expires_at": grant.expires_at.isoformat()}


def _serializer(keys: Sequence[bytes], purpose: str) -> URLSafeSerializer:
    # itsdangerous signs with the LAST key; its timed variant reads the wall clock, so the expiry is a claim.
    return URLSafeSerializer(
        list(reversed(keys)),
        salt=f"kadu {purpose}",
        serializer=json,
        signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256},
    )
