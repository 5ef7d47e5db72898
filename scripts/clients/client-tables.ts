/**
 * What the clients for Python and PHP take from the table of operations and from the TypeScript client: types of
 * operations, results and reports, and which operations only read.
 */
import { type Operation, onlyReads } from '../../client/src/operation.ts'
import { renameType } from '../../src/contract/operations/chatapp-names.ts'
import { DEFAULT_CHATAPP_NAMES } from '../../src/contract/operations/default-chatapp-names.ts'
import { OTHER_SCHEMAS, schemaOf } from '../../src/contract/operations/operation-schemas.ts'
import { writeOpenApi } from '../../src/contract/reference/open-api.ts'
import { writePythonTypes } from './python-types.ts'

/** Path of each file, and its text. */
export function clientTables(): ReadonlyMap<string, string> {
  const types = OTHER_SCHEMAS.map(({ type }) => type)
  const renamed = DEFAULT_CHATAPP_NAMES.flatMap((name) => types.map((type) => renameType(type, name)))
  const reading = [...new Set([...types, ...renamed])].filter((type) => onlyReads({ type } as Operation))
  const python = writePythonTypes(writeOpenApi(), (type) => schemaOf(type)?.result ?? '')
  return new Map([
    ['clients/python/src/posthorn/operations.py', python.operations],
    ['clients/python/src/posthorn/execute.py', python.execute],
    ['clients/python/src/posthorn/reading.py', pythonReading(reading)],
    ['clients/php/src/Reading.php', phpReading(reading)],
  ])
}

function pythonReading(reading: readonly string[]): string {
  return `"""The operations that need no idempotency key. Written by npm run generate."""

#: Operations that change nothing, or acknowledge the same events again.
READING = frozenset(
    {
${reading.map((type) => `        ${JSON.stringify(type)},`).join('\n')}
    }
)
`
}

function phpReading(reading: readonly string[]): string {
  return `<?php

declare(strict_types=1);

namespace Posthorn;

/** The operations that need no idempotency key. Written by npm run generate. */
final class Reading
{
    /** Operations that change nothing, or acknowledge the same events again. */
    public const TYPES = [
${reading.map((type) => `        '${type}',`).join('\n')}
    ];
}
`
}
