<?php

declare(strict_types=1);

namespace Posthorn;

/** Verifies that a request to a hook is a report of the gateway: Standard Webhooks 1.0, symmetric signatures. */
final class ReportVerifier
{
    /** Maximum signatures read from a header, because anyone may send one. */
    private const MAX_SIGNATURES = 16;
    private const MAX_ID = 256;
    /** Minimum bytes of a secret, by Standard Webhooks 1.0: a shorter one is a mistake and could be guessed. */
    private const MIN_SECRET_BYTES = 24;
    private const MAX_SECRET_BYTES = 64;

    /** @var non-empty-list<string> */
    private readonly array $secrets;

    /**
     * @param string|list<string> $secrets the hook secret, `whsec_…`; during a rotation the old and the new one
     * @param ?int $now seconds since 1970; null for this machine's time
     * @throws \InvalidArgumentException for an invalid secret, without disclosing it
     */
    public function __construct(
        #[\SensitiveParameter] string|array $secrets,
        private readonly int $toleranceSeconds = 300,
        private readonly ?int $now = null,
    ) {
        $read = array_map(self::readSecret(...), array_values((array) $secrets));
        $this->secrets = $read === [] ? throw new \InvalidArgumentException('secrets: at least one is needed') : $read;
    }

    /**
     * Returns the report of a request, or several in order. The answer to the request counts for all of them.
     *
     * @param string $body as received: `file_get_contents('php://input')`
     * @param array<string, string> $headers by name in any case, as `getallheaders()` returns them, or `$_SERVER`
     * @return list<VerifiedReport>
     * @throws ReportRejected if the request is not trustworthy
     */
    public function verify(string $body, array $headers): array
    {
        $webhookId = self::header($headers, 'webhook-id');
        if (strlen($webhookId) > self::MAX_ID) {
            throw new ReportRejected('webhook-id is too long', 'headers');
        }
        $timestamp = self::header($headers, 'webhook-timestamp');
        $signatures = self::header($headers, 'webhook-signature');
        $this->checkTime($timestamp);
        if (!$this->isSigned("$webhookId.$timestamp.$body", $signatures)) {
            throw new ReportRejected('no signature was made with a secret of this hook', 'signature');
        }
        try {
            $parsed = json_decode($body, true, 64, JSON_BIGINT_AS_STRING | JSON_THROW_ON_ERROR);
        } catch (\JsonException) {
            throw new ReportRejected('the body is no JSON', 'body');
        }
        if (is_array($parsed) && $parsed !== [] && array_is_list($parsed)) {
            return array_map(self::readItem(...), $parsed);
        }
        return [new VerifiedReport($webhookId, self::readReport($parsed))];
    }

    private function checkTime(string $timestamp): void
    {
        if (preg_match('/^\d{1,12}$/D', $timestamp) !== 1) {
            throw new ReportRejected('webhook-timestamp is no time', 'headers');
        }
        if (abs(($this->now ?? time()) - (int) $timestamp) > $this->toleranceSeconds) {
            throw new ReportRejected('signed too long ago, or in the future', 'timestamp');
        }
    }

    /** Compares in constant time. Of the versions of the scheme only `v1` is symmetric. */
    private function isSigned(string $signed, string $signatures): bool
    {
        $given = array_filter(explode(' ', $signatures), static fn (string $each) => str_starts_with($each, 'v1,'));
        $expected = array_map(
            static fn (string $secret) => 'v1,' . base64_encode(hash_hmac('sha256', $signed, $secret, true)),
            $this->secrets,
        );
        foreach (array_slice($given, 0, self::MAX_SIGNATURES) as $signature) {
            foreach ($expected as $each) {
                if (hash_equals($each, $signature)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static function readSecret(#[\SensitiveParameter] string $secret): string
    {
        $bytes = base64_decode(preg_replace('/^whsec_/', '', $secret) ?? '', true);
        if ($bytes === false || strlen($bytes) < self::MIN_SECRET_BYTES || strlen($bytes) > self::MAX_SECRET_BYTES) {
            $rule = 'whsec_ and the base64 of ' . self::MIN_SECRET_BYTES . ' to ' . self::MAX_SECRET_BYTES . ' bytes';
            throw new \InvalidArgumentException("secrets: must be $rule, as the gateway shows them");
        }
        return $bytes;
    }

    /** @param array<string, string> $headers */
    private static function header(array $headers, string $name): string
    {
        $inServer = 'HTTP_' . strtoupper(strtr($name, '-', '_'));
        foreach ($headers as $key => $value) {
            if ((strtolower((string) $key) === $name || $key === $inServer) && is_string($value) && $value !== '') {
                return $value;
            }
        }
        throw new ReportRejected("$name is missing", 'headers');
    }

    private static function readItem(mixed $item): VerifiedReport
    {
        $id = is_array($item) ? ($item['webhook_id'] ?? null) : null;
        if (!is_string($id) || $id === '' || strlen($id) > self::MAX_ID) {
            throw new ReportRejected('a report in the body has no webhook_id', 'body');
        }
        unset($item['webhook_id']);
        return new VerifiedReport($id, self::readReport($item));
    }

    /** @return array<string, mixed> */
    private static function readReport(mixed $body): array
    {
        return is_array($body) && is_string($body['type'] ?? null)
            ? $body
            : throw new ReportRejected('the body is no report', 'body');
    }
}
