"""The operations that need no idempotency key. Written by npm run generate."""

#: Operations that change nothing, or acknowledge the same events again.
READING = frozenset(
    {
        "template/chatapp/list",
        "balance",
        "posting/list",
        "statement/get",
        "price",
        "template/list",
        "status",
        "statistics",
        "event/list",
        "inbound/list",
        "hook/list",
        "bulk/status",
        "bulk/errors",
        "bulk/list",
        "template/viber/list",
    }
)
