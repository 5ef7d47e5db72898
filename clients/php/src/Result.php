<?php

declare(strict_types=1);

namespace Posthorn;

/** The result of one operation of a batch: data, or an error. */
final class Result
{
    /**
     * @param ?array<mixed> $data null if the operation failed
     * @param ?ItemError $error null if it succeeded
     * @param list<string> $warnings fields that were ignored, as `name: ignored`: a misspelled one may be among them
     */
    public function __construct(
        public readonly ?array $data,
        public readonly ?ItemError $error,
        public readonly array $warnings,
    ) {
    }
}
