<?php

declare(strict_types=1);

namespace Posthorn;

/** One operation failed. */
final class ItemError extends PosthornError
{
    /** `sender_not_approved`, `insufficient_funds`, …; `failed` for texts without a code of their own. */
    public readonly string $errorCode;

    /** The invalid field; null if the error is about no single field. */
    public readonly ?string $field;

    /**
     * @param string $type the operation's
     * @param int|float|string|null $id the operation's; null if there was none
     * @param list<string> $warnings fields that were ignored, as `name: ignored`: a misspelled one may be among them
     */
    public function __construct(
        string $text,
        public readonly string $type,
        public readonly int|float|string|null $id,
        ?string $field = null,
        public readonly array $warnings = [],
    ) {
        parent::__construct($text);
        $this->errorCode = ErrorCodes::ofItem($text);
        $this->field = $field ?? ErrorCodes::fieldOf($text);
    }
}
