<?php
/**
 * Sends one message by RCS, with fallback to the chat app and SMS, and waits for its final status.
 *
 *   POSTHORN_URL=http://127.0.0.1:8080 POSTHORN_KEY=... php send-chain.php 491701234501
 *
 * Needs PHP 8.0 or newer without extensions. POSTHORN_HOOK sets the address for reports. A request without an answer is
 * repeated with the same Idempotency-Key, so that the message is sent once.
 */
declare(strict_types=1);

const TRIES = 5;

/**
 * Returns the data of the gateway's answer to one operation. Throws a RuntimeException with the gateway's error.
 * @param $idempotencyKey for operations that change something: without it, a retry could execute them twice
 */
function execute(array $operation, ?string $idempotencyKey = null): array
{
    $request = ['auth' => setting('POSTHORN_KEY'), 'data' => [$operation]];
    $headers = ['Content-Type: application/json'];
    if ($idempotencyKey !== null) {
        $headers[] = "Idempotency-Key: $idempotencyKey";
    }
    $answer = post_with_retries(json_encode($request, JSON_THROW_ON_ERROR), $headers);
    $result = $answer['data'][0];
    if (!$result['success']) {
        throw new RuntimeException($result['error']);
    }
    return $result['data'];
}

function post_with_retries(string $body, array $headers): array
{
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => $headers,
        'content' => $body,
        'timeout' => 30,
        'follow_location' => 0,
        'ignore_errors' => true,
    ]]);
    for ($tries = 1; ; $tries++) {
        $text = @file_get_contents(rtrim(setting('POSTHORN_URL'), '/') . '/api/json.php', false, $context);
        // Decode ids above 2^63 as strings instead of rounded numbers.
        $answer = $text === false ? null : json_decode($text, true, 512, JSON_BIGINT_AS_STRING);
        if (is_array($answer) && ($answer['success'] ?? false)) {
            return $answer;
        }
        // Such as HTTP/1.1 404 Not Found; a proxy may answer in place of the gateway.
        $problem = $answer['error'] ?? ($text === false ? 'no answer' : $http_response_header[0]);
        $canHelp = '~^(no answer|HTTP/\S+ 5|Service unavailable|Rate limit exceeded)~';
        if ($tries === TRIES || !preg_match($canHelp, $problem)) {
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
    $sent = execute($message, bin2hex(random_bytes(16)));
    echo "accepted as {$sent['msg_id']}\n";
    do {
        sleep(1);
        $status = execute(['type' => 'status', 'msg_id' => $sent['msg_id']]);
    } while (in_array($status['status'], ['QUEUED', 'ACCEPTED'], true));
    echo "{$status['status']} by {$status['channel']} for {$status['price']} {$status['currency']}\n";
}

try {
    main($argv[1] ?? throw new RuntimeException('the phone number is missing'));
} catch (RuntimeException $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(1);
}
