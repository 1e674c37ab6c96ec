<?php

// WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:3001 receiver.php      (or behind any web server with PHP)
declare(strict_types=1);

require __DIR__ . '/verify.php';
require __DIR__ . '/verify-standard.php';

/** An event has at most 256 KiB; nothing longer is read. */
const MOST_BYTES = 1024 * 1024;

/** What your website does with an event. When it throws, the answer is 500, and the event comes again. */
function handle(array $event): void
{
    file_put_contents('php://stdout', json_encode($event) . "\n");
}

/** An event may come more than once, always with the same id. It is noted when it has been handled, so that a crash loses none. */
function handle_once(array $event): void
{
    $directory = getenv('SEEN_DIR') ?: __DIR__ . '/seen-events';
    is_dir($directory) || mkdir($directory, recursive: true);
    $turn = fopen("$directory/lock", 'c');
    flock($turn, LOCK_EX); // Until the answer is out.
    $seen = $directory . '/' . hash('sha256', (string) ($event['id'] ?? ''));
    if (isset($event['id']) && file_exists($seen)) {
        return;
    }
    handle($event);
    if (isset($event['id'])) {
        touch($seen);
    }
}

function is_genuine(string $body, string $secret): bool
{
    $header = fn (string $name): string => $_SERVER['HTTP_' . $name] ?? '';
    return verify_signature($body, $header('X_SVC_SIGNATURE'), $secret)
        && (getenv('WEBHOOK_STRICT') !== '1'
            || verify_standard($body, $header('WEBHOOK_ID'), $header('WEBHOOK_TIMESTAMP'), $header('WEBHOOK_SIGNATURE'), $secret));
}

function answer(int $status, array $body): never
{
    http_response_code($status);
    header('content-type: application/json');
    exit(json_encode($body));
}

$secret = getenv('WEBHOOK_SECRET') ?: answer(500, ['error' => 'WEBHOOK_SECRET is not set']);
$_SERVER['REQUEST_METHOD'] === 'POST' || answer(405, ['error' => 'POST only']);
// The raw bytes: text that was parsed and written again has another signature.
$body = file_get_contents('php://input', length: MOST_BYTES + 1);
strlen($body) <= MOST_BYTES || answer(413, ['error' => 'too large']);
is_genuine($body, $secret) || answer(401, ['error' => 'bad signature']);
try {
    handle_once(json_decode($body, true, flags: JSON_THROW_ON_ERROR));
} catch (Throwable $error) {
    error_log((string) $error);
    answer(500, ['error' => 'not handled']);
}
answer(200, ['received' => true]);
