<?php

declare(strict_types=1);

/**
 * Verifies the header X-Svc-Signature: "sha256=" and the hex HMAC-SHA256 of the raw body. The key is
 * the whole secret, including "whsec_".
 */
function verify_signature(string $body, ?string $header, string $secret): bool
{
    return hash_equals('sha256=' . hash_hmac('sha256', $body, $secret), $header ?? '');
}
