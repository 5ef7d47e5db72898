<?php

declare(strict_types=1);

/**
 * The client against a running sandbox: POSTHORN_URL, POSTHORN_KEY, POSTHORN_HOOK_SECRET. The hook is a socket of its
 * own. Prints what it has seen.
 */

use Posthorn\ItemError;
use Posthorn\Posthorn;
use Posthorn\ReportVerifier;
use Posthorn\RequestError;

require __DIR__ . '/autoload.php';

$url = (string) getenv('POSTHORN_URL');
$posthorn = new Posthorn($url, (string) getenv('POSTHORN_KEY'));
$hook = stream_socket_server('tcp://127.0.0.1:0');
check($hook !== false, 'no socket');
$chain = [
    'type' => 'rcs+chatapp+sms',
    'rcs_signature' => 'RCSTest',
    'rcs_message' => 'Your parcel is here.',
    'chatapp_type' => 'text',
    'chatapp_signature' => 'ChatTest',
    'chatapp_message' => 'Your parcel is here.',
    'sms_signature' => 'SMSTest',
    'sms_message' => 'Your parcel is here.',
];

// RCS is refused for phones that end in 01, so the chat app delivers.
$message = [...$chain, 'phone' => 491701239401, 'id' => PHP_INT_MAX];
$message['hook'] = 'http://' . stream_socket_get_name($hook, false) . '/';
$sent = $posthorn->execute($message, 'order-18-paid');
check($sent['id'] === PHP_INT_MAX && $posthorn->execute($message, 'order-18-paid') === $sent, 'a repeat');

$call = stream_socket_accept($hook, 20);
check($call !== false, 'no report');
$headers = [];
fgets($call);
while (($line = trim((string) fgets($call))) !== '') {
    [$name, $value] = explode(':', $line, 2);
    $headers[$name] = trim($value);
}
$length = (int) array_change_key_case($headers)['content-length'];
$body = (string) stream_get_contents($call, $length);
fwrite($call, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
fclose($call);
[$verified] = (new ReportVerifier((string) getenv('POSTHORN_HOOK_SECRET')))->verify($body, $headers);
check($verified->report['msg_id'] === $sent['msg_id'], 'the report of another message');
echo "report {$verified->report['status']} {$verified->report['channel']}\n";

$status = $posthorn->execute(['type' => 'status', 'msg_id' => $sent['msg_id']]);
echo "status {$status['status']} {$status['price']} {$status['currency']}\n";
$error = thrown(ItemError::class, static fn () => $posthorn->execute([...$chain, 'phone' => 12]));
echo "error {$error->errorCode} {$error->field}\n";
$error = thrown(RequestError::class, static fn () => (new Posthorn($url, 'wrong'))->execute(['type' => 'balance']));
echo "error {$error->errorCode}\n";

$event = $posthorn->execute([...$chain, 'phone' => 491701239500, 'hook' => 'feed:']);
foreach ($posthorn->events(intervalSeconds: 0.1) as $received) {
    if (($received->report['msg_id'] ?? null) === $event['msg_id']) {
        echo "event {$received->report['status']}\n";
        break;
    }
}

$bulk = $posthorn->execute(['type' => 'bulk/create', 'message' => [
    'type' => 'sms', 'sms_signature' => 'SMSTest', 'sms_message' => 'Hello {{name}}',
]]);
$lines = array_map(static fn (int $n) => ['phone' => 491701239300 + 2 * $n, 'name' => 'Ada'], range(0, 9));
$uploaded = $posthorn->uploadBulk($bulk['bulk_id'], $lines);
$posthorn->execute(['type' => 'bulk/stop', 'bulk_id' => $bulk['bulk_id']]);
$stopped = (new Posthorn("{$url}/api/json.php", (string) getenv('POSTHORN_KEY')))->waitForBulk($bulk['bulk_id']);
echo "bulk {$uploaded['lines']} {$stopped['state']}\n";
