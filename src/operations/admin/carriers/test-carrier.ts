/** Tests a carrier: sends a message to a phone of the operator by this carrier alone, whatever the routes say. */
import Type from 'typebox'
import { CHANNEL_FORMS } from '../../../contract/channels/channel-forms.ts'
import type { RequestObject } from '../../../contract/request/envelope.ts'
import { defaultSenderOf } from '../../../domain/accounts/account.ts'
import { carriesTexts, MESSAGE_CHANNELS, type MessageChannel } from '../../../domain/channels/channel.ts'
import type { DirectoryRows, InstalledCarrier } from '../../../domain/directory/directory.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { testOf } from '../../request/planned.ts'
import { AdminProblem } from '../endpoint/admin-problem.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { runningGateway } from '../endpoint/running-gateway.ts'
import { FieldRefused } from '../fields/field-refused.ts'
import { ACCOUNT, CARRIER, OPERATORS, RECIPIENT, whole } from '../fields/shapes.ts'
import { previewSend } from '../trials/preview-send.ts'
import { submitAs } from '../trials/send-endpoints.ts'
import { explainStep, openTrial } from '../trials/try-steps.ts'
import { carrierRow } from './carrier-view.ts'

/** Within which the phone must get it: a late test would only confuse. */
const LIFETIME_SECONDS = 300
/** A test is free of charge for the account, and not for the operator. */
const SECONDS_BETWEEN_TESTS = 10

export const TEST_CARRIER = endpoint({
  name: 'testCarrier',
  needsGateway: true,
  method: 'POST',
  path: '/carriers/{id}/test',
  ownCommand: 'carrier test',
  summary: 'send a message to a phone of your own by this carrier alone, whatever the routes say, and free of charge',
  may: OPERATORS,
  params: { id: CARRIER },
  body: {
    to: RECIPIENT,
    account: Type.Optional(
      whole({ ...ACCOUNT, description: 'the account of the message, which does not pay; by default the only one' }),
    ),
    sender: Type.Optional(
      Type.String({ maxLength: 100, description: "as the carrier knows it; by default the account's for SMS" }),
    ),
    text: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description: 'by default, names the carrier' })),
  },
  result: Type.Object({
    message: whole({ description: 'its msg_id' }),
    account: whole(),
    sender: Type.String(),
    parts: whole(),
  }),
  run: async (tools, { id, to, account: asked, sender, text = `Posthorn test of carrier ${id}` }) => {
    const live = runningGateway(tools, 'can test a carrier')
    const rows = await tools.store.loadDirectory()
    const carrier = carrierRow(rows, id)
    const channel = textChannelOf(carrier)
    if (carrier.draining) throw new ChangeRefused(`carrier ${id} is draining and takes no messages: resume it first`)
    const account = asked ?? onlyAccountOf(rows)
    const scope = testOf(id, openTrial(live, { account, test: false, now: tools.clock.now() }))
    const from = sender ?? defaultSenderOf(scope.account, channel) ?? undefined
    const seconds = Math.max(LIFETIME_SECONDS, scope.tools.limits.lifetimeMinSeconds)
    const message = { type: channel, ...fieldsOf(channel, { to, from, text, seconds }) }
    const { send, error, field } = previewSend(scope, message)
    const [step] = send?.plan ?? []
    if (send === null || step === undefined) throw refusalOf(channel, field, error ?? 'was refused')
    const { reason } = explainStep(scope, send, step, live.explainRouting)
    if (reason !== null) throw new ChangeRefused(reason)
    if (!live.carrierTests.take(id, 1 / SECONDS_BETWEEN_TESTS, 1, tools.clock.monotonic())) {
      throw new AdminProblem(429, `carrier ${id} was tested just now: wait ${SECONDS_BETWEEN_TESTS} seconds`)
    }
    const sent = await submitAs(tools, { account, message, test: false, testedCarrier: id })
    return { message: sent.message, account, sender: step.sender, parts: sent.parts }
  },
})

interface TestText {
  readonly to: string
  readonly from: string | undefined
  readonly text: string
  readonly seconds: number
}

/** Names of the client API by those of the endpoint. */
function namesOf(channel: MessageChannel) {
  return { to: 'phone', sender: `${channel}_signature`, text: `${channel}_message` } as const
}

function fieldsOf(channel: MessageChannel, { to, from, text, seconds }: TestText): RequestObject {
  const names = namesOf(channel)
  const { plainText, lifetime } = CHANNEL_FORMS[channel]
  return { ...plainText, [names.to]: to, [names.sender]: from, [names.text]: text, [lifetime.name]: seconds }
}

function refusalOf(channel: MessageChannel, field: string | null, error: string): FieldRefused {
  const name = Object.entries(namesOf(channel)).find(([, each]) => each === field)?.[0]
  if (name === undefined) return new FieldRefused('to', error)
  return new FieldRefused(name, error.startsWith(`${field}: `) ? error.slice(`${field}: `.length) : error)
}

/** Throws ChangeRefused. */
function textChannelOf({ id, channel }: InstalledCarrier): MessageChannel {
  if (carriesTexts(channel)) return channel
  throw new ChangeRefused(
    `carrier ${id} serves ${channel}: only carriers of ${MESSAGE_CHANNELS.join(', ')} are tested by a message`,
  )
}

/** Throws FieldRefused. */
function onlyAccountOf({ accounts }: DirectoryRows): number {
  const [only, ...others] = accounts
  if (only !== undefined && others.length === 0) return only.id
  throw new FieldRefused('account', only === undefined ? 'create an account first' : 'required: there are several')
}
