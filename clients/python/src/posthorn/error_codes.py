"""Short codes for the gateway's error texts. Written by npm run generate."""

from __future__ import annotations

import re

#: A text, or a pattern of texts, and its code. The first one that fits applies.
Codes = tuple[tuple[str | re.Pattern[str], str], ...]

#: The name of a field, or the path of a value in it, with which a text begins.
FIELD = re.compile(r"^([a-z_]+(?:\.[a-z_]+|\[\d+\])*): ")

REQUEST_CODES: Codes = (
    ("Access denied", "access_denied"),
    ("Operator not supported", "operator_not_supported"),
    (re.compile(r"^Rate limit exceeded\b"), "rate_limited"),
    ("Service unavailable, try again later", "unavailable"),
    ("Idempotency-Key was used with another body", "idempotency_conflict"),
    (re.compile(r"^Idempotency-Key: too many answers\b"), "idempotency_full"),
    (re.compile(r"^data: at most \d+ operations\b"), "too_many_operations"),
    (re.compile(r"^The body is too large\b"), "too_large"),
    ("Internal error", "internal"),
)

ITEM_CODES: Codes = (
    ("Error in Alpha-name", "sender_not_approved"),
    (re.compile(r"^type: not allowed with this key\b"), "not_allowed"),
    ("type: not allowed with a test key", "needs_live_key"),
    ("Insufficient funds", "insufficient_funds"),
    (re.compile(r"^Invalid phone number$|^phone: must begin with its country code\b"), "invalid_phone"),
    ("Call failed", "call_failed"),
    (re.compile(r"^Too many calls\b"), "too_many_calls"),
    (re.compile(r"^No calling number is free\b"), "no_number_free"),
    (re.compile(r"^phone: no price\b"), "no_price"),
    ("phone: this country is not allowed", "country_not_allowed"),
    (re.compile(r"^phone: traffic to numbers like this is stopped\b"), "destination_stopped"),
    (re.compile(r"^phone: quiet hours\b"), "quiet_hours"),
    (re.compile(r"^(?:Daily (?:spending|message)|Hourly (?:call|verification)) limit reached$"), "limit_reached"),
    (re.compile(r"^(?:phone|ip): too many (?:messages|verifications)\b"), "limit_reached"),
    ("name: already used by another template", "name_taken"),
    (re.compile(r"^template: no room for another template\b"), "too_many_templates"),
    ("Template not found", "no_such_template"),
    ("Message not found", "no_such_message"),
    ("Inbound message not found", "no_such_inbound"),
    ("Verification not found", "no_such_verification"),
    ("Bulk not found", "no_such_bulk"),
    (re.compile(r"^The bulk is not in a state that allows this\b"), "bulk_state"),
    ("The bulk has no lines that can be sent", "bulk_empty"),
    (re.compile(r"^Too many bulks\b"), "too_many_bulks"),
    ("phone: no call to this number is possible", "no_call_possible"),
    ("Lookup failed, try again later", "lookup_failed"),
    ("Hook not found", "no_such_hook"),
    (re.compile(r"^hook: at most \d+ hooks\b"), "too_many_hooks"),
    (re.compile(r"^hook: the account has created\b"), "hooks_used_up"),
    (re.compile(r"^hook: another hook\b"), "hook_taken"),
    (re.compile(r"^Hooks were changed or tested\b"), "hooks_changed_too_often"),
    ("Too late to cancel", "too_late"),
    (re.compile(r"^([a-z_]+(?:\.[a-z_]+|\[\d+\])*): "), "invalid_field"),
)

#: Operations that change nothing, or acknowledge the same events again.
READING = frozenset(
    {
        "template/chatapp/list",
        "balance",
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
