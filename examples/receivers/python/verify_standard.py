import base64, hashlib, hmac, re, time


def verify_standard(body, headers, secret):
    """Verifies the headers of Standard Webhooks and rejects replays."""
    message_id, timestamp = headers.get("webhook-id") or "", headers.get("webhook-timestamp") or ""
    if not message_id or not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{message_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    signatures = (headers.get("webhook-signature") or "").split(" ")  # Two during a rotation.
    return any(hmac.compare_digest(expected, signature.encode()) for signature in signatures)
