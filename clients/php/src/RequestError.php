<?php

declare(strict_types=1);

namespace Posthorn;

/** The gateway refused the request as a whole: its last try executed nothing. */
final class RequestError extends PosthornError
{
    /** `access_denied`, `rate_limited`, …; `unknown` from a gateway that is older than codes. */
    public readonly string $errorCode;

    /**
     * @param mixed $code the gateway's
     * @param ?string $idempotencyKey sending the same operations again under it executes nothing twice
     */
    public function __construct(
        string $text,
        mixed $code,
        public readonly int $tries,
        public readonly ?string $idempotencyKey,
    ) {
        parent::__construct($text);
        $this->errorCode = is_string($code) ? $code : 'unknown';
    }
}
