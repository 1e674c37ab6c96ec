<?php

/** The same question by Standard Webhooks, which also refuses what is older than five minutes: webhook-id, webhook-timestamp, webhook-signature. */
function verify_standard(string $body, string $id, string $timestamp, string $signatures, string $secret): bool
{
    if ($id === '' || !preg_match('/^[0-9]{1,12}$/D', $timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    $same = fn (string $given): bool => hash_equals($expected, $given); // two of them while the secret is being rotated
    return array_filter(explode(' ', $signatures), $same) !== [];
}
