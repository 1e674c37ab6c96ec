import hashlib
import hmac


def verify_signature(body, header, secret):
    """Whether `header` (X-Svc-Signature) is "sha256=" and the HMAC-SHA256 of the body's raw bytes; the key is the whole secret, "whsec_" included."""
    expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), (header or "").encode())
