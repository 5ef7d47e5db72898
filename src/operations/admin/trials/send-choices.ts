/** What a form needs to compose a message: limits of times, waits by default, and the account's SMS templates. */
import Type from 'typebox'
import { MESSAGE_CHANNELS } from '../../../domain/channels/channel.ts'
import { usualLifetime } from '../../send/read-send.ts'
import { AdminProblem } from '../endpoint/admin-problem.ts'
import { CLIENT_ADMINS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { resultIn } from '../endpoint/operation-result.ts'
import { runningGateway } from '../endpoint/running-gateway.ts'
import { ACCOUNT, nullable, READERS, whole } from '../fields/shapes.ts'
import { accessAs, openTrial } from './try-steps.ts'

const Choices = Type.Object({
  lifetime_min_seconds: whole(),
  lifetime_max_seconds: whole(),
  send_ahead_seconds: whole({ description: 'how far ahead `send_at` may be' }),
  lifetimes: Type.Array(
    Type.Object({
      channel: Type.Enum([...MESSAGE_CHANNELS]),
      alone_seconds: whole({ description: 'lifetime of a message of this channel alone, if it has none of its own' }),
      chain_seconds: whole({ description: 'how long a step of this channel waits in a chain, the same' }),
    }),
  ),
})

const Template = Type.Object({ template_id: whole(), name: Type.String(), template: Type.String() })

export const SEND_CHOICE_ENDPOINTS = [
  endpoint({
    name: 'showSendChoices',
    needsGateway: true,
    method: 'GET',
    path: '/accounts/{account}/messages/choices',
    command: 'message choices',
    summary: 'show the limits of lifetimes and of send_at, and how long each channel waits by default',
    may: READERS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: { account: ACCOUNT },
    result: Choices,
    run: async (tools, { account }) => {
      const live = runningGateway(tools, 'knows its limits')
      const scope = openTrial(live, { account, test: false, now: tools.clock.now() })
      const { lifetimeMinSeconds, lifetimeMaxSeconds, sendAheadSeconds } = scope.tools.limits
      return {
        lifetime_min_seconds: lifetimeMinSeconds,
        lifetime_max_seconds: lifetimeMaxSeconds,
        send_ahead_seconds: sendAheadSeconds,
        lifetimes: MESSAGE_CHANNELS.map((channel) => ({
          channel,
          alone_seconds: usualLifetime(scope, channel, 1),
          chain_seconds: usualLifetime(scope, channel, 2),
        })),
      }
    },
  }),
  endpoint({
    name: 'listSmsTemplates',
    needsGateway: true,
    method: 'GET',
    path: '/accounts/{account}/sms-templates',
    command: 'sms-template list',
    summary: 'list the SMS templates of an account, oldest first, as clients do with template/list',
    may: READERS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: { account: ACCOUNT },
    query: { after: Type.Optional(whole({ minimum: 1, description: '`next` of the previous page' })) },
    result: Type.Object({
      data: Type.Array(Template),
      next: nullable(whole(), { description: '`after` of the next page; null for an empty one, which is the last' }),
    }),
    run: async (tools, { account, after }) => {
      const live = runningGateway(tools, 'can list templates')
      const access = accessAs(live.operations, { account, test: false, now: tools.clock.now() })
      const item = { type: 'template/list', ...(after === undefined ? {} : { after }) }
      const answer = await live.runAs(access, item, async () => undefined)
      const { data: templates } = resultIn<readonly Listed[]>(answer, (error) => new AdminProblem(503, error))
      const data = templates.map(({ id, name, template }) => ({ template_id: id, name, template }))
      return { data, next: data.at(-1)?.template_id ?? null }
    },
  }),
]

interface Listed {
  readonly id: number
  readonly name: string
  readonly template: string
}
