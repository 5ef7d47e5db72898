<?php
/**
 * Receives reports at a hook and accepts only those that are signed with the secret of the account or of the hook.
 *
 *   POSTHORN_HOOK_SECRET=whsec_... php -S 127.0.0.1:9000 receive-reports.php
 *
 * Needs PHP 8.0 or newer without extensions, and any web server. While a secret is rotated, set both secrets, separated by
 * a space. Signatures follow Standard Webhooks 1.0.
 */
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;
const MAX_BODY_BYTES = 1_048_576;
const MAX_SIGNATURES = 16;

/** Returns whether one of the secrets signed this body within the tolerance. */
function is_signed(array $secrets, array $server, string $body, int $now): bool
{
    $id = $server['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $server['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!preg_match('/^\d{1,12}$/D', $timestamp) || abs($now - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $given = array_slice(explode(' ', $server['HTTP_WEBHOOK_SIGNATURE'] ?? ''), 0, MAX_SIGNATURES);
    $signed = false;
    foreach ($secrets as $secret) {
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $secret, true));
        foreach ($given as $signature) {
            $signed = hash_equals($expected, $signature) || $signed;
        }
    }
    return $signed;
}

/** @return string[] */
function read_secrets(string $text): array
{
    return array_map(static function (string $secret): string {
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
        return $key === false || $key === '' ? throw new RuntimeException('POSTHORN_HOOK_SECRET: must be whsec_ and base64') : $key;
    }, preg_split('/\s+/', $text, -1, PREG_SPLIT_NO_EMPTY));
}

/**
 * Processes a verified report. Do longer work elsewhere: the gateway waits ten seconds for the answer. A report can arrive
 * twice with the same id: store the ids under a unique key in your database.
 */
function handle_report(string $id, array $report): void
{
    if ($report['type'] === 'message.status') {
        error_log("{$report['msg_id']} {$report['status']} by {$report['channel']}");
    } elseif ($report['type'] === 'link.clicked') {
        error_log("{$report['msg_id']} clicked {$report['url']}");
    } elseif ($report['type'] === 'message.inbound') {
        error_log("{$report['from']} wrote to {$report['to']}: {$report['text']}");
    } elseif ($report['type'] === 'verify.status') {
        error_log("verification {$report['verify_id']} {$report['status']}");
    } else {
        error_log($report['type']);
    }
}

$body = file_get_contents('php://input', false, null, 0, MAX_BODY_BYTES + 1);
if (strlen($body) > MAX_BODY_BYTES) {
    http_response_code(413);
} elseif (!is_signed(read_secrets((string) getenv('POSTHORN_HOOK_SECRET')), $_SERVER, $body, time())) {
    http_response_code(400);
} else {
    $parsed = json_decode($body, true, 512, JSON_THROW_ON_ERROR | JSON_BIGINT_AS_STRING);
    // An account with several reports per POST gets an array, in which each report has its id.
    foreach (isset($parsed['type']) ? [$parsed] : $parsed as $report) {
        handle_report($report['webhook_id'] ?? $_SERVER['HTTP_WEBHOOK_ID'], $report);
    }
    http_response_code(204);
}
