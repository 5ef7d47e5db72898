/** The reports to clients' hooks: one table for OpenAPI and the API reference. Tests compare it with real reports. */
import { CHANNELS, MESSAGE_CHANNELS } from '../../domain/channels/channel.ts'
import { STATUSES } from '../../domain/message/status.ts'
import { BULK_COUNTS } from '../operations/bulk-results.ts'
import { DEFAULT_CHATAPP_NAMES } from '../operations/default-chatapp-names.ts'

export interface ReportSchema {
  readonly type: string
  /** When it is sent, for the API reference. */
  readonly when: string
  /** JSON Schema 2020-12 of the object that is posted. */
  readonly schema: { readonly description: string; readonly [keyword: string]: unknown }
}

const time = { type: 'string', format: 'date-time' }
const currency = { type: 'string', description: 'ISO 4217.' }
const messageChannels = [...MESSAGE_CHANNELS, ...DEFAULT_CHATAPP_NAMES]
const channels = [...CHANNELS, ...DEFAULT_CHATAPP_NAMES]
const price = { type: 'number', description: 'What was charged so far.' }
const clientId = { type: ['number', 'string', 'null'], description: '`id` of the send; null if it had none.' }
const messageId = { type: 'integer', description: 'Identifier of the message.' }

/** As in `phone` of a send. */
export const USER_ID = {
  type: 'string',
  description: "WhatsApp's id of the user, such as `US.13491208655302741918`; absent if it is not known.",
}

/** Members that any report may lack. */
const RARE = ['test', 'user_id']

const HEAD = {
  timestamp: { ...time, description: 'When it happened.' },
  id: clientId,
  msg_id: messageId,
  phone: { type: ['integer', 'null'], description: 'Number of the recipient; null if only the user id is known.' },
  user_id: USER_ID,
  test: { const: true, description: 'Sent with a test key; absent otherwise.' },
}

const CONSENT = {
  ...HEAD,
  sender: {
    type: ['string', 'null'],
    description: 'Sender name that it applies to; null for all senders of the account.',
  },
  channel: { enum: messageChannels, description: 'Channel of the step whose sender it is.' },
  by: {
    enum: ['link', 'keyword', 'carrier'],
    description:
      'By the link; by a keyword or the messenger, then the newest message of the sender is named; or the carrier reported it.',
  },
}

const CONTENT = {
  anyOf: [
    object({ type: { const: 'location' }, latitude: { type: 'number' }, longitude: { type: 'number' } }),
    object({
      type: { const: 'file' },
      link: { type: ['string', 'null'] },
      media_id: { type: ['string', 'null'] },
      mime_type: { type: ['string', 'null'] },
      name: { type: ['string', 'null'] },
    }),
    object({ type: { const: 'suggestion' }, payload: { type: 'string' } }),
    { type: 'null' },
  ],
  description: 'A location, a file or a tapped suggestion, as `type` says, with its members; null for a plain text.',
}

export const REPORT_SCHEMAS: readonly ReportSchema[] = [
  report(
    'message.status',
    'Sent when a message or call reaches its final status and when it is read; also after each step if the account asks for it.',
    {
      ...HEAD,
      status: { enum: STATUSES, description: 'Status of the message.' },
      channel: { enum: [...channels, null], description: 'Channel of the current or last step.' },
      parts: { type: ['integer', 'null'], description: 'SMS parts of that step, otherwise 1.' },
      price,
      currency,
      error: { type: ['string', 'null'], description: 'Why it was not delivered.' },
      steps: {
        type: 'array',
        description: 'The steps so far.',
        items: object({ channel: { enum: channels }, status: { enum: STATUSES }, at: time }),
      },
      send_at: { ...time, description: 'The time that the send asked for; absent when it asked for none.' },
    },
    ['send_at'],
  ),
  report(
    'link.clicked',
    'Sent when a short link of a message is opened for the first time. Visits by robots do not count.',
    {
      ...HEAD,
      url: { type: 'string', description: 'Address that was shortened.' },
      code: { type: 'string', description: 'End of the short link.' },
    },
  ),
  report(
    'recipient.opted_out',
    'Sent when a recipient opts out: by the unsubscribe link of a message, by a keyword after it, or at the carrier.',
    CONSENT,
  ),
  report('recipient.opted_in', 'Sent when the recipient undoes it, in either way.', CONSENT),
  report('verify.status', 'Sent once, when a verification ends. Its message has no other reports.', {
    ...HEAD,
    verify_id: { type: 'integer', description: 'Identifier of the verification, the same as `msg_id`.' },
    status: { enum: ['approved', 'expired', 'too_many', 'failed', 'cancelled'], description: 'How it ended.' },
    channel: { enum: CHANNELS, description: 'Channel whose code was approved, or the last one.' },
    price,
    currency,
  }),
  report(
    'bulk.finished',
    'Sent once, when a bulk has ended and all of its messages have their final status: to the `hook` of its message, or to ' +
      'the default hook of the account, and to the hooks of the client.',
    {
      timestamp: { ...time, description: 'When it ended.' },
      id: { ...clientId, description: '`id` of `bulk/create`; null if it had none.' },
      test: HEAD.test,
      bulk_id: { type: 'integer', description: 'Identifier of the bulk.' },
      state: { enum: ['finished', 'stopped'], description: 'How it ended.' },
      ...BULK_COUNTS,
    },
    ['duplicates'],
  ),
  report(
    'balance.low',
    'Sent to the default hook and the hooks of the client, once, when less than its limit is available.',
    {
      timestamp: HEAD.timestamp,
      account: { type: 'string', description: 'Name of the account.' },
      available: { type: 'number', description: 'What is left.' },
      threshold: { type: 'number', description: 'The limit.' },
      currency,
    },
  ),
  report(
    'message.inbound',
    'Sent when a recipient writes to an inbound number of the account: to the hook of the number, or ' +
      'to the default hook and the hooks of the client.',
    {
      timestamp: { ...time, description: 'When the message arrived.' },
      inbound_id: {
        type: 'integer',
        description: 'Identifier of the inbound message; grows with every one of the account.',
      },
      phone: { type: ['integer', 'null'], description: 'Who wrote; null if the carrier does not name a phone number.' },
      user_id: USER_ID,
      from: { type: 'string', description: 'Who wrote, as the carrier names them.' },
      to: { type: 'string', description: 'What they wrote to, as the carrier names it.' },
      channel: { enum: MESSAGE_CHANNELS, description: 'Channel of the carrier.' },
      text: { type: 'string', description: 'The text, of all parts.' },
      keyword: {
        type: ['string', 'null'],
        description: 'Keyword of the number that the text begins with; null if it has none.',
      },
      content: CONTENT,
      in_reply_to: {
        anyOf: [object({ id: clientId, msg_id: messageId }), { type: 'null' }],
        description: '`id` and `msg_id` of the message that it answers; null if that is not known.',
      },
    },
  ),
  report('hook.test', 'Sent to one hook when the client asks for it by `hook/test`.', {
    timestamp: { ...time, description: 'When the client asked.' },
    hook_id: { type: 'integer', description: 'Identifier of the hook.' },
  }),
]

function report(
  type: string,
  when: string,
  properties: Readonly<Record<string, object>>,
  optional: readonly string[] = [],
): ReportSchema {
  const description = withoutLinks(when)
  return {
    type,
    when,
    schema: { description, ...object({ type: { const: type }, ...properties }, [...RARE, ...optional]) },
  }
}

/** Links of the API reference lead nowhere from another document. */
function withoutLinks(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
}

/** Has all of these properties but the optional ones. */
function object(properties: Readonly<Record<string, object>>, optional: readonly string[] = []): object {
  return { type: 'object', required: Object.keys(properties).filter((name) => !optional.includes(name)), properties }
}
