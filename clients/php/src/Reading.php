<?php

declare(strict_types=1);

namespace Posthorn;

/** The operations that need no idempotency key. Written by npm run generate. */
final class Reading
{
    /** Operations that change nothing, or acknowledge the same events again. */
    public const TYPES = [
        'template/chatapp/list',
        'balance',
        'posting/list',
        'statement/get',
        'price',
        'template/list',
        'status',
        'statistics',
        'event/list',
        'inbound/list',
        'hook/list',
        'bulk/status',
        'bulk/errors',
        'bulk/list',
        'template/viber/list',
    ];
}
