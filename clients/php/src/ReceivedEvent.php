<?php

declare(strict_types=1);

namespace Posthorn;

final class ReceivedEvent
{
    /**
     * @param string $id the same each time the event is read
     * @param string $cursor store it together with what the event changes: as `after`, it continues behind this event
     * @param array<string, mixed> $report
     */
    public function __construct(
        public readonly string $id,
        public readonly string $cursor,
        public readonly array $report,
    ) {
    }
}
