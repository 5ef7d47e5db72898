<?php

declare(strict_types=1);

namespace Posthorn;

/** A request to the hook that is not a trustworthy report. */
final class ReportRejected extends PosthornError
{
    /**
     * @param 'headers'|'timestamp'|'signature'|'body' $reason `headers`: one is missing or malformed. `timestamp`:
     *     signed too long ago, or in the future. `signature`: none was made with one of the secrets. `body`: the
     *     signature is valid, but the body is no report.
     */
    public function __construct(string $message, public readonly string $reason)
    {
        parent::__construct($message);
    }
}
