<?php

declare(strict_types=1);

namespace Posthorn;

/**
 * Sends operations to the gateway, one or many in a request, and retries where that can help. A retry uses the same
 * idempotency key, so that nothing is ever executed twice.
 */
final class Posthorn
{
    private const SYNC_PATH = '/api/json.php';
    private const ASYNC_PATH = '/v1/json';
    private const BULK_PATH = '/api/bulk/';
    private const LINES = 5_000;
    private const BULK_LOOK_SECONDS = 2.0;
    private const BYTE_ORDER_MARK = "\xEF\xBB\xBF";
    private const LOOK_SECONDS = 0.005;
    private const PIECE_BYTES = 64 * 1024;
    /** More is no answer of a gateway. */
    private const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

    private readonly string $baseUrl;

    /**
     * @param string $baseUrl the gateway's address; a path before the API's is kept
     * @param float $timeoutSeconds of each try
     * @param int $tries 1 never retries
     * @param float $firstDelaySeconds the wait before the second try, doubled before each further one
     * @param float $maxDelaySeconds the longest wait, whatever `Retry-After` asks for
     * @param ?\Closure(int, float, PosthornError): void $onRetry called before each retry with the number of tries so
     *     far, the seconds to wait, and the error that would be thrown without it
     * @throws \InvalidArgumentException that names the invalid option
     */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] private readonly string $apiKey,
        private readonly float $timeoutSeconds = 30.0,
        private readonly int $tries = 5,
        private readonly float $firstDelaySeconds = 0.5,
        private readonly float $maxDelaySeconds = 20.0,
        private readonly ?\Closure $onRetry = null,
    ) {
        if (preg_match('~^https?://[^/?#@]+(/[^?#]*)?$~Di', $baseUrl) !== 1) {
            throw new \InvalidArgumentException(
                'baseUrl: must be an absolute http or https address without credentials, query and fragment',
            );
        }
        if ($apiKey === '' || $apiKey !== trim($apiKey)) {
            throw new \InvalidArgumentException('apiKey: must be the key itself; is its environment variable set?');
        }
        if ($tries < 1 || $timeoutSeconds <= 0 || $firstDelaySeconds < 0 || $maxDelaySeconds < 0) {
            throw new \InvalidArgumentException('tries and timeoutSeconds must be positive, delays not negative');
        }
        // Programs often have the address with the path of the API.
        $this->baseUrl = preg_replace('~(?:/api/json\.php|/v1/json)?/*$~D', '', $baseUrl, 1);
    }

    /**
     * Executes one operation and returns its data: `execute(['type' => 'balance'])['amount']`.
     *
     * @param array<string, mixed> $operation fields as in the API reference; null counts as not sent
     * @param ?string $idempotencyKey for 24 hours the same key with the same operation returns the first answer and
     *     executes nothing, also from another process. Without it, each call has a new random key.
     * @return array<mixed>
     * @throws ItemError if the operation failed
     * @throws RequestError
     * @throws NoAnswerError
     */
    public function execute(array $operation, ?string $idempotencyKey = null): array
    {
        [$result] = $this->batch([$operation], $idempotencyKey);
        return $result->data ?? throw $result->error;
    }

    /**
     * Executes an operation that only reads, and retries without end as long as that can help.
     *
     * @param array<string, mixed> $operation
     * @return array<mixed>
     */
    private function read(array $operation): array
    {
        [$result] = $this->ask(self::SYNC_PATH, [$operation], null, PHP_INT_MAX);
        return $result->data ?? throw $result->error;
    }

    /**
     * Executes up to 1,000 operations in one request and returns their results in order. The request is executed as a
     * whole or not at all; within it each operation succeeds or fails alone.
     *
     * @param list<array<string, mixed>> $operations
     * @return list<Result>
     * @throws RequestError
     * @throws NoAnswerError
     */
    public function batch(array $operations, ?string $idempotencyKey = null): array
    {
        return $this->ask(self::SYNC_PATH, $operations, $idempotencyKey);
    }

    /**
     * The same with up to 10,000 operations; never waits for a call to ring.
     *
     * @param list<array<string, mixed>> $operations
     * @return list<Result>
     */
    public function enqueue(array $operations, ?string $idempotencyKey = null): array
    {
        return $this->ask(self::ASYNC_PATH, $operations, $idempotencyKey);
    }

    /**
     * Reads the reports that the gateway keeps for reading (`hook` `feed:`), and waits for new ones, without end. A page
     * is acknowledged when the loop asks for the next one. While the gateway is down, it retries without end, with waits
     * of up to `maxDelaySeconds`.
     *
     * @param ?string $after the cursor of the last processed event; null for the last acknowledged one
     * @return \Generator<int, ReceivedEvent>
     */
    public function events(?string $after = null, ?int $limit = null, float $intervalSeconds = 1.0): \Generator
    {
        while (true) {
            $page = $this->read(['type' => 'event/list', 'after' => $after, 'limit' => $limit]);
            foreach ($page['events'] as $event) {
                ['event_id' => $id, 'cursor' => $cursor] = $event;
                unset($event['event_id'], $event['cursor']);
                yield new ReceivedEvent($id, $cursor, $event);
            }
            $after = $page['next'];
            if (!$page['more']) {
                self::sleep($intervalSeconds);
            }
        }
    }

    /**
     * Uploads lines of a bulk: `phone`, `id`, and a member for each placeholder. Called again with the same lines after
     * a failure, it skips those that were stored.
     *
     * @param iterable<array<string, mixed>> $lines
     * @return ?array<string, mixed> how many lines the bulk has; null for no lines
     */
    public function uploadBulk(int|string $bulkId, iterable $lines, int $fromLine = 1): ?array
    {
        $uploaded = null;
        $block = [];
        foreach ($lines as $line) {
            $block[] = self::json($line);
            if (count($block) === self::LINES) {
                $uploaded = $this->upload((int) $bulkId, $block, $fromLine);
                $fromLine += self::LINES;
                $block = [];
            }
        }
        return $block === [] ? $uploaded : $this->upload((int) $bulkId, $block, $fromLine);
    }

    /**
     * Returns a bulk once it is paused, or has ended and all of its messages have. Asks every few seconds,
     * and retries without end while the gateway is down.
     *
     * @return array<string, mixed> as of `bulk/status`
     */
    public function waitForBulk(int|string $bulkId): array
    {
        while (true) {
            $bulk = $this->read(['type' => 'bulk/status', 'bulk_id' => $bulkId]);
            if ($bulk['state'] === 'paused' || $bulk['ended_at'] !== null) {
                return $bulk;
            }
            self::sleep(self::BULK_LOOK_SECONDS);
        }
    }

    /**
     * @param list<array<string, mixed>> $operations
     * @return list<Result>
     */
    private function ask(string $path, array $operations, ?string $key, ?int $mostTries = null): array
    {
        if ($key !== null && preg_match('/^[\x21-\x7e]{1,255}$/D', $key) !== 1) {
            throw new \InvalidArgumentException('idempotencyKey: must be 1 to 255 visible ASCII characters');
        }
        if (array_filter($operations, is_array(...)) !== $operations) {
            throw new \InvalidArgumentException("operations: each must be an array, such as ['type' => 'balance']");
        }
        $onlyReads = static fn (array $each) => in_array($each['type'] ?? '', Reading::TYPES, true);
        // A key would make the gateway store the answer, which a repeat of a read does not need.
        if ($key === null && array_filter($operations, $onlyReads) !== $operations) {
            $key = bin2hex(random_bytes(16));
        }
        $body = '{"auth":' . self::encode($this->apiKey) . ',"data":['
            . implode(',', array_map(self::json(...), $operations)) . ']}';
        $headers = ['Content-Type: application/json', ...($key === null ? [] : ["Idempotency-Key: $key"])];
        [$data, $tries] = $this->exchange($path, $headers, $body, $key, $mostTries);
        if (!is_array($data) || !array_is_list($data) || count($data) !== count($operations)) {
            throw new NoAnswerError('answer', $tries, $key);
        }
        $read = static fn (mixed $result, array $operation) => self::readResult($result, $operation)
            ?? throw new NoAnswerError('answer', $tries, $key);
        return array_map($read, $data, array_values($operations));
    }

    /**
     * @param non-empty-list<string> $lines
     * @return array<string, mixed>
     */
    private function upload(int $bulkId, array $lines, int $fromLine): array
    {
        $headers = ['Content-Type: application/x-ndjson', "Authorization: Bearer {$this->apiKey}"];
        $path = self::BULK_PATH . "$bulkId/lines?from_line=$fromLine";
        [$data, $tries] = $this->exchange($path, $headers, implode("\n", $lines), null);
        return is_array($data) ? $data : throw new NoAnswerError('answer', $tries, null);
    }

    /**
     * @param list<string> $headers
     * @return array{mixed, int} `data` of the answer, and the number of tries
     */
    private function exchange(
        string $path,
        #[\SensitiveParameter] array $headers,
        #[\SensitiveParameter] string $body,
        ?string $key,
        ?int $mostTries = null,
    ): array {
        for ($tries = 1; ; $tries++) {
            $why = null;
            try {
                [$status, $retryAfter, $text] = $this->post($path, $headers, $body);
            } catch (\RuntimeException $why) {
                [$status, $retryAfter, $text] = [null, null, ''];
            }
            $answer = $status === 200 ? json_decode($text, true, 64, JSON_BIGINT_AS_STRING) : null;
            if (is_array($answer) && ($answer['success'] ?? null) === true) {
                return [$answer['data'] ?? null, $tries];
            }
            $refusal = is_array($answer) ? ($answer['error'] ?? null) : null;
            [$error, $again] = match (true) {
                is_string($refusal) => [
                    $refused = new RequestError($refusal, $answer['code'] ?? null, $tries, $key),
                    in_array($refused->errorCode, ['unavailable', 'rate_limited'], true),
                ],
                $status === 200 => [new NoAnswerError('answer', $tries, $key), false],
                $status === null => [new NoAnswerError('network', $tries, $key, previous: $why), true],
                default => [
                    new NoAnswerError('status', $tries, $key, $status),
                    $status >= 500 || in_array($status, [408, 425, 429], true),
                ],
            };
            if (!$again || $tries >= ($mostTries ?? $this->tries)) {
                throw $error;
            }
            $this->wait($tries, $retryAfter, $error);
        }
    }

    /** Waits between half and all of the doubled delay, so that clients that failed together do not retry together. */
    private function wait(int $tries, ?float $asked, PosthornError $error): void
    {
        $whole = min($this->maxDelaySeconds, $this->firstDelaySeconds * 2 ** min($tries - 1, 30));
        $delay = max($whole * random_int(500, 1_000) / 1_000, min($asked ?? 0.0, $this->maxDelaySeconds));
        if ($this->onRetry !== null) {
            ($this->onRetry)($tries, $delay, $error);
        }
        self::sleep($delay);
    }

    /**
     * Follows no redirect, because the body holds the key.
     *
     * @param list<string> $headers
     * @return array{int, ?float, string} status, seconds that `Retry-After` asks for, body
     * @throws \RuntimeException that says why there is no whole answer
     */
    private function post(
        string $path,
        #[\SensitiveParameter] array $headers,
        #[\SensitiveParameter] string $body,
    ): array {
        $deadline = microtime(true) + $this->timeoutSeconds;
        $stream = $this->open($path, $headers, $body);
        /** @var list<string> $lines */
        $lines = stream_get_meta_data($stream)['wrapper_data'] ?? [];
        try {
            $text = self::readUntil($stream, $deadline);
        } finally {
            fclose($stream);
        }
        $retryAfter = null;
        foreach ($lines as $line) {
            if (preg_match('/^retry-after:\s*(\d{1,9})\s*$/i', $line, $found) === 1) {
                $retryAfter = (float) $found[1];
            }
        }
        if (preg_match('~^HTTP/\S+ (\d{3})~', $lines[0] ?? '', $found) !== 1) {
            throw new \RuntimeException('no HTTP answer');
        }
        $status = (int) $found[1];
        $text = str_starts_with($text, self::BYTE_ORDER_MARK) ? substr($text, strlen(self::BYTE_ORDER_MARK)) : $text;
        // One that is no JSON object is whole, and none of a gateway.
        if ($status === 200 && ($text === '' || ($text[0] === '{' && !str_ends_with($text, '}')))) {
            throw new \RuntimeException('the answer ends early');
        }
        return [$status, $retryAfter, $text];
    }

    /**
     * @param list<string> $headers
     * @return resource
     */
    private function open(
        string $path,
        #[\SensitiveParameter] array $headers,
        #[\SensitiveParameter] string $body,
    ) {
        $context = stream_context_create(['http' => [
            'method' => 'POST',
            'header' => [...$headers, 'Connection: close'],
            'content' => $body,
            'timeout' => $this->timeoutSeconds,
            'follow_location' => 0,
            'ignore_errors' => true,
            'protocol_version' => 1.1,
        ]]);
        $reasons = [];
        set_error_handler(static function (int $level, string $text) use (&$reasons): bool {
            $reasons[] = preg_replace('/^fopen\(.*?\): /s', '', $text);
            return true;
        });
        try {
            $stream = fopen($this->baseUrl . $path, 'r', false, $context);
        } finally {
            restore_error_handler();
        }
        return $stream === false ? throw new \RuntimeException(implode('; ', $reasons)) : $stream;
    }

    /**
     * Asks again and again: the timeout of a stream bounds each read, not the sum of many small ones, and PHP cannot
     * wait for a stream that it decodes.
     *
     * @param resource $stream
     */
    private static function readUntil($stream, float $deadline): string
    {
        stream_set_blocking($stream, false);
        $text = '';
        while (strlen($text) < self::MAX_ANSWER_BYTES) {
            if (microtime(true) >= $deadline) {
                throw new \RuntimeException('no whole answer came in time');
            }
            $piece = (string) fread($stream, self::PIECE_BYTES);
            $text .= $piece;
            if ($piece === '' && feof($stream)) {
                break;
            }
            if ($piece === '') {
                self::sleep(self::LOOK_SECONDS);
            }
        }
        return $text;
    }

    /** @param array<string, mixed> $operation */
    private static function readResult(mixed $result, array $operation): ?Result
    {
        if (!is_array($result)) {
            return null;
        }
        $listed = $result['warnings'] ?? [];
        $warnings = is_array($listed) ? array_values(array_filter($listed, is_string(...))) : [];
        $text = $result['error'] ?? null;
        if (($result['success'] ?? null) === false && is_string($text)) {
            $field = is_string($result['field'] ?? null) ? $result['field'] : null;
            $type = (string) ($operation['type'] ?? '');
            $code = $result['code'] ?? null;
            $error = new ItemError($text, $code, $type, $operation['id'] ?? null, $field, $warnings);
            return new Result(null, $error, $warnings);
        }
        $data = $result['data'] ?? null;
        return ($result['success'] ?? null) === true && is_array($data) ? new Result($data, null, $warnings) : null;
    }

    /** @param array<string, mixed> $fields */
    private static function json(array $fields): string
    {
        $set = array_filter($fields, static fn (mixed $value) => $value !== null);
        $dated = array_map(
            static fn (mixed $value) => $value instanceof \DateTimeInterface ? $value->format(DATE_RFC3339_EXTENDED) : $value,
            $set,
        );
        return self::encode((object) $dated);
    }

    private static function encode(mixed $value): string
    {
        return json_encode(
            $value,
            JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION,
        );
    }

    private static function sleep(float $seconds): void
    {
        usleep((int) round($seconds * 1_000_000));
    }
}
