import hashlib
import hmac


def verify_signature(body, header, secret):
    """Verifies the header X-Svc-Signature: "sha256=" and the hex HMAC-SHA256 of the raw body.

    The key is the whole secret, including "whsec_".
    """
    expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), (header or "").encode())
