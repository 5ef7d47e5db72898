<?php

declare(strict_types=1);

namespace Posthorn;

/** There is no answer, and it is unknown whether the request was executed. */
final class NoAnswerError extends PosthornError
{
    private const TEXTS = [
        'network' => 'the connection to the gateway failed, or no answer came in time',
        'status' => 'something that is not the gateway answered with HTTP status',
        'answer' => 'what came is no answer of a gateway',
    ];

    /** @param 'network'|'status'|'answer' $reason */
    public function __construct(
        public readonly string $reason,
        public readonly int $tries,
        public readonly ?string $idempotencyKey,
        public readonly ?int $status = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct(self::TEXTS[$reason] . ($status === null ? '' : " $status"), previous: $previous);
    }
}
