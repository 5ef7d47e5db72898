/** Operators and users of an account send a message of it, or preview it, through the operations of clients. */
import Type from 'typebox'
import type { RequestObject } from '../../../contract/request/envelope.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { ChangeOf, Changes } from '../endpoint/change.ts'
import { CLIENT_ADMINS } from '../endpoint/client-access.ts'
import { type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { resultIn } from '../endpoint/operation-result.ts'
import { runningGateway } from '../endpoint/running-gateway.ts'
import { FieldRefused } from '../fields/field-refused.ts'
import { ACCOUNT, nullable, OPERATORS, READERS, whole } from '../fields/shapes.ts'
import { findObstacles } from './find-obstacles.ts'
import { previewSend } from './preview-send.ts'
import { ClientTrial, Trial, viewTrial } from './trial-view.ts'
import { accessAs, explainStep, findNumber, openTrial } from './try-steps.ts'

/** More than a message with all channels and rich content needs. */
const MAX_BYTES = 256 * 1024

const MESSAGE = Type.Record(Type.String(), Type.Unknown(), {
  description: 'as in `data` of the client API: type, phone and contents',
  examples: ['{"type":"sms","phone":"37120000000","sms_signature":"Shop","sms_message":"Hello"}'],
})
const WARNINGS = Type.Array(Type.String(), { description: 'fields that are not used' })

const Preview = Type.Object({
  error: nullable(Type.String(), { description: 'that the client API would answer; null for none' }),
  field: nullable(Type.String(), { description: 'that the error is about' }),
  warnings: WARNINGS,
  trial: nullable(Trial, { description: 'as of `POST /routes/trial`; null with an error' }),
})

const ClientPreview = Type.Object({ ...Preview.properties, trial: nullable(ClientTrial) })

type Sent = ChangeOf<'note message' | 'note test message'>

const SENT = {
  what: 'messages of clients',
  may: OPERATORS,
  accounts: ({ accountId }: Sent) => [accountId],
  audit: ({ accountId, messageId, type, kind, testedCarrier }: Sent) =>
    entry(`message ${messageId} of account ${accountId}`, null, {
      ...{ sent: type, test: kind !== 'note message' },
      ...(testedCarrier === undefined ? {} : { tested_carrier: testedCarrier }),
    }),
}

export const SEND_CHANGES = {
  // Spends the money of the account, and reaches a recipient in its name.
  'note message': { ...SENT, proof: true },
  'note test message': SENT,
} satisfies Changes

export const SEND_ENDPOINTS = [
  endpoint({
    name: 'previewMessage',
    needsGateway: true,
    method: 'POST',
    path: '/accounts/{account}/messages/preview',
    command: 'message preview',
    summary: 'show parts, price, carriers and errors of a message without sending it',
    may: READERS,
    clients: { may: CLIENT_ADMINS, scope: 'account', result: ClientPreview },
    params: { account: ACCOUNT },
    body: {
      message: MESSAGE,
      test: Type.Optional(Type.Boolean({ default: false, description: 'as a test message, to simulated phones' })),
    },
    result: Preview,
    maxBytes: MAX_BYTES,
    run: async (tools, { account, message, test = false }, { role }) => {
      const live = runningGateway(tools, 'can preview a message')
      const opened = openTrial(live, { account, test, now: tools.clock.now() })
      const phone = previewSend(opened, message as RequestObject).send?.phone ?? null
      const number = phone === null ? null : findNumber(opened, phone)
      // Priced by the operator that a lookup service has found, if the account looks numbers up.
      const scope = number === null ? opened : { ...opened, lookup: { operatorOf: () => number.operator } }
      const { send, error, field, warnings } = previewSend(scope, message as RequestObject)
      if (send === null || number === null) return { error, field, warnings: [...warnings], trial: null }
      const tried = send.plan.map((step) => {
        const { channel, sender } = step
        return { channel, sender, refused: null, step, routing: explainStep(scope, number, step, live.explainRouting) }
      })
      const obstacles = await findObstacles(scope, number.phone, tried)
      return { error, field, warnings: [...warnings], trial: viewTrial(scope, { number, tried, obstacles }, role) }
    },
  }),
  endpoint({
    name: 'sendMessage',
    needsGateway: true,
    method: 'POST',
    path: '/accounts/{account}/messages',
    command: 'message send',
    summary: 'send a message as an account, with its limits and by its money, or free of charge to a simulated phone',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: { account: ACCOUNT },
    body: {
      message: MESSAGE,
      test: Type.Boolean({ description: 'as with a test key: free of charge, to simulated phones only' }),
    },
    result: Type.Object({
      message: whole({ description: 'its msg_id' }),
      parts: whole(),
      warnings: WARNINGS,
    }),
    maxBytes: MAX_BYTES,
    run: async (tools, { account, message, test }) => {
      const live = runningGateway(tools, 'can send a message')
      const now = tools.clock.now()
      const { error } = previewSend(openTrial(live, { account, test, now }), message as RequestObject)
      if (error !== null) throw new FieldRefused('message', error)
      return submitAs(tools, { account, message, test })
    },
  }),
]

export interface OperatorMessage {
  readonly account: number
  /** Has been previewed. */
  readonly message: Readonly<Record<string, unknown>>
  readonly test: boolean
  readonly testedCarrier?: string
}

/** Sends a message as an account. Throws AdminProblem, or FieldRefused if the message was refused. */
export async function submitAs(tools: AdminTools, { account, message, test, testedCarrier }: OperatorMessage) {
  const live = runningGateway(tools, 'can send a message')
  const access = accessAs(live.operations, { account, test, now: tools.clock.now() })
  const { state, id: accountId } = access.account
  if (state !== 'active') throw new FieldRefused('account', `is ${state}`)
  const kind = test ? 'note test message' : 'note message'
  const noted = { kind, accountId, type: String(message['type']) } as const
  // Noted first, so that no message is sent without its entry in the audit log.
  const note = async (messageId: MessageId) =>
    void (await tools.store.change({ ...noted, messageId, ...(testedCarrier === undefined ? {} : { testedCarrier }) }))
  const answer = await live.runAs(access, message, note, testedCarrier)
  const refuse = (error: string) => new FieldRefused('message', error)
  const { data, warnings } = resultIn<{ readonly msg_id: number; readonly parts: number }>(answer, refuse)
  return { message: data.msg_id, parts: data.parts, warnings: [...warnings] }
}
