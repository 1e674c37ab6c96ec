<?php

declare(strict_types=1);

/** Whether $header (X-Svc-Signature) is "sha256=" and the HMAC-SHA256 of the body's raw bytes; the key is the whole secret, "whsec_" included. */
function verify_signature(string $body, ?string $header, string $secret): bool
{
    return hash_equals('sha256=' . hash_hmac('sha256', $body, $secret), $header ?? '');
}
