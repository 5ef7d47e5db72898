/** Compares reports with the schemas of the OpenAPI document, which clients generate their types from. */

import { Compile } from 'typebox/schema'
import { expect } from 'vitest'
import { REPORT_SCHEMAS } from '../../src/contract/reference/report-schemas.ts'

const VALIDATORS = new Map(REPORT_SCHEMAS.map(({ type, schema }) => [type, Compile(closed(schema) as object)]))

/** Fails the test unless the report has a known type, all members of its schema and no others. */
export function expectReportShape(body: Readonly<Record<string, unknown>>): void {
  const validator = VALIDATORS.get(String(body['type']))
  if (validator === undefined) expect.fail(`a report of no known type: ${JSON.stringify(body)}`)
  const [fits, errors] = validator.Errors(body)
  if (!fits) expect.fail(`a report that its schema does not allow: ${JSON.stringify({ body, errors })}`)
}

/** Clients must expect new members; the gateway must not send any that the schema does not have. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  return 'properties' in schema ? { ...members, additionalProperties: false } : members
}
