/**
 * What the clients for Python and PHP take from the table of operations and from the error codes of the TypeScript
 * client: types of operations, results and reports, error codes, and which operations only read.
 */
import { FIELD, ITEM_CODES, REQUEST_CODES } from '../../client/src/error-codes.ts'
import { type Operation, onlyReads } from '../../client/src/operation.ts'
import { renameType } from '../../src/contract/operations/chatapp-names.ts'
import { DEFAULT_CHATAPP_NAMES } from '../../src/contract/operations/default-chatapp-names.ts'
import { OTHER_SCHEMAS, schemaOf } from '../../src/contract/operations/operation-schemas.ts'
import { writeOpenApi } from '../../src/contract/reference/open-api.ts'
import { writePythonTypes } from './python-types.ts'

/** Path of each file, and its text. */
export function clientTables(): ReadonlyMap<string, string> {
  const codes = { request: REQUEST_CODES, item: ITEM_CODES }
  const types = OTHER_SCHEMAS.map(({ type }) => type)
  const renamed = DEFAULT_CHATAPP_NAMES.flatMap((name) => types.map((type) => renameType(type, name)))
  const reading = [...new Set([...types, ...renamed])].filter((type) => onlyReads({ type } as Operation))
  return new Map([
    [
      'clients/python/src/posthorn/operations.py',
      writePythonTypes(writeOpenApi(), (type) => schemaOf(type)?.result ?? ''),
    ],
    ['clients/python/src/posthorn/error_codes.py', pythonCodes(codes, reading)],
    ['clients/php/src/ErrorCodes.php', phpCodes(codes, reading)],
  ])
}

type Codes = readonly (readonly [text: string | RegExp, code: string])[]

interface AllCodes {
  readonly request: Codes
  readonly item: Codes
}

function pythonCodes({ request, item }: AllCodes, reading: readonly string[]): string {
  const pattern = (text: string | RegExp) =>
    typeof text === 'string' ? JSON.stringify(text) : `re.compile(r"${text.source}")`
  const table = (name: string, codes: Codes) =>
    `${name}: Codes = (\n${codes.map(([text, code]) => `    (${pattern(text)}, ${JSON.stringify(code)}),`).join('\n')}\n)`
  return `"""Short codes for the gateway's error texts. Written by npm run generate."""

from __future__ import annotations

import re

#: A text, or a pattern of texts, and its code. The first one that fits applies.
Codes = tuple[tuple[str | re.Pattern[str], str], ...]

#: The name of a field, or the path of a value in it, with which a text begins.
FIELD = re.compile(r"${FIELD.source}")

${table('REQUEST_CODES', request)}

${table('ITEM_CODES', item)}

#: Operations that change nothing, or acknowledge the same events again.
READING = frozenset(
    {
${reading.map((type) => `        ${JSON.stringify(type)},`).join('\n')}
    }
)
`
}

function phpCodes({ request, item }: AllCodes, reading: readonly string[]): string {
  const quote = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`
  const pattern = (text: string | RegExp) =>
    typeof text === 'string' ? `/^${text.replace(/[/.*+?^${}()|[\]\\]/g, '\\$&')}$/D` : `/${text.source}/D`
  const table = (codes: Codes) =>
    codes.map(([text, code]) => `        ${quote(pattern(text))} => ${quote(code)},`).join('\n')
  return `<?php

declare(strict_types=1);

namespace Posthorn;

/** Short codes for the gateway's error texts. Written by npm run generate. */
final class ErrorCodes
{
    /** The name of a field, or the path of a value in it, with which a text begins. */
    private const FIELD = ${quote(`/${FIELD.source}/D`)};

    private const REQUEST_CODES = [
${table(request)}
    ];

    private const ITEM_CODES = [
${table(item)}
    ];

    /** Operations that change nothing, or acknowledge the same events again. */
    private const READING = [
${reading.map((type) => `        ${quote(type)},`).join('\n')}
    ];

    /** \`invalid_request\` for texts without a code of their own. */
    public static function ofRequest(string $text): string
    {
        return self::find(self::REQUEST_CODES, $text) ?? 'invalid_request';
    }

    /** \`failed\` for texts without a code of their own. */
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
`
}
