<?php

// WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:3001 receiver.php, or any web server with PHP
declare(strict_types=1);

require __DIR__ . '/verify.php';
require __DIR__ . '/verify-standard.php';

/** Larger requests get 413. Events have at most 256 KiB. */
const MAX_BYTES = 1024 * 1024;

/** The work of your website. If it throws, the response is 500 and the event is delivered again. */
function handle(array $event): void
{
    file_put_contents('php://stdout', json_encode($event) . "\n");
}

/**
 * Skips an event that was handled before: deliveries can be repeated, with the same id. The id is
 * recorded after the work, so that a crash loses no event.
 */
function handle_once(array $event): void
{
    $directory = getenv('SEEN_DIR') ?: __DIR__ . '/seen-events';
    is_dir($directory) || mkdir($directory, recursive: true);
    $lock = fopen("$directory/lock", 'c');
    flock($lock, LOCK_EX); // Held until the response is sent.
    $seen = $directory . '/' . hash('sha256', (string) ($event['id'] ?? ''));
    if (isset($event['id']) && file_exists($seen)) {
        return;
    }
    handle($event);
    if (isset($event['id'])) {
        touch($seen);
    }
}

function is_signed(string $body, string $secret): bool
{
    $header = fn (string $name): string => $_SERVER['HTTP_' . $name] ?? '';
    if (!verify_signature($body, $header('X_SVC_SIGNATURE'), $secret)) {
        return false;
    }
    if (getenv('WEBHOOK_STRICT') !== '1') {
        return true;
    }
    [$id, $timestamp] = [$header('WEBHOOK_ID'), $header('WEBHOOK_TIMESTAMP')];
    return verify_standard($body, $id, $timestamp, $header('WEBHOOK_SIGNATURE'), $secret);
}

function respond(int $status, array $body): never
{
    http_response_code($status);
    header('content-type: application/json');
    exit(json_encode($body));
}

$secret = getenv('WEBHOOK_SECRET') ?: respond(500, ['error' => 'WEBHOOK_SECRET is not set']);
$_SERVER['REQUEST_METHOD'] === 'POST' || respond(405, ['error' => 'POST only']);
// The signature covers the raw bytes.
$body = file_get_contents('php://input', length: MAX_BYTES + 1);
strlen($body) <= MAX_BYTES || respond(413, ['error' => 'too large']);
is_signed($body, $secret) || respond(401, ['error' => 'bad signature']);
try {
    handle_once(json_decode($body, true, flags: JSON_THROW_ON_ERROR));
} catch (Throwable $error) {
    error_log((string) $error);
    respond(500, ['error' => 'not handled']);
}
respond(200, ['received' => true]);
