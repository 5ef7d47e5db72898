<?php

declare(strict_types=1);

/** Which requests to a hook are believed, and which settings are refused. */

use Posthorn\Posthorn;
use Posthorn\ReportRejected;
use Posthorn\ReportVerifier;

require __DIR__ . '/autoload.php';

const NOW = 1_764_000_000;
const BODY = '{"type":"message.status","msg_id":65,"status":"DELIVERED"}';
$secret = 'whsec_' . base64_encode(str_repeat('s', 32));
$verifier = new ReportVerifier(['whsec_' . base64_encode(str_repeat('o', 32)), $secret], now: NOW + 10);

/** @return array<string, string> */
function signed(string $body = BODY, int $at = NOW, string $id = 'rep_65_0'): array
{
    $signature = base64_encode(hash_hmac('sha256', "$id.$at.$body", str_repeat('s', 32), true));
    return ['webhook-id' => $id, 'webhook-timestamp' => "$at", 'webhook-signature' => "v1a,AAAA v1,$signature"];
}

[$found] = $verifier->verify(BODY, array_change_key_case(signed(), CASE_UPPER));
check($found->webhookId === 'rep_65_0' && $found->report['type'] === 'message.status', 'a signed report');
$server = ['HTTP_WEBHOOK_ID' => 'rep_65_0', 'HTTP_WEBHOOK_TIMESTAMP' => (string) NOW];
$server['HTTP_WEBHOOK_SIGNATURE'] = signed()['webhook-signature'];
check(count($verifier->verify(BODY, $server)) === 1, 'headers of $_SERVER');

$several = '[{"webhook_id":"a","type":"link.clicked"},{"webhook_id":"b","type":"link.clicked"}]';
$found = $verifier->verify($several, signed($several));
check([$found[0]->webhookId, $found[1]->webhookId] === ['a', 'b'], 'several reports');
check($found[0]->report === ['type' => 'link.clicked'], 'a report without its id');

foreach ([
    ['signature', BODY . ' ', signed()],
    ['signature', BODY, ['webhook-id' => 'rep_65_1'] + signed()],
    ['signature', BODY, ['webhook-signature' => 'v1,ü v1 v1,'] + signed()],
    ['timestamp', BODY, signed(at: NOW - 400)],
    ['timestamp', BODY, signed(at: NOW + 400)],
    ['headers', BODY, ['webhook-timestamp' => "1\n"] + signed()],
    ['headers', BODY, []],
    ['headers', BODY, signed(id: str_repeat('r', 257))],
    ['body', '', signed('')],
    ['body', '[3]', signed('[3]')],
    ['body', '{}', signed('{}')],
    ['body', '"text"', signed('"text"')],
    ['body', str_repeat('[', 100_000), signed(str_repeat('[', 100_000))],
] as [$reason, $body, $headers]) {
    $rejected = thrown(ReportRejected::class, static fn () => $verifier->verify($body, $headers));
    check($rejected instanceof ReportRejected && $rejected->reason === $reason, "$reason: {$rejected->getMessage()}");
}

foreach (['', 'whsec_c2hvcnQ=', 'not base64!', []] as $wrong) {
    $error = thrown(InvalidArgumentException::class, static fn () => new ReportVerifier($wrong));
    check($wrong === '' || $wrong === [] || !str_contains($error->getMessage(), $wrong), 'a shown secret');
}
foreach (
    [['gateway.example', 'k'], ['http://u:p@x', 'k'], ['http://x?a', 'k'], ['http://x', ''], ['http://x', ' k']] as [$url, $key]
) {
    thrown(InvalidArgumentException::class, static fn () => new Posthorn($url, $key));
}
echo "OK\n";
