<?php

declare(strict_types=1);

namespace Posthorn;

/** Short codes for the gateway's error texts. Written by npm run generate. */
final class ErrorCodes
{
    /** The name of a field, or the path of a value in it, with which a text begins. */
    private const FIELD = '/^([a-z_]+(?:\\.[a-z_]+|\\[\\d+\\])*): /D';

    private const REQUEST_CODES = [
        '/^Access denied$/D' => 'access_denied',
        '/^Operator not supported$/D' => 'operator_not_supported',
        '/^Rate limit exceeded\\b/D' => 'rate_limited',
        '/^Service unavailable, try again later$/D' => 'unavailable',
        '/^Idempotency-Key was used with another body$/D' => 'idempotency_conflict',
        '/^Idempotency-Key: too many answers\\b/D' => 'idempotency_full',
        '/^data: at most \\d+ operations\\b/D' => 'too_many_operations',
        '/^The body is too large\\b/D' => 'too_large',
        '/^Internal error$/D' => 'internal',
    ];

    private const ITEM_CODES = [
        '/^Error in Alpha-name$/D' => 'sender_not_approved',
        '/^type: not allowed with this key\\b/D' => 'not_allowed',
        '/^type: not allowed with a test key$/D' => 'needs_live_key',
        '/^Insufficient funds$/D' => 'insufficient_funds',
        '/^Invalid phone number$|^phone: must begin with its country code\\b/D' => 'invalid_phone',
        '/^Call failed$/D' => 'call_failed',
        '/^Too many calls\\b/D' => 'too_many_calls',
        '/^No calling number is free\\b/D' => 'no_number_free',
        '/^phone: no price\\b/D' => 'no_price',
        '/^phone: this country is not allowed$/D' => 'country_not_allowed',
        '/^phone: traffic to numbers like this is stopped\\b/D' => 'destination_stopped',
        '/^phone: quiet hours\\b/D' => 'quiet_hours',
        '/^(?:Daily (?:spending|message)|Hourly (?:call|verification)) limit reached$/D' => 'limit_reached',
        '/^(?:phone|ip): too many (?:messages|verifications)\\b/D' => 'limit_reached',
        '/^name: already used by another template$/D' => 'name_taken',
        '/^template: no room for another template\\b/D' => 'too_many_templates',
        '/^Template not found$/D' => 'no_such_template',
        '/^Message not found$/D' => 'no_such_message',
        '/^Inbound message not found$/D' => 'no_such_inbound',
        '/^Verification not found$/D' => 'no_such_verification',
        '/^Bulk not found$/D' => 'no_such_bulk',
        '/^The bulk is not in a state that allows this\\b/D' => 'bulk_state',
        '/^The bulk has no lines that can be sent$/D' => 'bulk_empty',
        '/^Too many bulks\\b/D' => 'too_many_bulks',
        '/^phone: no call to this number is possible$/D' => 'no_call_possible',
        '/^Lookup failed, try again later$/D' => 'lookup_failed',
        '/^Hook not found$/D' => 'no_such_hook',
        '/^hook: at most \\d+ hooks\\b/D' => 'too_many_hooks',
        '/^hook: the account has created\\b/D' => 'hooks_used_up',
        '/^hook: another hook\\b/D' => 'hook_taken',
        '/^Hooks were changed or tested\\b/D' => 'hooks_changed_too_often',
        '/^Too late to cancel$/D' => 'too_late',
        '/^([a-z_]+(?:\\.[a-z_]+|\\[\\d+\\])*): /D' => 'invalid_field',
    ];

    /** Operations that change nothing, or acknowledge the same events again. */
    private const READING = [
        'template/chatapp/list',
        'balance',
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

    /** `invalid_request` for texts without a code of their own. */
    public static function ofRequest(string $text): string
    {
        return self::find(self::REQUEST_CODES, $text) ?? 'invalid_request';
    }

    /** `failed` for texts without a code of their own. */
    public static function ofItem(string $text): string
    {
        return self::find(self::ITEM_CODES, $text) ?? 'failed';
    }

    /** Returns the field that a text is about; null if it is about none. */
    public static function fieldOf(string $text): ?string
    {
        return preg_match(self::FIELD, $text, $found) === 1 ? $found[1] : null;
    }

    public static function onlyReads(string $type): bool
    {
        return in_array($type, self::READING, true);
    }

    /** @param array<string, string> $codes */
    private static function find(array $codes, string $text): ?string
    {
        foreach ($codes as $pattern => $code) {
            if (preg_match($pattern, $text) === 1) {
                return $code;
            }
        }
        return null;
    }
}
