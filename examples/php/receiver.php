<?php
// A receiver for Earshot webhooks in PHP 8 or newer, without dependencies.
//
//   VERIFY_TOKEN=… SIGNING_SECRET=… php receiver.php
//
// It listens on http://127.0.0.1:8787/webhook (PORT changes that), answers the verification request, and prints
// every event with a valid signature. Without SIGNING_SECRET it accepts every request: use that only for testing. Behind a
// web server of your own, everything below `serve` stays as it is.

// Events have at most 300 KiB; anything larger than this is not from Earshot.
const MAX_BYTES = 1024 * 1024;

if (PHP_SAPI === 'cli') {
    $port = getenv('PORT') ?: '8787';
    say("listening on http://127.0.0.1:$port/webhook");
    // PHP's own server runs this file again for every request. -q keeps its log quiet.
    passthru(escapeshellarg(PHP_BINARY) . ' -q -S ' . escapeshellarg("127.0.0.1:$port") . ' ' . escapeshellarg(__FILE__), $status);
    exit($status);
}
serve();

function serve(): void
{
    if (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) !== '/webhook') {
        http_response_code(404);
    } elseif ($_SERVER['REQUEST_METHOD'] === 'GET') {
        confirm();
    } elseif ($_SERVER['REQUEST_METHOD'] === 'POST') {
        receive();
    } else {
        http_response_code(405);
    }
}

/** The verification request: the bare challenge as the body means yes. */
function confirm(): void
{
    // PHP turns the dots in names of parameters into underscores: hub.mode is $_GET['hub_mode'].
    $isOurs = ($_GET['hub_mode'] ?? '') === 'subscribe'
        && hash_equals(getenv('VERIFY_TOKEN') ?: '', (string) ($_GET['hub_verify_token'] ?? ''));
    if (!$isOurs) {
        http_response_code(403);
        return;
    }
    header('Content-Type: text/plain');
    echo $_GET['hub_challenge'] ?? '';
    say('confirmed');
}

function receive(): void
{
    // The signature is over these bytes: check it before they are parsed.
    $body = file_get_contents('php://input', false, null, 0, MAX_BYTES + 1);
    if (strlen($body) > MAX_BYTES) {
        http_response_code(413);
        return;
    }
    if (!isSigned($body, $_SERVER['HTTP_X_HUB_SIGNATURE'] ?? '')) {
        http_response_code(403);
        return;
    }
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $event = json_decode($body);
    if ($event === null || $id === '') {
        http_response_code(400);
        return;
    }
    // Respond within 5 seconds: store the event, respond, and do the work elsewhere.
    if (isNew($id)) {
        $data = json_encode($event->data, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
        say("verified $event->event $data");
    }
}

function isSigned(string $body, string $header): bool
{
    $secret = getenv('SIGNING_SECRET') ?: '';
    return $secret === '' || hash_equals('sha256=' . hash_hmac('sha256', $body, $secret), $header);
}

/** Whether this event is new. Keep track of that in your database: an event can arrive twice. */
function isNew(string $id): bool
{
    $folder = sys_get_temp_dir() . '/earshot-seen';
    @mkdir($folder);
    // If two arrive at once, only one creates the file.
    return @fopen($folder . '/' . hash('sha256', $id), 'x') !== false;
}

function say(string $line): void
{
    file_put_contents('php://stdout', "$line\n");
}
