<?php
/**
 * Receives reports at a hook and believes only those that are signed with the account's hook secret.
 *
 *   POSTHORN_HOOK_SECRET=whsec_... php -S 127.0.0.1:9000 receive-reports.php
 *
 * Needs PHP from 8.0 on and no extensions, and any web server. While a secret is rotated, give both with a space between
 * them. The scheme of the signatures is Standard Webhooks 1.0.
 */
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;
const LONGEST_BODY = 65_536;
const MOST_SIGNATURES = 16;

/** Whether one of the secrets signed this body, not long ago. */
function is_signed(array $secrets, array $server, string $body, int $now): bool
{
    $id = $server['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $server['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!preg_match('/^\d{1,12}$/D', $timestamp) || abs($now - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $given = array_slice(explode(' ', $server['HTTP_WEBHOOK_SIGNATURE'] ?? ''), 0, MOST_SIGNATURES);
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
        return $key === false || $key === '' ? throw new RuntimeException('a hook secret is no base64') : $key;
    }, preg_split('/\s+/', $text, -1, PREG_SPLIT_NO_EMPTY));
}

/**
 * What the program is for. Work that takes longer belongs elsewhere: the gateway waits ten seconds. A report may come
 * twice: its webhook-id is the same on each try, so a real receiver keeps it under a unique key in its database.
 */
function hear(array $report): void
{
    if ($report['type'] === 'message.status') {
        error_log("{$report['msg_id']} {$report['status']} by {$report['channel']}");
    } elseif ($report['type'] === 'link.clicked') {
        error_log("{$report['msg_id']} clicked {$report['url']}");
    }
}

$body = file_get_contents('php://input', false, null, 0, LONGEST_BODY + 1);
if (strlen($body) > LONGEST_BODY) {
    http_response_code(413);
} elseif (!is_signed(read_secrets((string) getenv('POSTHORN_HOOK_SECRET')), $_SERVER, $body, time())) {
    http_response_code(400);
} else {
    hear(json_decode($body, true, 512, JSON_THROW_ON_ERROR | JSON_BIGINT_AS_STRING));
    http_response_code(204);
}
