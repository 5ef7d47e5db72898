<?php

declare(strict_types=1);

namespace Posthorn;

final class VerifiedReport
{
    /**
     * @param string $webhookId the same on every try of one report: use it to recognize repetitions
     * @param array<string, mixed> $report as in the API reference; ignore a `type` that you do not know
     */
    public function __construct(public readonly string $webhookId, public readonly array $report)
    {
    }
}
