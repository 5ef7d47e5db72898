<?php

declare(strict_types=1);

namespace Posthorn;

/** One operation failed. */
final class ItemError extends PosthornError
{
    /** `sender_not_approved`, `insufficient_funds`, …; `unknown` from a gateway that is older than codes. */
    public readonly string $errorCode;

    /**
     * @param mixed $code the gateway's
     * @param string $type the operation's
     * @param int|float|string|null $id the operation's; null if there was none
     * @param ?string $field the invalid field; null if the error is about no single field
     * @param list<string> $warnings fields that were ignored, as `name: ignored`: a misspelled one may be among them
     */
    public function __construct(
        string $text,
        mixed $code,
        public readonly string $type,
        public readonly int|float|string|null $id,
        public readonly ?string $field = null,
        public readonly array $warnings = [],
    ) {
        parent::__construct($text);
        $this->errorCode = is_string($code) ? $code : 'unknown';
    }
}
