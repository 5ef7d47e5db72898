/** The endpoints of the REST API. Each is one operation of the JSON API, whose fields it takes as they are. */
import { schemaOf } from '../operations/operation-schemas.ts'

export interface RestEndpoint {
  readonly method: 'GET' | 'POST'
  /** What stands in braces is the field `named`. */
  readonly path: string
  /** Name of the operation in generated clients. */
  readonly id: string
  readonly summary: string
  /** `type` of the operation; null for a send, whose type is in the body. */
  readonly type: string | null
  /** The field that the path names. */
  readonly named?: 'msg_id' | 'verify_id' | 'month'
  /** The member of the result that names what was created, for its Location; absent if nothing was. */
  readonly creates?: 'msg_id' | 'verify_id'
}

export const REST_PREFIX = '/v1/'

export const REST_MESSAGE_PATH = '/v1/messages/'

export const REST_ENDPOINTS: readonly RestEndpoint[] = [
  {
    method: 'POST',
    path: '/v1/messages',
    id: 'sendMessage',
    summary: 'Send a message',
    type: null,
    creates: 'msg_id',
  },
  {
    ...{ method: 'GET', path: '/v1/messages/{id}', id: 'getMessage', type: 'status', named: 'msg_id' },
    summary: summaryOf('status'),
  },
  {
    ...{ method: 'POST', path: '/v1/messages/{id}/cancel', id: 'cancelMessage', type: 'cancel', named: 'msg_id' },
    summary: summaryOf('cancel'),
  },
  {
    ...{ method: 'POST', path: '/v1/verifications', id: 'startVerification', type: 'verify/start' },
    summary: summaryOf('verify/start'),
    creates: 'verify_id',
  },
  {
    ...{ method: 'POST', path: '/v1/verifications/{id}/check', id: 'checkVerification', type: 'verify/check' },
    summary: summaryOf('verify/check'),
    named: 'verify_id',
  },
  {
    method: 'POST',
    path: '/v1/verifications/{id}/resend',
    id: 'resendVerification',
    summary: summaryOf('verify/resend'),
    type: 'verify/resend',
    named: 'verify_id',
  },
  { method: 'GET', path: '/v1/balance', id: 'getBalance', summary: summaryOf('balance'), type: 'balance' },
  { method: 'GET', path: '/v1/postings', id: 'listPostings', summary: summaryOf('posting/list'), type: 'posting/list' },
  {
    method: 'GET',
    path: '/v1/statement/{month}',
    id: 'getStatement',
    summary: summaryOf('statement/get'),
    type: 'statement/get',
    named: 'month',
  },
  { method: 'GET', path: '/v1/events', id: 'listEvents', summary: summaryOf('event/list'), type: 'event/list' },
]

function summaryOf(type: string): string {
  return schemaOf(type)?.summary ?? ''
}

/** Bytes of a body: one operation, whose texts have limits of their own. */
export const REST_BODY_BYTES = 64 * 1024

/** Characters of an `X-Request-Id`, which is echoed; others get one that is made. */
export const REQUEST_ID = /^[!-~]{1,128}$/
