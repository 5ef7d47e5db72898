/**
 * Bulks made and started by operators and by users of an account, through the operations of clients
 * (docs/decisions/0038-operators-send-through-the-operations-of-clients.md).
 */
import Type from 'typebox'
import type { RequestObject } from '../../../contract/request/envelope.ts'
import { REQUEST_ERRORS } from '../../../contract/request/error-texts.ts'
import { Refused } from '../../../contract/request/refused.ts'
import { commanded, MAX_BULK_LINES } from '../../../domain/bulk/bulk.ts'
import type { Access } from '../../../domain/directory/directory.ts'
import { toDecimal } from '../../../domain/money/money.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { AdminProblem } from '../endpoint/admin-problem.ts'
import { CLIENT_ADMINS } from '../endpoint/client-access.ts'
import { type Actor, type AdminTools, endpoint, type LiveGateway } from '../endpoint/endpoint.ts'
import { resultIn } from '../endpoint/operation-result.ts'
import { runningGateway } from '../endpoint/running-gateway.ts'
import { checkField, FieldRefused } from '../fields/field-refused.ts'
import { ACCOUNT, CURRENCY, MONEY, nullable, OPERATORS, readTimeField, whole } from '../fields/shapes.ts'
import { accessAs } from '../trials/try-steps.ts'
import { noteOf, PACE_FIELD } from './bulk-endpoints.ts'
import { BULK_PATH_FIELDS, BulkSummary, readNamedBulk, viewBulk } from './bulk-view.ts'
import { csvBytes, MAX_PREVIEWED, previewLines } from './preview-lines.ts'

/** Of one request: a longer file follows in further ones. */
const MAX_CSV = 1_000_000
const MAX_SAMPLE = 200_000
/** JSON writes some characters as six. */
const MAX_BYTES = 4 * 1024 * 1024
/** A time that a user chooses is a whole minute, of a clock of its own. */
const CLOCK_SKEW_MS = 60_000

const MESSAGE = Type.Record(Type.String(), Type.Unknown(), {
  description: 'as in `bulk/create` of the client API, with placeholders such as {{name}}',
  examples: ['{"type":"sms","sms_signature":"Shop","sms_message":"Hello {{name}}"}'],
})
const TEST = Type.Boolean({ description: 'as with a test key: free of charge, to simulated phones only' })
const WARNINGS = Type.Array(Type.String(), { description: 'what looks like a placeholder and is none' })
const csvOf = (maxLength: number) =>
  Type.String({ maxLength, description: 'lines with a header row, as in an upload of the client API' })

export const NEW_BULK_ENDPOINTS = [
  endpoint({
    name: 'previewBulk',
    needsGateway: true,
    method: 'POST',
    path: '/accounts/{account}/bulks/preview',
    command: 'bulk preview',
    summary: 'show the first lines of a bulk as they would be sent, without making it',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: { account: ACCOUNT },
    body: { message: MESSAGE, test: TEST, csv: csvOf(MAX_SAMPLE) },
    result: Type.Object({
      error: nullable(Type.String(), { description: 'of the message or of the CSV as a whole; null for none' }),
      warnings: WARNINGS,
      currency: CURRENCY,
      data: Type.Array(
        Type.Object({
          line: whole(),
          phone: nullable(Type.String()),
          error: nullable(Type.String()),
          field: nullable(Type.String(), { description: 'that the error is about' }),
          steps: Type.Array(
            Type.Object({
              channel: Type.String(),
              sender: Type.String(),
              text: nullable(Type.String()),
              parts: whole(),
              price: MONEY,
            }),
          ),
        }),
        { maxItems: MAX_PREVIEWED },
      ),
    }),
    maxBytes: MAX_BYTES,
    run: async (tools, { account, message, test, csv }) => {
      const live = runningGateway(tools, 'can preview a bulk')
      const access = accessAs(live.operations, { account, test, now: tools.clock.now() })
      return previewLines(live.operations, access, { message: message as RequestObject, csv })
    },
  }),
  endpoint({
    name: 'createBulk',
    needsGateway: true,
    method: 'POST',
    path: '/accounts/{account}/bulks',
    command: 'bulk create',
    summary: 'make a bulk that takes lines; nothing is sent before it is started',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: { account: ACCOUNT },
    body: {
      message: MESSAGE,
      test: TEST,
      pace: Type.Optional(PACE_FIELD),
      skip_duplicates: Type.Optional(
        Type.Boolean({ default: false, description: 'send one message to a phone that several lines have' }),
      ),
    },
    result: BulkSummary,
    run: async (tools, { account, message, test, pace, skip_duplicates = false }, actor) => {
      const { live, access } = openFor(tools, { account, test }, actor)
      const item = { type: 'bulk/create', message, skip_duplicates, ...(pace === undefined ? {} : { pace }) }
      const answer = await live.runAs(access, item, async () => undefined)
      const refuse = (error: string) => new FieldRefused('message', error)
      const { bulk_id: bulk } = resultIn<{ readonly bulk_id: number }>(answer, refuse).data
      const made = await readNamedBulk(tools.store, { account, bulk })
      await tools.store.change(noteOf(made, 'create'))
      return viewBulk(made, actor)
    },
  }),
  endpoint({
    name: 'addBulkLines',
    needsGateway: true,
    method: 'POST',
    path: '/accounts/{account}/bulks/{bulk}/lines',
    ownCommand: 'bulk upload',
    summary: 'add lines to a bulk that was not started; lines that it has already are skipped',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: BULK_PATH_FIELDS,
    body: {
      csv: csvOf(MAX_CSV),
      from_line: Type.Optional(
        whole({
          minimum: 1,
          maximum: MAX_BULK_LINES,
          default: 1,
          description: 'number of the first line; to continue an upload, one more than `lines` of the bulk',
        }),
      ),
    },
    result: Type.Object({
      ...BULK_PATH_FIELDS,
      lines: whole({ description: 'of the bulk' }),
      refused: whole(),
      duplicates: whole(),
      skipped: whole({ description: 'lines of this request that were stored before' }),
      estimate: MONEY,
      currency: CURRENCY,
    }),
    maxBytes: MAX_BYTES,
    run: async (tools, { account, bulk, csv, from_line: fromLine = 1 }, actor) => {
      const before = await readNamedBulk(tools.store, { account, bulk })
      const { live, access } = openFor(tools, { account, test: before.test }, actor)
      const lines = { bulkId: bulk, fromLine, format: 'csv', body: csvBytes(csv) } as const
      const { bulk: after, skipped } = await refusing(() => live.uploads.takeAs(access, lines))
      const added = after.lines - before.lines
      if (added > 0) await tools.store.change(noteOf(after, 'upload', { lines: added }))
      const { refused, duplicates, estimateMicros, currency } = after
      return {
        ...{ account, bulk, lines: after.lines, refused, duplicates, skipped },
        ...{ estimate: toDecimal(estimateMicros), currency },
      }
    },
  }),
  endpoint({
    name: 'startBulk',
    needsGateway: true,
    method: 'POST',
    path: '/accounts/{account}/bulks/{bulk}/start',
    command: 'bulk start',
    summary: 'start a bulk now or at a time, or go on after a pause; it takes no more lines',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: BULK_PATH_FIELDS,
    body: {
      start_at: Type.Optional(Type.String({ maxLength: 40, description: 'RFC 3339, not in the past; now by default' })),
      ignore_balance: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'start although the balance does not cover the estimate; it pauses when the money is used up',
        }),
      ),
    },
    result: BulkSummary,
    run: async (tools, { account, bulk, start_at, ignore_balance = false }, actor) => {
      const before = await readNamedBulk(tools.store, { account, bulk })
      const { live, access } = openFor(tools, { account, test: before.test }, actor)
      const at = tools.clock.now()
      const startAt = readTimeField('start_at', start_at) ?? at
      checkField('start_at', startAt > at - CLOCK_SKEW_MS, 'must not be in the past; leave it out to start now')
      if (commanded(before, { kind: 'start', at, startAt }) === null)
        throw new ChangeRefused(`the bulk is ${before.state}`)
      const when = start_at === undefined ? {} : { start_at: new Date(startAt).toISOString() }
      // Noted first, so that no bulk starts without its entry in the audit log.
      const note = async () => void (await tools.store.change(noteOf(before, 'start', { ...when, ignore_balance })))
      const answer = await live.runAs(access, { type: 'bulk/start', bulk_id: bulk, ...when, ignore_balance }, note)
      resultIn(answer, (error) => new ChangeRefused(error))
      return viewBulk(await readNamedBulk(tools.store, { account, bulk }), actor)
    },
  }),
]

/** Throws FieldRefused for an account that may not send. */
function openFor(
  tools: AdminTools,
  { account, test }: { readonly account: number; readonly test: boolean },
  actor: Actor,
): { readonly live: LiveGateway; readonly access: Access } {
  const live = runningGateway(tools, 'sends bulks')
  const access = accessAs(live.operations, { account, test, now: tools.clock.now(), by: userOf(actor) })
  const { state } = access.account
  if (state !== 'active') throw new FieldRefused('account', `is ${state}`)
  return { live, access }
}

function userOf({ account, name }: Actor) {
  return { name, usedBy: account === null ? 'operator' : 'user' } as const
}

/** Rejects with AdminProblem, or with FieldRefused for lines that are refused as a whole. */
async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    // Other uploads of the account are in progress.
    if (error.message === REQUEST_ERRORS.unavailable) throw new AdminProblem(503, error.message)
    throw new FieldRefused('csv', error.message, error.message)
  }
}
