/** What carriers deliver by destination, where they are demoted and were, and what operators decide about it. */
import Type, { type Static, type TObject } from 'typebox'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { isCountry, readCountry } from '../../../domain/numbers/country.ts'
import {
  DEMOTION_KINDS,
  type Demotion,
  type DemotionKind,
  MAX_DEMOTION_HOURS,
  placeKey,
  QUALITY_MEASURES,
  type QualityPlace,
} from '../../../domain/routing/demotion.ts'
import type { QualityFinding } from '../../../domain/routing/judge-quality.ts'
import { within30s } from '../../../domain/routing/quality-measures.ts'
import { QualityRules } from '../../../domain/routing/quality-rule.ts'
import { findQuality } from '../../quality/quality-watch.ts'
import { entry, noEntry } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { checkField } from '../fields/field-refused.ts'
import { checkOperator } from '../fields/label.ts'
import {
  CARRIER,
  CHANNEL,
  nullable,
  OPERATORS,
  PAGING,
  pageOf,
  READERS,
  TIME,
  whole,
  writeTime,
} from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { PLACE_COUNTRY } from './quality-rule.ts'

const DEMOTIONS: ChangeRule = { what: 'demotions of carriers', may: OPERATORS }

export const DEMOTION_CHANGES = {
  'judge carrier': { ...DEMOTIONS, audit: noEntry },
  'decide demotion': {
    ...DEMOTIONS,
    audit: ({ demotion }, { demotions }) => {
      const before = demotions.find((each) => placeKey(each) === placeKey(demotion))
      const shown = ({ kind, until, reason }: Demotion) => ({ kind, until: writeTime(until), reason })
      const { carrierId, country, operator, endedAt } = demotion
      const subject = `carrier ${carrierId} in ${country}${operator === null ? '' : `, operator ${operator}`}`
      return entry(subject, before === undefined ? null : shown(before), endedAt === null ? shown(demotion) : null)
    },
  },
} satisfies Changes

const OPERATOR = nullable(Type.String({ maxLength: 6 }), {
  description: 'MCC and MNC such as 26201; none for all of the country',
})
const PLACE = { carrier: CARRIER, country: PLACE_COUNTRY, operator: Type.Optional(OPERATOR) }
const HOURS = whole({
  minimum: 1,
  maximum: MAX_DEMOTION_HOURS,
  default: 24,
  description: 'hours until gateways decide again',
})
const REASON = Type.String({ maxLength: 200, default: '', description: 'why, for other operators' })
const DECISION = { ...PLACE, hours: Type.Optional(HOURS), reason: Type.Optional(REASON) }
const SHARE = nullable(Type.Number(), { description: 'from 0 to 1; null without messages' })

const STATES = ['good', 'few messages', 'not judged', ...DEMOTION_KINDS] as const

const Quality = Type.Object({
  carrier: Type.String(),
  channel: CHANNEL,
  country: Type.String({ description: 'ISO 3166' }),
  operator: nullable(Type.String(), {
    description: 'MCC and MNC; null for the country, without operators that are demoted',
  }),
  state: Type.Enum([...STATES]),
  messages: whole({ description: 'taken or refused in the window of the rule, old enough to be delivered' }),
  delivered: SHARE,
  seconds: nullable(Type.Number(), { description: 'mean time to delivery' }),
  within_30s: nullable(Type.Number(), { description: 'share of the deliveries that came within 30 s' }),
  codes: whole({ description: 'codes of verifications among them' }),
  entered: nullable(Type.Number(), { description: 'share of the codes that were entered' }),
  usual: nullable(Type.Number(), { description: 'share delivered in the week before' }),
  others: nullable(Type.Number(), { description: 'share that the best other carrier delivers at least' }),
  reason: nullable(Type.String(), { description: 'why it is demoted, or would be' }),
  since: nullable(TIME),
  until: nullable(TIME, { description: 'when it is tried again without proof, or an operator’s decision ends' }),
  trickle: nullable(Type.Number(), { description: 'part of the messages that tests it, from 0 to 1' }),
})

const DemotionView = Type.Object({
  carrier: Type.String(),
  channel: CHANNEL,
  country: Type.String(),
  operator: nullable(Type.String()),
  kind: Type.Enum([...DEMOTION_KINDS]),
  measure: Type.Enum([...QUALITY_MEASURES]),
  began_at: TIME,
  ended_at: nullable(TIME),
  reason: Type.String(),
  end_reason: nullable(Type.String()),
  trickle: Type.Number(),
  user: nullable(Type.String(), { description: 'who decided it; null for the gateway' }),
  until: TIME,
})

/** The history is listed that far. */
const MAX_LISTED = 2_000

export const QUALITY_ENDPOINTS = [
  endpoint({
    name: 'listQuality',
    method: 'GET',
    path: '/quality',
    command: 'quality list',
    columns: [
      'carrier',
      'channel',
      'country',
      'operator',
      'state',
      'messages',
      'delivered',
      'seconds',
      'entered',
      'others',
      'reason',
    ],
    summary: 'list what carriers deliver by country and operator, and where they are demoted',
    may: READERS,
    query: { ...PAGING, carrier: Type.Optional(CARRIER), country: Type.Optional(PLACE_COUNTRY) },
    result: pageOf(Quality),
    run: async ({ store, clock }, { carrier, country, ...paging }) => {
      const rows = await store.loadDirectory()
      const rules = new QualityRules(rows.qualityRules)
      const code = country === undefined ? undefined : readCountry(country)
      const all = await findQuality(store, { setUp: rows, rules, now: clock.now() })
      const found = all.filter(
        ({ place }) =>
          (carrier === undefined || place.carrierId === carrier) && (code === undefined || place.country === code),
      )
      return takePage(inOrder(withoutRepetitions(found)), paging, (each) => viewFinding(each, rules))
    },
  }),
  endpoint({
    name: 'listDemotions',
    method: 'GET',
    path: '/quality/demotions',
    command: 'quality history',
    columns: ['began_at', 'ended_at', 'carrier', 'country', 'operator', 'kind', 'reason', 'end_reason', 'user'],
    summary: 'list demotions of carriers, the newest first; they are kept for 400 days',
    may: READERS,
    query: { ...PAGING, carrier: Type.Optional(CARRIER) },
    result: pageOf(DemotionView),
    run: async ({ store }, { carrier, ...paging }) => {
      const found = await store.demotions({ endedSince: 0, limit: MAX_LISTED })
      const wanted = found.filter(({ carrierId }) => carrier === undefined || carrierId === carrier)
      return takePage(wanted, paging, viewDemotion)
    },
  }),
  endpoint({
    name: 'demoteCarrier',
    method: 'POST',
    path: '/quality/demote',
    command: 'quality demote',
    summary: 'have a country or an operator use its other carriers first, for some hours',
    may: OPERATORS,
    body: DECISION,
    result: DemotionView,
    run: (tools, input, { name }) => decide(tools, input, { kind: 'demoted', user: name }),
  }),
  endpoint({
    name: 'keepCarrier',
    method: 'POST',
    path: '/quality/keep',
    command: 'quality keep',
    summary: 'end a demotion, and have none for some hours',
    may: OPERATORS,
    body: DECISION,
    result: DemotionView,
    run: (tools, input, { name }) => decide(tools, input, { kind: 'kept', user: name }),
  }),
  endpoint({
    name: 'releaseCarrier',
    method: 'POST',
    path: '/quality/release',
    command: 'quality release',
    summary: 'end a demotion or a decision of an operator: gateways decide again',
    may: OPERATORS,
    body: PLACE,
    result: DemotionView,
    run: async ({ store, clock }, input, { name }) => {
      const { place, lasting } = await findPlace({ store }, input)
      if (lasting === undefined)
        throw new UnknownThing(`${place.carrierId} is not demoted there: posthorn quality list`)
      const demotion = { ...lasting, endedAt: clock.now(), endReason: `ended by ${name}` }
      await store.change({ kind: 'decide demotion', demotion, before: lasting.beganAt })
      return viewDemotion(demotion)
    },
  }),
]

type PlaceInput = Static<TObject<typeof PLACE>>

/** Throws UnknownThing without such a carrier, ChangeRefused for a country or an operator that cannot be. */
async function findPlace(
  { store }: Pick<AdminTools, 'store'>,
  { carrier, country: code, operator = null }: PlaceInput,
) {
  const { carriers, demotions }: DirectoryRows = await store.loadDirectory()
  const channel = carriers.find(({ id }) => id === carrier)?.channel
  if (channel === undefined) throw new UnknownThing(`there is no carrier ${carrier}: posthorn carrier list`)
  const country = readCountry(code)
  checkField('country', isCountry(country), 'must be a country such as DE')
  if (operator !== null) checkOperator(operator, 'operator')
  const place: QualityPlace = { channel, carrierId: carrier, country, operator }
  return { place, lasting: demotions.find((each) => placeKey(each) === placeKey(place)) }
}

async function decide(
  { store, clock }: AdminTools,
  { hours = 24, reason: given = '', ...input }: Static<TObject<typeof DECISION>>,
  { kind, user }: { readonly kind: DemotionKind; readonly user: string },
) {
  const { place, lasting } = await findPlace({ store }, input)
  const beganAt = Math.max(clock.now(), (lasting?.beganAt ?? 0) + 1)
  const reason = given === '' ? `decided by ${user}` : given
  const term = { beganAt, endedAt: null, endReason: null, until: beganAt + hours * 3_600_000 }
  const demotion: Demotion = { ...place, ...term, kind, measure: 'operator', reason, trickle: 0, user }
  await store.change({ kind: 'decide demotion', demotion, before: lasting?.beganAt ?? null })
  return viewDemotion(demotion)
}

/** Leaves out countries without messages, or with the messages of one listed operator. */
function withoutRepetitions(all: readonly QualityFinding[]): readonly QualityFinding[] {
  const keyOf = ({ place, recent }: QualityFinding) => `${placeKey({ ...place, operator: null })} ${recent.sent}`
  const undecided = all.filter(({ demotion }) => demotion === null)
  const listed = new Set(undecided.filter(({ place }) => place.operator !== null).map(keyOf))
  return all.filter((each) => {
    const { place, recent, demotion } = each
    return place.operator !== null || demotion !== null || (recent.sent > 0 && !listed.has(keyOf(each)))
  })
}

/** Demotions first, then the most messages. */
function inOrder(findings: readonly QualityFinding[]): readonly QualityFinding[] {
  const rank = ({ demotion }: QualityFinding) => (demotion === null ? 1 : 0)
  return findings.toSorted((a, b) => rank(a) - rank(b) || b.recent.sent - a.recent.sent)
}

function viewFinding(finding: QualityFinding, rules: QualityRules): Static<typeof Quality> {
  const { place, recent, usual, others, demotion } = finding
  const { mode, minMessages } = rules.of(place)
  const soon = within30s(recent)
  const isJudged = recent.sent >= minMessages || recent.codes >= minMessages
  const state = demotion?.kind ?? (mode === 'off' ? 'not judged' : isJudged ? 'good' : 'few messages')
  return {
    carrier: place.carrierId,
    channel: place.channel,
    country: place.country,
    operator: place.operator,
    state,
    messages: recent.sent,
    delivered: shareOf(recent.delivered, recent.sent),
    seconds: recent.delivered === 0 ? null : Math.round(recent.deliveredMs / recent.delivered / 100) / 10,
    within_30s: shareOf(soon.part, soon.of),
    codes: recent.codes,
    entered: shareOf(recent.converted, recent.codes),
    usual: shareOf(usual.delivered, usual.sent),
    others: others === null ? null : rounded(others),
    reason: demotion?.reason ?? null,
    since: writeTime(demotion?.beganAt ?? null),
    until: writeTime(demotion?.until ?? null),
    trickle: demotion?.kind === 'demoted' ? rounded(demotion.trickle) : null,
  }
}

function shareOf(part: number, of: number): number | null {
  return of === 0 ? null : rounded(Math.min(1, part / of))
}

function rounded(share: number): number {
  return Math.round(share * 1_000) / 1_000
}

function viewDemotion(demotion: Demotion): Static<typeof DemotionView> {
  const { carrierId, channel, country, operator, kind, measure, reason, endReason, trickle, user } = demotion
  return {
    ...{ carrier: carrierId, channel, country, operator, kind, measure },
    ...{ began_at: writeTime(demotion.beganAt), ended_at: writeTime(demotion.endedAt) },
    ...{ reason, end_reason: endReason, trickle: rounded(trickle), user, until: writeTime(demotion.until) },
  }
}
