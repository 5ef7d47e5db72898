/** The client's types of reports against the gateway's table: a program compiles only while they are the same. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { REPORT_SCHEMAS, type ReportSchema } from '../../src/contract/reference/report-schemas.ts'
import { BuiltClient } from '../support/built-client.ts'
import { writeReportTypes } from '../support/report-types.ts'

let built: BuiltClient
beforeAll(() => {
  built = new BuiltClient()
})
afterAll(() => built.remove())

test('the types of reports are those of the table of reports', () => {
  expect(built.typeErrors(writeReportTypes(REPORT_SCHEMAS))).toBe('')
})

test.each<[string, readonly ReportSchema[]]>([
  ['a report more', [...REPORT_SCHEMAS, firstReport({ type: 'fax.sent' })]],
  ['a report less', REPORT_SCHEMAS.slice(1)],
  ['a member more', [firstReport({ colour: { type: 'string' } }), ...REPORT_SCHEMAS.slice(1)]],
  ['a member of another type', [firstReport({ currency: { type: 'number' } }), ...REPORT_SCHEMAS.slice(1)]],
  ['a member that became required', [firstReport({}, ['send_at']), ...REPORT_SCHEMAS.slice(1)]],
])('the types would not compile with %s', (_, schemas) => {
  expect(built.typeErrors(writeReportTypes(schemas))).not.toBe('')
})

/** The first report with another type or other members. */
function firstReport(
  { type, ...members }: { type?: string } & Record<string, object | string>,
  required: readonly string[] = [],
) {
  const [report] = REPORT_SCHEMAS
  if (report === undefined) throw new RangeError('the table is empty')
  const schema = report.schema as {
    readonly description: string
    readonly required: string[]
    readonly properties: object
  }
  return {
    ...report,
    ...(type === undefined ? {} : { type }),
    schema: {
      ...schema,
      properties: { ...schema.properties, ...members },
      required: [...schema.required, ...required, ...Object.keys(members)],
    },
  }
}
