/** What an account needs before it can send, found by the checks that a send makes, and what it lacks of it. */
import type { KeyScope } from '../../../domain/accounts/api-key.ts'
import { CHANNELS, type Channel, carriesTexts } from '../../../domain/channels/channel.ts'
import { SMS } from '../../../domain/channels/sms.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { spendableMicros } from '../../lookup/answer-lookups.ts'
import type { Scope } from '../../request/planned.ts'
import type { LiveGateway } from '../endpoint/endpoint.ts'
import { openTrial } from '../trials/try-steps.ts'
import {
  type ChannelPoint,
  type ChecklistTools,
  type TriedChannel,
  tryChannel,
  unreachedCountries,
} from './try-channel.ts'

export type PointName = ChannelPoint | 'account' | 'key' | 'message' | 'countries' | 'hook' | 'spending limit'

export interface Point {
  readonly point: PointName
  /** `advised`: it can send without it. */
  readonly state: 'done' | 'missing' | 'advised'
  /** Carrier, state of the account, limit or countries that it is about; null for none. */
  readonly about: string | null
}

export interface AccountChecklist {
  readonly account: AccountId
  /** The one that lacks least; of it are the points. */
  readonly channel: Channel
  readonly points: readonly Point[]
  readonly channels: readonly TriedChannel[]
}

/** Of a channel, always shown; the others only if they are missing. */
const SHOWN: readonly ChannelPoint[] = ['carrier', 'route', 'price', 'sender', 'balance']
const OTHERS: readonly ChannelPoint[] = ['destination', 'limit']
/** Countries that are named. */
const MAX_LISTED = 10
const SENDS: readonly KeyScope[] = ['send', 'otp']

/** Throws UnknownThing without such an account. Rejects with StoreError. */
export async function checkAccount(
  live: LiveGateway,
  { rows, account, now }: Pick<ChecklistTools, 'rows'> & { readonly account: number; readonly now: number },
): Promise<AccountChecklist> {
  const scope = openTrial(live, { account, test: false, now })
  const channels: TriedChannel[] = []
  const tools = { rows, explain: live.explainRouting }
  for (const channel of CHANNELS) channels.push(await tryChannel(scope, channel, tools))
  const best = nearestChannel(channels)
  const lacks = new Map(best.lacks.map(({ point, about }) => [point, about]))
  // Without a price no message has been found too expensive.
  if (lacks.has('price') && (await spendableMicros(scope)) <= 0) lacks.set('balance', null)
  const pointOf = (point: ChannelPoint): Point => {
    return { point, state: lacks.has(point) ? 'missing' : 'done', about: lacks.get(point) ?? null }
  }
  const unreached = best.lacks.length > 0 ? [] : unreachedCountries(scope, best.channel, tools)
  const { state } = scope.account
  const points: readonly Point[] = [
    needed('account', state === 'active', state),
    ...SHOWN.map(pointOf),
    ...OTHERS.filter((point) => lacks.has(point)).map(pointOf),
    needed('key', hasAccess(scope, rows)),
    ...(unreached.length === 0 ? [] : [advice('countries', false, listed(unreached))]),
    advice('hook', isReported(scope)),
    advice('spending limit', isLimited(scope)),
  ]
  return { account: scope.account.id, channel: best.channel, points, channels }
}

export function needed(point: PointName, isDone: boolean, about: string | null = null): Point {
  return { point, state: isDone ? 'done' : 'missing', about: isDone ? null : about }
}

function advice(point: PointName, isDone: boolean, about: string | null = null): Point {
  return { point, state: isDone ? 'done' : 'advised', about }
}

function listed(countries: readonly string[]): string {
  const shown = countries.slice(0, MAX_LISTED).join(', ')
  return countries.length > MAX_LISTED ? `${shown}, …` : shown
}

export function isReady(points: readonly Point[]): boolean {
  return points.every(({ state }) => state !== 'missing')
}

/** Of the channels with a route those of texts, if there are any. Among equals SMS, with which most begin. */
function nearestChannel(channels: readonly TriedChannel[]): TriedChannel {
  const routed = channels.filter(({ lacks }) => lacks.every(({ point }) => point !== 'route'))
  const ofTexts = (among: readonly TriedChannel[]) => among.filter(({ channel }) => carriesTexts(channel))
  const [pool = []] = [ofTexts(routed), routed, ofTexts(channels)].filter(({ length }) => length > 0)
  const rank = ({ channel, lacks }: TriedChannel) => lacks.length * 2 + (channel === SMS.name ? 0 : 1)
  return pool.reduce((best, each) => (rank(each) < rank(best) ? each : best))
}

/** A key or login with which clients send. A suspended account is a point of its own. */
function hasAccess({ account, directory, now }: Scope, { keys, logins }: ChecklistTools['rows']): boolean {
  const opens = keys.some(({ accountId, test, hash, scopes }) => {
    if (accountId !== account.id || test || !SENDS.some((scope) => scopes.includes(scope))) return false
    const { key, refusal } = directory.explainKey(hash, now)
    return key !== null && refusal !== 'expired key'
  })
  return opens || logins.some(({ accountId, test }) => accountId === account.id && !test)
}

function isReported({ account, tools }: Scope): boolean {
  return account.settings.defaultHook !== null || tools.hooks.of(account.id).hooks.length > 0
}

/** Against a stolen key. */
function isLimited({ account: { settings }, directory: { guards } }: Scope): boolean {
  return [settings.dailySpendMicros, settings.dailyMessages, guards.settings.dailyMessages].some((max) => max !== null)
}
