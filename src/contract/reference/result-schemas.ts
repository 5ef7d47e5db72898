/** The shapes of results and errors in the OpenAPI document. */
import { CHANNELS, MESSAGE_CHANNELS } from '../../domain/channels/channel.ts'
import { STATUSES } from '../../domain/message/status.ts'
import { CHECK_RESULTS } from '../../domain/message/verification.ts'
import { NUMBER_STATUSES } from '../../domain/numbers/number-facts.ts'
import { MAX_EVENTS } from '../../domain/reports/event-feed.ts'
import { ID } from '../fields/kinds.ts'
import { BULK_ERROR_PROPERTIES, BULK_PROPERTIES } from '../operations/bulk-results.ts'
import { DEFAULT_CHATAPP_NAMES } from '../operations/default-chatapp-names.ts'
import {
  HOOK_CREATED_MEMBERS,
  HOOK_DELETED_MEMBERS,
  HOOK_MEMBERS,
  HOOK_ROTATED_MEMBERS,
  HOOK_TESTED_MEMBERS,
} from '../operations/hook-fields.ts'
import { HLR_STATUSES } from '../operations/lookup-fields.ts'
import { POSTINGS_MEMBERS, STATEMENT_MEMBERS } from '../operations/money-fields.ts'
import type { OperationSchema } from '../operations/operation-schemas.ts'
import { STATISTICS_MEMBERS } from '../operations/statistics-fields.ts'
import { ERROR_CODES } from '../request/error-codes.ts'
import { ITEM_ERRORS, REQUEST_ERRORS } from '../request/error-texts.ts'
import { DEFAULT_LIMITS } from '../request/limits.ts'
import { USER_ID } from './report-schemas.ts'

const success = { const: true }

const clientId = { ...ID.schema(DEFAULT_LIMITS), description: 'Absent when the operation had none.' }
const msgId = {
  type: 'integer',
  minimum: 64,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Identifier of the message in the gateway.',
}
const time = { type: 'string', format: 'date-time' }
const currency = { type: 'string', description: 'ISO 4217.' }
const channels = [...CHANNELS, ...DEFAULT_CHATAPP_NAMES]
const channel = { enum: channels, description: 'The chat app by the name that the send used.' }
const warnings = {
  type: 'array',
  items: { type: 'string' },
  maxItems: 11,
  description: 'Fields of the operation that were ignored, as `name: ignored`; absent if there were none.',
}
const parts = { type: 'integer', minimum: 1 }
const template = {
  id: { type: 'integer', description: 'Identifier of the template in the gateway.' },
  template: { type: 'string', description: 'Text of the template.' },
  name: { type: 'string', description: 'Name of the template.' },
  count: { type: 'string', pattern: '^[0-9]+ / [0-9]+$', description: 'Characters and SMS parts.' },
}

const phone = { type: 'integer', description: 'The number in E.164 digits.' }
const mccmnc = { type: ['string', 'null'], description: 'MCC and MNC of the operator that serves it: `26201`.' }
const numberStatus = {
  enum: NUMBER_STATUSES,
  description: '`absent`: switched off or out of coverage. `invalid`: not assigned.',
}
const imsi = {
  type: 'string',
  description: 'Identifies the SIM card; `*` stands for a digit that the operator of the gateway hides.',
}

function hlrNetwork(description: string): object {
  const country = members({ name: { type: ['string', 'null'] }, prefix: { type: 'integer' } })
  const prefix = { type: ['integer', 'null'], description: 'The first digits of its numbers behind the country code.' }
  return { ...members({ name: { type: ['string', 'null'] }, prefix, country }), description }
}

function members(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', required: Object.keys(properties), properties }
}

const answered = {
  type: 'object',
  required: ['id', 'msg_id'],
  properties: { id: { anyOf: [ID.schema(DEFAULT_LIMITS), { type: 'null' }] }, msg_id: msgId },
}

export const RESULTS: Readonly<Record<OperationSchema['result'], object>> = {
  SendResult: result(
    {
      id: clientId,
      msg_id: msgId,
      data: { const: 1, description: 'The accept code.' },
      parts: { type: 'integer', minimum: 1, description: 'SMS parts where the send has an SMS step; otherwise 1.' },
    },
    ['id'],
  ),
  CallResult: result({
    code: { type: 'string', pattern: '^[0-9]{4,6}$', description: 'The last digits of the number that calls.' },
    price: { type: 'number', description: 'What the call costs.' },
  }),
  Template: result(template),
  Templates: listResult(template),
  InboundMessages: listResult(
    {
      timestamp: { ...time, description: 'When the message arrived.' },
      inbound_id: { type: 'integer', description: 'Identifier of the inbound message.' },
      phone: { type: ['integer', 'null'], description: 'Who wrote; null if the carrier does not name a phone number.' },
      user_id: USER_ID,
      from: { type: 'string', description: 'Who wrote, as the carrier names them.' },
      to: { type: 'string', description: 'What they wrote to, as the carrier names it.' },
      channel: { enum: MESSAGE_CHANNELS },
      text: { type: 'string', description: 'The text, of all parts.' },
      keyword: {
        type: ['string', 'null'],
        description: 'Keyword of the number that the text begins with; null if it has none.',
      },
      content: {
        type: ['object', 'null'],
        additionalProperties: true,
        description: 'A location, a file or a tapped suggestion; null for a plain text.',
      },
      in_reply_to: {
        anyOf: [answered, { type: 'null' }],
        description: '`id` and `msg_id` of the message that it answers; null if that is not known.',
      },
    },
    ['user_id'],
  ),
  ChatTemplates: listResult({
    id: { type: 'integer', description: 'Identifier of the template in the gateway.' },
    template: { type: 'string', description: 'Text of the template, with its placeholders.' },
    signature: { type: 'string', description: 'Sender name that may use it.' },
    status: { enum: ['new', 'submitted', 'resubmitted', 'rejected', 'removed', 'approved'] },
  }),
  BalanceResult: result({
    amount: { type: 'number', description: 'What can be spent, without what is held for open messages.' },
    currency,
  }),
  PriceResult: result(
    {
      id: clientId,
      price: { type: 'number', description: 'The most that the send can cost: what it would hold.' },
      currency,
      steps: list({
        channel,
        parts,
        price: { type: 'number', description: 'What is charged if this step delivers the message.' },
      }),
    },
    ['id'],
  ),
  StatusResult: result(
    {
      id: { ...clientId, description: 'Of the message; absent when it has none.' },
      msg_id: msgId,
      phone: {
        type: ['integer', 'null'],
        description: 'Null when the number was erased, and when only the user id is known.',
      },
      user_id: USER_ID,
      status: { enum: STATUSES },
      type: {
        type: 'string',
        description:
          'The `type` of the send, call or verification. Of a chain that names the chat app otherwise, such as `viber+sms`: the channel that delivered it, once one did.',
      },
      channel: { enum: channels, description: 'Of the step under way, or of the last one.' },
      parts: { ...parts, description: 'Of that step.' },
      price: { type: 'number', description: 'What was charged so far.' },
      currency,
      error: { type: ['string', 'null'], description: 'Why it was not delivered, if the carrier gave a reason.' },
      steps: list({ channel, status: { enum: STATUSES }, at: time }),
      reports: {
        type: 'object',
        description: 'What became of the reports of the message, as long as they are kept.',
        required: ['sent', 'pending', 'failed', 'tried_at', 'error'],
        properties: {
          sent: { type: 'integer' },
          pending: { type: 'integer', description: 'Not delivered yet, and tried again.' },
          failed: { type: 'integer', description: 'Given up.' },
          tried_at: { type: ['string', 'null'], description: 'The last try; null before the first.' },
          error: { type: ['string', 'null'], description: 'Why the last try of an undelivered report failed.' },
        },
      },
      replies: {
        ...list(
          {
            inbound_id: { type: 'integer' },
            datetime: time,
            message: { type: 'string' },
            media: { type: 'string', description: 'Address of the file; absent without one.' },
          },
          ['media'],
        ),
        description:
          'What the recipient replied, the newest 20, the oldest first; absent without replies, and for keys without the scope `inbound`.',
      },
      send_at: { ...time, description: 'The time that the send asked for; absent when it asked for none.' },
      accepted_at: time,
      test: { const: true, description: 'Sent with a test key; absent otherwise.' },
    },
    ['id', 'user_id', 'replies', 'send_at', 'test'],
  ),
  CancelResult: result(
    {
      id: { ...clientId, description: 'Of the message; absent when it has none.' },
      msg_id: msgId,
      status: { const: 'CANCELLED' },
    },
    ['id'],
  ),
  VerifyStartResult: result(
    {
      id: clientId,
      verify_id: { ...msgId, description: 'Names the verification in `verify/check`; it is a `msg_id` too.' },
      channel: { enum: CHANNELS, description: 'The channel that is tried first.' },
      digits: { type: 'integer', description: 'Of the code that this channel carries.' },
      expires_at: { ...time, description: 'No code is accepted from then on.' },
      price: { type: 'number', description: 'The most that it can cost: what is held.' },
      code: { type: 'string', description: 'With a test key: the code in the texts, which no phone gets.' },
    },
    ['id', 'code'],
  ),
  VerifyCheckResult: result(
    {
      id: clientId,
      verify_id: msgId,
      status: { enum: CHECK_RESULTS, description: 'Only `approved` proves that the recipient has the phone.' },
      attempts_left: { type: 'integer', description: 'Wrong codes that end the verification; 0 after its end.' },
    },
    ['id'],
  ),
  VerifyResendResult: result(
    {
      id: clientId,
      verify_id: msgId,
      msg_id: {
        ...msgId,
        description:
          'The message that brings the code: a new one, or the verification itself, whose next channel follows.',
      },
      channel: { enum: CHANNELS, description: 'The channel that is tried first.' },
      expires_at: { ...time, description: 'No code is accepted from then on.' },
      price: { type: 'number', description: 'The most that the new message can cost; 0 without one.' },
    },
    ['id'],
  ),
  Postings: result(POSTINGS_MEMBERS),
  Statement: result({ ...STATEMENT_MEMBERS, currency }),
  Events: eventList(),
  ReplayResult: result({
    reports: { type: 'integer', description: 'Failed reports that are sent again, at most 1,000.' },
    more: { type: 'boolean', description: 'Whether there may be more: ask again.' },
  }),
  LookupResult: result(
    {
      id: clientId,
      phone,
      country: { type: ['string', 'null'], description: 'ISO 3166-1 alpha-2 code of the country.' },
      mccmnc,
      operator: { type: ['string', 'null'], description: 'Name of the operator.' },
      ported: { type: ['boolean', 'null'], description: 'Whether the number has left its first operator.' },
      status: numberStatus,
      imsi,
      source: {
        enum: ['service', 'prefix table'],
        description: 'A prefix table knows neither ported numbers nor the state of a phone. It costs nothing.',
      },
      cached: { type: 'boolean', description: 'Whether a service gave the answer to an earlier question.' },
      price: { type: 'number', description: 'What is charged.' },
      currency,
      at: { ...time, description: 'When the service answered; with the prefix table, the time of the request.' },
      test: { const: true, description: 'With a test key: a simulated number. Absent otherwise.' },
    },
    ['id', 'imsi', 'test'],
  ),
  HlrResult: result(
    {
      id: clientId,
      phone,
      status: {
        enum: Object.values(HLR_STATUSES),
        description: '`DELIVERED`: can be reached. `UNDELIVERABLE`: switched off or out of coverage.',
      },
      imsi: {
        type: ['integer', 'null'],
        description: 'Identifies the SIM card; null if the operator of the gateway hides it.',
      },
      mccmnc: { type: ['integer', 'null'], description: mccmnc.description },
      ported: { type: ['boolean', 'null'], description: 'Whether the number has left its first operator.' },
      network: members({
        origin: hlrNetwork('The operator that the number was assigned to.'),
        ported: { anyOf: [hlrNetwork('The operator that serves a ported number.'), { type: 'null' }] },
      }),
    },
    ['id'],
  ),
  HookCreated: result(HOOK_CREATED_MEMBERS),
  Hooks: listResult(HOOK_MEMBERS),
  HookResult: result(HOOK_MEMBERS),
  HookRotated: result(HOOK_ROTATED_MEMBERS),
  HookDeleted: result(HOOK_DELETED_MEMBERS),
  HookTested: result(HOOK_TESTED_MEMBERS),
  BulkResult: result({ id: clientId, ...BULK_PROPERTIES }, ['id', 'duplicates']),
  BulkErrorList: listResult(BULK_ERROR_PROPERTIES),
  StatisticsLines: listResult(STATISTICS_MEMBERS),
  Bulks: listResult({ id: clientId, ...BULK_PROPERTIES }, ['id', 'duplicates']),
}

function eventList(): object {
  return result({
    events: {
      type: 'array',
      maxItems: MAX_EVENTS,
      description: 'Reports as they would be posted, the oldest first.',
      items: {
        type: 'object',
        required: ['event_id', 'cursor', 'type', 'timestamp'],
        properties: {
          event_id: { type: 'string', description: 'Identifier of the report, the same in every answer.' },
          cursor: {
            type: 'string',
            pattern: '^[0-9]{1,16}$',
            description: 'An `after` that acknowledges up to this event.',
          },
          type: { type: 'string', description: 'Type of the report; its other members depend on it.' },
          timestamp: time,
        },
      },
    },
    next: { type: 'string', pattern: '^[0-9]{1,16}$', description: 'The `after` of the next request.' },
    more: { type: 'boolean', description: 'Whether there are more events already.' },
    missed: { type: 'integer', description: 'Events before `next` that were not read in time and are no longer kept.' },
  })
}

function result(properties: Readonly<Record<string, object>>, optional: readonly string[] = []): object {
  return {
    type: 'object',
    required: ['success', 'data'],
    properties: {
      success,
      data: {
        type: 'object',
        required: Object.keys(properties).filter((name) => !optional.includes(name)),
        properties,
      },
      warnings,
    },
  }
}

const code = {
  type: 'string',
  examples: ERROR_CODES,
  description: 'Short code of the error, for programs; later versions may have more.',
}

export const ItemError = {
  type: 'object',
  description: 'The operation failed; the others of its request are not concerned.',
  required: ['success', 'error', 'code', 'data'],
  properties: {
    success: { const: false },
    error: { type: 'string', examples: Object.values(ITEM_ERRORS) },
    code,
    data: { type: 'object', properties: { id: ID.schema(DEFAULT_LIMITS) }, additionalProperties: false },
    field: { type: 'string', description: 'The field that the error is about; absent if it is about none.' },
    warnings,
  },
}

export const RequestError = {
  type: 'object',
  description: 'Nothing of the request was executed.',
  required: ['success', 'error', 'code'],
  properties: {
    success: { const: false },
    error: { type: 'string', examples: Object.values(REQUEST_ERRORS) },
    code,
  },
}

function listResult(properties: Readonly<Record<string, object>>, optional: readonly string[] = []): object {
  return {
    type: 'object',
    required: ['success', 'data'],
    properties: { success, data: list(properties, optional), warnings },
  }
}

/** Objects that have all of these properties but the optional ones. */
function list(properties: Readonly<Record<string, object>>, optional: readonly string[] = []): object {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'array', items: { type: 'object', required, properties } }
}
