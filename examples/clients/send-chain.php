<?php
/**
 * Sends one message by RCS, else by the chat app, else by SMS, and waits until it is known what became of it.
 *
 *   POSTHORN_URL=http://127.0.0.1:8080 POSTHORN_KEY=... php send-chain.php 491701234501
 *
 * Needs PHP from 8.0 on and no extensions. With POSTHORN_HOOK, an address, reports go there too. What gets no answer is
 * asked again under the same Idempotency-Key, so the message is sent once.
 */
declare(strict_types=1);

const TRIES = 5;

/**
 * What the gateway answers to one operation. Throws with its own words when it refuses or fails.
 * @param $idempotencyKey Whatever changes something needs one, or it could be done twice.
 */
function ask(array $operation, ?string $idempotencyKey = null): array
{
    $request = ['auth' => setting('POSTHORN_KEY'), 'data' => [$operation]];
    $headers = ['Content-Type: application/json'];
    if ($idempotencyKey !== null) {
        $headers[] = "Idempotency-Key: $idempotencyKey";
    }
    $answer = ask_until_answered(json_encode($request, JSON_THROW_ON_ERROR), $headers);
    $result = $answer['data'][0];
    if (!$result['success']) {
        throw new RuntimeException($result['error']);
    }
    return $result['data'];
}

function ask_until_answered(string $body, array $headers): array
{
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => $headers,
        'content' => $body,
        'timeout' => 30,
        'follow_location' => 0,
    ]]);
    for ($tries = 1; ; $tries++) {
        $text = @file_get_contents(rtrim(setting('POSTHORN_URL'), '/') . '/api/json.php', false, $context);
        // Ids beyond 2^63 come as strings instead of rounded numbers.
        $answer = $text === false ? null : json_decode($text, true, 512, JSON_BIGINT_AS_STRING);
        if (is_array($answer) && ($answer['success'] ?? false)) {
            return $answer;
        }
        $problem = $answer['error'] ?? 'no answer';
        if ($tries === TRIES || !preg_match('/^(no answer|Service unavailable|Rate limit exceeded)/', $problem)) {
            throw new RuntimeException($problem);
        }
        usleep((int) (500_000 * 2 ** ($tries - 1) * random_int(500, 1000) / 1000));
    }
}

function setting(string $name): string
{
    $value = getenv($name);
    return $value === false ? throw new RuntimeException("$name is missing") : $value;
}

function main(string $phone): void
{
    $message = [
        'type' => 'rcs+chatapp+sms',
        'phone' => $phone,
        'rcs_signature' => 'RCSTest',
        'rcs_message' => 'Your parcel is here.',
        'rcs_lifetime' => 3600,
        'chatapp_type' => 'text',
        'chatapp_signature' => 'ChatTest',
        'chatapp_message' => 'Your parcel is here.',
        'sms_signature' => 'SMSTest',
        'sms_message' => 'Your parcel is here.',
        'hook' => getenv('POSTHORN_HOOK') ?: null,
    ];
    $sent = ask($message, bin2hex(random_bytes(16)));
    echo "accepted as {$sent['msg_id']}\n";
    do {
        sleep(1);
        $status = ask(['type' => 'status', 'msg_id' => $sent['msg_id']]);
    } while (in_array($status['status'], ['QUEUED', 'ACCEPTED'], true));
    echo "{$status['status']} by {$status['channel']} for {$status['price']} {$status['currency']}\n";
}

try {
    main($argv[1] ?? throw new RuntimeException('the phone number is missing'));
} catch (RuntimeException $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(1);
}
