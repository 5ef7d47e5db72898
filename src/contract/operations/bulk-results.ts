/** The shapes of results about bulks. */
import { BULK_STATES, PAUSE_REASONS } from '../../domain/bulk/bulk.ts'
import { STATUSES } from '../../domain/message/status.ts'

const count = (description: string) => ({ type: 'integer', minimum: 0, description })
const time = (description: string) => ({ type: ['string', 'null'], format: 'date-time', description })

/** How far a bulk has come, in results and in the report of its end. */
export const BULK_COUNTS: Readonly<Record<string, object>> = {
  lines: count('Lines received, refused ones included.'),
  refused: count('Lines that a check refused, at the upload or at their turn.'),
  waiting: count('Lines that wait for their turn.'),
  accepted: count('Lines that became messages.'),
  repeated: count('Lines whose unique `id` was accepted before; nothing was sent again.'),
  duplicates: count('Lines that `skip_duplicates` dropped; absent without it.'),
  erased: count('Lines whose recipient was erased before their turn.'),
  messages: {
    type: 'object',
    description: 'Number of messages by their present status; statuses without messages are absent.',
    properties: Object.fromEntries(STATUSES.map((status) => [status, { type: 'integer', minimum: 1 }])),
  },
  estimate: { type: 'number', description: 'The most that all lines can cost, by the prices at their upload.' },
  price: { type: 'number', description: 'What was charged so far.' },
  currency: { type: 'string', description: 'ISO 4217.' },
}

/** Properties of a bulk, besides the client's `id`. */
export const BULK_PROPERTIES: Readonly<Record<string, object>> = {
  bulk_id: { type: 'integer', description: 'Identifier of the bulk in the gateway.' },
  state: { enum: BULK_STATES },
  reason: { enum: [...PAUSE_REASONS, null], description: 'Why it is paused; null in other states.' },
  upload: { type: 'string', description: 'Path for its lines.' },
  ...BULK_COUNTS,
  pace: { type: 'integer', description: 'Messages per second.' },
  created_at: { type: 'string', format: 'date-time' },
  start_at: time('When the run begins or began; null before `bulk/start`.'),
  ended_at: time('When the last message had its final status; null before.'),
}

export const BULK_ERROR_PROPERTIES: Readonly<Record<string, object>> = {
  line: { type: 'integer', minimum: 1, description: 'Number of the line; the first after the header is 1.' },
  error: { type: 'string', description: 'As of a send.' },
  field: { type: ['string', 'null'], description: 'The field that the error is about; null if it is about none.' },
}
