/** Shows what the installation or an account lacks before it can send. Changes nothing. */
import Type, { type Static } from 'typebox'
import { CHANNELS } from '../../../domain/channels/channel.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { type Actor, endpoint } from '../endpoint/endpoint.ts'
import { runningGateway } from '../endpoint/running-gateway.ts'
import { ACCOUNT, nullable, READERS } from '../fields/shapes.ts'
import { checkAccount, isReady, type Point, type PointName } from './account-checklist.ts'
import { checkInstallation, DELIVERED_DAYS, type InstallationChecklist } from './installation-checklist.ts'

interface Remedy {
  /** What happens while the point is open. */
  readonly effect: string
  /** The command that mends it. */
  readonly command: string
}

/** In the order in which an installation is set up. */
const REMEDIES: Readonly<Record<PointName, Remedy>> = {
  carrier: { effect: 'no carrier takes messages now: they wait or end NO ROUTE', command: 'carrier add' },
  route: { effect: 'messages end NO ROUTE', command: 'route add' },
  account: { effect: 'requests are denied: no account is active', command: 'account create' },
  price: { effect: 'messages are refused, because they have no price', command: 'price set' },
  sender: { effect: 'messages are refused: no sender is approved for them', command: 'sender approve' },
  destination: { effect: 'messages are refused: no country is allowed', command: 'account set' },
  balance: { effect: 'messages are refused: the money does not suffice for one', command: 'account top-up' },
  limit: { effect: 'messages are refused until the limit ends', command: 'account set' },
  key: { effect: 'requests are denied: no key or login works', command: 'key issue' },
  message: { effect: `no message was delivered within ${DELIVERED_DAYS} days`, command: 'message send' },
  countries: { effect: 'messages to some allowed countries are refused or end NO ROUTE', command: 'price set' },
  hook: { effect: 'the client gets no reports', command: 'account set' },
  'spending limit': { effect: 'a stolen key can spend all the money', command: 'account set' },
}

const ORDER = Object.keys(REMEDIES) as PointName[]
const POINT = Type.Enum(ORDER)
const CHANNEL = Type.Enum([...CHANNELS])
const ABOUT = nullable(Type.String(), { description: 'carrier, state, limit or countries that it is about' })
const Checklist = Type.Object({
  ready: Type.Boolean({ description: 'nothing is missing' }),
  account: nullable(ACCOUNT, { description: 'whose points these are; null without an active account' }),
  channel: nullable(CHANNEL, { description: 'that lacks least, whose points these are' }),
  points: Type.Array(
    Type.Object({
      point: POINT,
      state: Type.Enum(['done', 'missing', 'advised'], { description: 'advised: messages are sent without it too' }),
      about: ABOUT,
      effect: nullable(Type.String(), { description: 'what happens because of it; null if it is done' }),
      command: nullable(Type.String(), { description: 'that mends it; null if it is done' }),
    }),
  ),
  channels: Type.Array(
    Type.Object({
      channel: CHANNEL,
      ready: Type.Boolean({ description: 'it can send to some number' }),
      lacks: Type.Array(Type.Object({ point: POINT, about: ABOUT })),
    }),
  ),
})

export const CHECKLIST_ENDPOINTS = [
  endpoint({
    name: 'showChecklist',
    needsGateway: true,
    method: 'GET',
    path: '/checklist',
    command: 'checklist',
    summary: 'show what the installation lacks until its first message is delivered',
    may: READERS,
    result: Checklist,
    run: async (tools, _input, actor) => {
      const live = runningGateway(tools, 'knows its carriers')
      const { store, clock } = tools
      return view(await checkInstallation(live, { rows: await store.loadDirectory(), store, now: clock.now() }), actor)
    },
  }),
  endpoint({
    name: 'showAccountChecklist',
    needsGateway: true,
    method: 'GET',
    path: '/accounts/{account}/checklist',
    command: 'account checklist',
    summary: 'show what an account lacks before it can send, by the checks of a real message',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    params: { account: ACCOUNT },
    result: Checklist,
    run: async (tools, { account }, actor) => {
      const live = runningGateway(tools, 'knows its carriers')
      const rows = await tools.store.loadDirectory()
      return view(await checkAccount(live, { rows, account, now: tools.clock.now() }), actor)
    },
  }),
]

/** Users of an account do not see carriers, nor commands that they cannot use. */
function view({ account, channel, points, channels }: InstallationChecklist, actor: Actor): Static<typeof Checklist> {
  const isClient = actor.account !== null
  const seen = ({ point, about }: Pick<Point, 'point' | 'about'>) => (isClient && point === 'carrier' ? null : about)
  return {
    ready: isReady(points),
    account,
    channel,
    points: points
      .toSorted((a, b) => ORDER.indexOf(a.point) - ORDER.indexOf(b.point))
      .map((each) => {
        const { point, state } = each
        const { effect, command } = REMEDIES[point]
        const isOpen = state !== 'done'
        return {
          ...{ point, state, about: seen(each), effect: isOpen ? effect : null },
          command: isOpen && !isClient ? command : null,
        }
      }),
    channels: channels.map(({ channel: by, lacks }) => ({
      channel: by,
      ready: lacks.length === 0,
      lacks: lacks.map((lack) => ({ point: lack.point, about: seen(lack) })),
    })),
  }
}
