/** The result of a trial: what would happen to a message, and what of it each role may see. */
import Type, { type Static } from 'typebox'
import { CLIENT_ROLES, type Role } from '../../../domain/accounts/admin-user.ts'
import { senderWarning } from '../../../domain/accounts/sender-rules.ts'
import { CHANNELS, carriesTexts, type MessageChannel } from '../../../domain/channels/channel.ts'
import { holdOf, type Step } from '../../../domain/message/message.ts'
import { type Micros, timesMicros, toDecimal } from '../../../domain/money/money.ts'
import { countryOf } from '../../../domain/numbers/country.ts'
import type { Demotion } from '../../../domain/routing/demotion.ts'
import { findOutsideGsm } from '../../../domain/text/gsm-alphabet.ts'
import { splitText } from '../../../domain/text/text-parts.ts'
import { CARRIER_STANDINGS, type RankedRoute } from '../../../ports/carriers/routing.ts'
import type { Scope } from '../../request/planned.ts'
import { BOOK_READERS, CURRENCY, MARGIN_READERS, MONEY, nullable, whole, writeTime } from '../fields/shapes.ts'
import { GUARD_EFFECTS, OBSTACLES, type Obstacle } from './find-obstacles.ts'
import type { TriedNumber, TriedStep } from './try-steps.ts'

const UCS2_CHARACTERS = 10
const TRIED_CHANNEL = Type.Enum([...CHANNELS])
/** Users of an account read the prices that it pays. */
const PRICE_READERS: readonly Role[] = [...BOOK_READERS, ...CLIENT_ROLES]
const PRICE = nullable(MONEY, { description: 'null without a price, and for roles that see no money' })

const Channel = Type.Object({
  channel: TRIED_CHANNEL,
  sender: nullable(Type.String()),
  from: nullable(Type.String(), { description: 'the member of the pool that the recipient would see' }),
  warning: nullable(Type.String(), { description: 'why the country may not show the sender' }),
  carrier: nullable(Type.String(), { description: 'that would get the message now, or for which it would wait' }),
  waits: Type.Boolean({ description: 'none of its carriers takes messages now: it waits for the first that does' }),
  has_route: Type.Boolean({ description: 'whether a carrier can get it; without one the step ends NO ROUTE' }),
  no_carrier: nullable(Type.String(), { description: 'why there is no carrier' }),
  refused: nullable(Type.String(), { description: 'the error that the client API would answer' }),
  parts: nullable(whole()),
  encoding: nullable(Type.Enum(['gsm7', 'ucs2']), { description: 'of an SMS' }),
  ucs2_for: nullable(Type.Array(Type.String(), { maxItems: UCS2_CHARACTERS }), {
    description: `up to ${UCS2_CHARACTERS} characters that make it ucs2, whose parts are shorter; null unless it is an SMS`,
  }),
  price: PRICE,
})

const Route = Type.Object({
  channel: TRIED_CHANNEL,
  carrier: Type.String(),
  state: Type.Enum([...CARRIER_STANDINGS], { description: 'of the carrier, for this node' }),
  demotion: nullable(Type.String(), {
    description: 'why and since when the carrier is tried after the others; null if it is not',
  }),
  prefix: Type.String(),
  account: nullable(whole()),
  sender: nullable(Type.String()),
  operators: nullable(Type.Array(Type.String())),
  priority: whole(),
  weight: whole(),
  share: Type.Number({ description: 'how often it comes first among equal routes, from 0 to 1' }),
  cost: nullable(Type.Number(), { description: 'of all parts; null without a cost, and for roles that see no money' }),
  cost_currency: nullable(CURRENCY),
  margin: nullable(Type.Number(), {
    description: 'price less cost; null if one is unknown, in different currencies, and for roles without margins',
  }),
})

const Guard = Type.Object({
  guard: Type.Enum([...OBSTACLES]),
  effect: Type.Enum([...GUARD_EFFECTS], {
    description: 'refused with an error; accepted and then FILTERED; or postponed',
  }),
  channel: nullable(TRIED_CHANNEL, { description: 'null for all' }),
  detail: Type.String(),
})

export const Trial = Type.Object({
  account: whole(),
  phone: Type.String({ description: 'as digits, or the user id' }),
  country: nullable(Type.String(), { description: 'ISO 3166' }),
  mccmnc: nullable(Type.String(), { description: 'MCC and MNC of the operator' }),
  operator: nullable(Type.String(), { description: 'its name' }),
  operator_by: nullable(Type.Enum(['lookup service', 'prefix table'])),
  ported: nullable(Type.Boolean()),
  currency: Type.String(),
  price: nullable(MONEY, { description: 'what would be held: the highest price of a channel' }),
  guards: Type.Array(Guard, { description: 'that would keep the message from its recipient' }),
  channels: Type.Array(Channel),
  routes: Type.Array(Route, { description: 'of each channel in the order in which they are tried' }),
})

/** Without carriers, their routes and costs, and how the operator was found. */
export const ClientTrial = Type.Object({
  ...Type.Omit(Trial, ['operator_by', 'ported', 'routes']).properties,
  channels: Type.Array(Type.Omit(Channel, ['carrier', 'no_carrier'])),
})

export interface TrialFacts {
  readonly number: TriedNumber
  readonly tried: readonly TriedStep[]
  readonly obstacles: readonly Obstacle[]
}

export function viewTrial({ account, directory }: Scope, facts: TrialFacts, role: Role): Static<typeof Trial> {
  const { number, tried, obstacles } = facts
  const seesPrices = PRICE_READERS.includes(role)
  const seesCosts = BOOK_READERS.includes(role)
  const seesMargin = MARGIN_READERS.includes(role)
  const { country, operatorName, ported } = number.facts
  const steps = tried.flatMap(({ step }) => step ?? [])
  const viewSender = ({ channel, sender }: TriedStep) => {
    const use = { accountId: account.id, channel: channel as MessageChannel, sender: sender ?? '', phone: number.phone }
    const shown = carriesTexts(channel) ? directory.senderShown(use) : null
    const warning = shown === null || channel !== 'sms' ? null : senderWarning(shown, countryOf(number.phone))
    return { from: shown === null || shown.name === sender ? null : shown.name, warning }
  }
  return {
    account: account.id,
    phone: number.phone,
    country,
    mccmnc: number.operator,
    operator: operatorName ?? directory.operatorName(number.operator),
    operator_by: number.source,
    ported,
    currency: account.currency,
    price: seesPrices && steps.length > 0 ? toDecimal(holdOf(steps)) : null,
    guards: obstacles.map(({ guard, effect, channel, detail }) => ({ guard, effect, channel, detail })),
    channels: tried.map((each) => ({ ...viewChannel(each, seesPrices), ...viewSender(each) })),
    routes: tried.flatMap(({ channel, step, routing }) =>
      routing.routes.map((route) => {
        const { cost, margin } = moneyOf(route, step, account.currency)
        return {
          channel,
          carrier: route.route.carrierId,
          state: route.standing,
          demotion: describeDemotion(route.demotion),
          ...termsOf(route),
          cost: seesCosts && cost !== null ? toDecimal(cost) : null,
          cost_currency: seesCosts ? (route.cost?.currency ?? null) : null,
          margin: seesMargin && margin !== null ? toDecimal(margin) : null,
        }
      }),
    ),
  }
}

function viewChannel({ channel, sender, refused, step, routing }: TriedStep, seesPrices: boolean) {
  const text = channel === 'sms' && step?.content.kind === 'text' ? step.content.text : null
  return {
    channel,
    sender,
    carrier: routing.carrierId,
    waits: routing.waits,
    has_route: routing.carrierId !== null,
    no_carrier: routing.reason,
    refused,
    parts: step?.parts ?? null,
    encoding: text === null ? null : splitText(text).encoding,
    ucs2_for: text === null ? null : [...findOutsideGsm(text, UCS2_CHARACTERS)],
    price: seesPrices && step !== null ? toDecimal(step.priceMicros) : null,
  }
}

function describeDemotion(demotion: Demotion | null): string | null {
  return demotion === null ? null : `since ${writeTime(demotion.beganAt)}: ${demotion.reason}`
}

function termsOf({ route, share }: RankedRoute) {
  const { prefix, accountId, sender, operators, priority, weight } = route
  const listed = operators === null ? null : [...operators].sort()
  return {
    prefix,
    account: accountId,
    sender,
    operators: listed,
    priority,
    weight,
    share: Math.round(share * 1e4) / 1e4,
  }
}

function moneyOf({ cost }: RankedRoute, step: Step | null, currency: string) {
  if (cost === null || step === null) return { cost: null, margin: null }
  const all = timesMicros(cost.micros, step.parts)
  return { cost: all, margin: cost.currency === currency ? ((step.priceMicros - all) as Micros) : null }
}
