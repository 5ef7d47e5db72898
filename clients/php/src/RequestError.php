<?php

declare(strict_types=1);

namespace Posthorn;

/** The gateway refused the request as a whole: its last try executed nothing. */
final class RequestError extends PosthornError
{
    /** `access_denied`, `rate_limited`, …; `invalid_request` for texts without a code of their own. */
    public readonly string $errorCode;

    /** @param ?string $idempotencyKey sending the same operations again under it executes nothing twice */
    public function __construct(string $text, public readonly int $tries, public readonly ?string $idempotencyKey)
    {
        parent::__construct($text);
        $this->errorCode = ErrorCodes::ofRequest($text);
    }
}
