<?php

declare(strict_types=1);

/**
 * Sends an SMS to a scripted server at POSTHORN_URL, as often as the script says, then reads an event and waits for a
 * bulk, and prints what happened.
 */

use Posthorn\ItemError;
use Posthorn\NoAnswerError;
use Posthorn\Posthorn;
use Posthorn\PosthornError;
use Posthorn\RequestError;

require __DIR__ . '/autoload.php';

$retries = 0;
$posthorn = new Posthorn(
    (string) getenv('POSTHORN_URL'),
    'ph_live_secret',
    tries: 3,
    firstDelaySeconds: 0,
    onRetry: static function (int $tries) use (&$retries): void {
        $retries = $tries;
    },
);
$sms = ['type' => 'sms', 'id' => 17, 'phone' => 491701234500, 'sms_signature' => 'SMSTest', 'sms_message' => 'Größe 1.0 €'];
for ($call = 0; $call < (int) $argv[1]; $call++) {
    $retries = 0;
    try {
        $sent = $posthorn->execute([...$sms, 'hook' => null]);
        echo "sent {$sent['msg_id']} after $retries retries\n";
    } catch (PosthornError $error) {
        check(!str_contains((string) $error, 'ph_live_secret'), 'the key in an error');
        echo match (true) {
            $error instanceof ItemError => "item {$error->errorCode} {$error->field} {$error->id}",
            $error instanceof RequestError => "request {$error->errorCode} after $error->tries",
            $error instanceof NoAnswerError => "none {$error->reason} {$error->status} after $error->tries",
            default => 'other',
        }, "\n";
    }
}
try {
    $posthorn->batch(['type' => 'balance']);
} catch (\InvalidArgumentException $error) {
    echo $error->getMessage(), "\n";
}
foreach ($posthorn->events() as $event) {
    echo "event $event->id after $retries retries\n";
    break;
}
echo "bulk {$posthorn->waitForBulk(5)['state']} after $retries retries\n";
