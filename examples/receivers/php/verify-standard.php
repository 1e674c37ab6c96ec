<?php

/** Verifies webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks; rejects replays. */
function verify_standard(string $body, string $id, string $timestamp, string $signatures, string $secret): bool
{
    if ($id === '' || !preg_match('/^[0-9]{1,12}$/D', $timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // During a rotation of the secret there are two signatures.
    $is_expected = fn (string $given): bool => hash_equals($expected, $given);
    return array_filter(explode(' ', $signatures), $is_expected) !== [];
}
