/** The conditions of alarms: what is found of the observed state. */
import { isInEffect, type TrafficAlarm } from '../guards/traffic-alarm.ts'
import type { AccountId } from '../ids/account-id.ts'
import { writeHeadline } from '../money/headline.ts'
import type { Amount } from '../money/ledger.ts'
import { type Micros, toMicros, writeDecimal } from '../money/money.ts'
import type { HookStop } from '../reports/stopped-hook.ts'
import type { CarrierCheck } from '../routing/carrier-check.ts'
import type { Demotion } from '../routing/demotion.ts'
import type { StatisticsLine } from '../statistics/statistics-lines.ts'
import type { Observation } from './alarm.ts'
import { type CarrierFacts, carrierEffect } from './carrier-effect.ts'

export interface ObservedCarrier {
  readonly id: string
  readonly up: boolean
  readonly draining: boolean
  readonly lastError: string | null
  /** Why its breaker is not closed; null while it is. */
  readonly degraded: { readonly reason: string; readonly account?: true } | null
  /** Messages queued for it. */
  readonly waiting: number
}

/** A carrier that is drained on purpose raises no alarm. `where` names the node; empty without a cluster. */
export function carrierConditions(
  carriers: readonly ObservedCarrier[],
  { where, ...facts }: CarrierFacts & { readonly where: string },
): readonly Observation[] {
  return carriers.flatMap((carrier): readonly Observation[] => {
    const { id, up, draining, lastError, degraded } = carrier
    if (draining || (up && degraded === null)) return []
    const effect = carrierEffect(carrier, facts)
    if (!up) {
      const state = degraded?.account === true ? 'our account there can send nothing' : 'not connected'
      const detail = `${where}${state}: ${lastError ?? 'no answer yet'}`
      return [{ kind: 'carrier_down', subject: id, severity: 'critical', detail, effect }]
    }
    const detail = `${where}${degraded?.reason ?? ''}`
    return [{ kind: 'carrier_failing', subject: id, severity: 'warning', detail, effect }]
  })
}

export interface LostKeywords {
  readonly carrierId: string
  /** Since the start of this gateway. */
  readonly count: number
  /** Why the last one was lost. */
  readonly reason: string
}

/** `last` are the last checks of the receipts of carriers. */
export function checkConditions(last: readonly CarrierCheck[]): readonly Observation[] {
  return last.flatMap(({ carrierId, country, outcome, detail }): readonly Observation[] => {
    if (outcome === 'waiting' || outcome === 'arrived') return []
    const severity = outcome === 'false receipt' ? 'critical' : 'warning'
    const subject = `${carrierId} in ${country}`
    return [{ kind: 'check_failed', subject, severity, detail: `${outcome}: ${detail ?? 'no detail'}` }]
  })
}

/** Demotions that the gateway decided, and that move messages. */
export function demotionConditions(lasting: readonly Demotion[]): readonly Observation[] {
  return lasting.flatMap(({ kind, user, carrierId, country, operator, reason: detail }): readonly Observation[] => {
    if (kind !== 'demoted' || user !== null) return []
    const subject =
      operator === null ? `${carrierId} in ${country}` : `${carrierId} in ${country}, operator ${operator}`
    return [{ kind: 'carrier_demoted', subject, severity: 'warning', detail }]
  })
}

/** Opt-outs and opt-ins that changed nothing: the recipients may get messages that they do not want. */
export function keywordConditions(lost: readonly LostKeywords[], where: string): readonly Observation[] {
  return lost.map(({ carrierId, count, reason }) => {
    const keywords = `${where}${count} ${count === 1 ? 'keyword' : 'keywords'} without effect`
    const detail = `${keywords}, the last because ${reason}: ${AFTER_LOST_KEYWORD}`
    return { kind: 'keyword_lost', subject: carrierId, severity: 'critical', detail }
  })
}

const AFTER_LOST_KEYWORD = 'find it with posthorn inbound list, then opt the recipient out with posthorn opt-out add'

/** Part of the threshold: below it, a disk is so full that it is critical. */
const CRITICAL_DISK = 0.3

export interface DiskSpace {
  /** Bytes that this process may use. */
  readonly free: number
  readonly total: number
}

/** `minPercent` of the disk should be free. */
export function diskCondition(
  { free, total }: DiskSpace,
  { minPercent, where }: { readonly minPercent: number; readonly where: string },
): readonly Observation[] {
  const share = total === 0 ? 100 : (free * 100) / total
  if (share >= minPercent) return []
  const severity = share < minPercent * CRITICAL_DISK ? 'critical' : 'warning'
  const percent = Math.floor(share)
  return [{ kind: 'disk_full', subject: 'data folder', severity, detail: `${where}${percent} % of the disk are free` }]
}

/**
 * One for each account, however many hooks a client gives; none for hooks that only test messages have stopped. `stops`
 * are the newest first. Of addresses, only a host is shown: clients put secrets into the rest, and choose its words.
 */
export function hookConditions(stops: readonly HookStop[]): readonly Observation[] {
  const byAccount = Map.groupBy(
    stops.filter(({ stopped, test }) => stopped && !test),
    ({ accountId }) => accountId,
  )
  return [...byAccount].map(([accountId, [newest, ...others]]) => {
    const count =
      others.length === 0 ? 'a hook that answered 410 gets' : `${others.length + 1} hooks that answered 410 get`
    const detail = `${count} no reports, last ${hostOf(newest?.address)}: posthorn hook resume`
    return { kind: 'hook_stopped', subject: `account ${accountId}`, severity: 'warning', detail }
  })
}

const HOST = /^https?:[/\\]*(?:[^/\\?#]*@)?([\p{L}\p{N}_.:[\]-]{1,100})(?=[/\\?#]|$)/iu

function hostOf(address = ''): string {
  return `at ${HOST.exec(address)?.[1] ?? 'an unknown host'}`
}

/** An alarm of traffic that an operator has confirmed or lifted needs no attention any more. */
export function trafficConditions(alarms: readonly TrafficAlarm[], now: number): readonly Observation[] {
  return alarms.flatMap((alarm) => {
    const { accountId, kind, prefix, state, seen, usual } = alarm
    if ((state !== 'raised' && state !== 'stopped') || !isInEffect(alarm, now)) return []
    const subject = `${kind} to ${prefix}${accountId === null ? '' : ` of account ${accountId}`}`
    const outcome = state === 'stopped' ? 'stopped' : 'not stopped'
    const detail = `${Math.round(seen)} in five minutes, usually ${Math.round(usual)}; the traffic is ${outcome}`
    return { kind: 'pumping', subject, severity: state === 'stopped' ? 'critical' : 'warning', detail }
  })
}

export function ledgerCondition(discrepancies: readonly string[]): readonly Observation[] {
  const [first] = discrepancies
  if (first === undefined) return []
  const detail = `${discrepancies.length} discrepancies: ${first}`
  return [{ kind: 'ledger_discrepancy', subject: 'ledger', severity: 'critical', detail }]
}

interface Waiting {
  /** Milliseconds: the oldest due time; null if nothing waits. */
  readonly messageDueAt: number | null
  readonly reportDueAt: number | null
}

/**
 * What is due is taken within seconds, unless the gateways do not keep up, or none delivers. `maxSeconds` is how long
 * the oldest may wait.
 */
export function queueConditions(
  { messageDueAt, reportDueAt }: Waiting,
  { now, maxSeconds }: { readonly now: number; readonly maxSeconds: number },
): readonly Observation[] {
  const oldest = [
    ['messages', messageDueAt],
    ['reports', reportDueAt],
  ] as const
  return oldest.flatMap(([subject, dueAt]) => {
    const seconds = dueAt === null ? 0 : Math.floor((now - dueAt) / 1_000)
    if (seconds < maxSeconds) return []
    const detail = `the oldest has been due for ${seconds} s and no gateway takes it`
    return { kind: 'queue_old', subject, severity: 'critical', detail }
  })
}

interface LowBalanceOf {
  readonly accountId: AccountId
  readonly availableMicros: Micros
  readonly thresholdMicros: Micros
  readonly creditLimitMicros: Micros
}

/** `currencyOf` returns null for an account that is not known yet. */
export function balanceConditions(
  low: readonly LowBalanceOf[],
  currencyOf: (accountId: AccountId) => string | null,
): readonly Observation[] {
  return low.map(({ accountId, availableMicros, thresholdMicros, creditLimitMicros }) => {
    const detail = `${writeDecimal(availableMicros)} are available, less than ${writeDecimal(thresholdMicros)}`
    const currency = currencyOf(accountId)
    const micros = toMicros(Math.max(0, availableMicros + creditLimitMicros))
    const effect = currency === null ? null : describeRest({ micros, currency }, creditLimitMicros)
    return { kind: 'balance_low', subject: `account ${accountId}`, severity: 'warning', detail, effect }
  })
}

function describeRest(rest: Amount, creditLimit: Micros): string {
  if (rest.micros === 0) return 'Its messages are refused: nothing is left to spend.'
  const left = writeHeadline(rest)
  return creditLimit === 0
    ? `It can spend ${left}; then its messages are refused.`
    : `With its credit limit it can spend ${left}; then its messages are refused.`
}

export interface CarrierOfBalance {
  readonly id: string
  readonly draining: boolean
  readonly balance: {
    readonly amount: string | null
    readonly currency: string | null
    readonly low: number | null
  } | null
}

/** Without money at a carrier, all its messages stop: critical, so that alarms of accounts cannot take its place. */
export function carrierBalanceConditions(carriers: readonly CarrierOfBalance[]): readonly Observation[] {
  return carriers.flatMap(({ id, draining, balance }): readonly Observation[] => {
    const { amount, currency, low } = balance ?? { amount: null, currency: null, low: null }
    if (draining || amount === null || low === null || Number(amount) >= low) return []
    const detail = `${amount}${currency === null ? '' : ` ${currency}`} are left at the carrier, less than ${low}`
    return [{ kind: 'balance_low', subject: `carrier ${id}`, severity: 'critical', detail }]
  })
}

type DeliveryShare = Pick<StatisticsLine, 'taken' | 'endedOfTaken' | 'deliveredOfTaken' | 'priceMicros' | 'currency'>

export interface ComparedShare {
  readonly subject: string
  readonly recent: DeliveryShare
  /** Null without earlier traffic. */
  readonly past: DeliveryShare | null
}

/** Shares of fewer messages vary by chance. */
const MIN_COUNT = { recent: 100, past: 500 }
/** Part of the earlier share of messages with an end: below it, receipts are missing. */
const MIN_ENDED = 0.5

/** `maxDrop` is in percent of the earlier share. */
export function shareConditions(compared: readonly ComparedShare[], maxDrop: number): readonly Observation[] {
  return compared.flatMap(({ subject, recent, past }) => {
    const detail = past === null ? null : describeFall(recent, past, maxDrop)
    return detail === null
      ? []
      : { kind: 'delivery_share', subject, severity: 'warning', detail, effect: describeCharged(recent) }
  })
}

function describeFall(recent: DeliveryShare, past: DeliveryShare, maxDrop: number): string | null {
  if (recent.taken < MIN_COUNT.recent || past.endedOfTaken < MIN_COUNT.past) return null
  // A carrier that sends no receipts any more leaves its messages under way.
  const [ended, endedBefore] = [recent.endedOfTaken / recent.taken, past.endedOfTaken / past.taken]
  if (ended < endedBefore * MIN_ENDED)
    return `${percentOf(ended)} of ${recent.taken} messages have ended, ${percentOf(endedBefore)} in the week before: receipts are missing`
  const [now, before] = [recent.deliveredOfTaken, past.deliveredOfTaken]
  if (now === null || before === null || recent.endedOfTaken < MIN_COUNT.recent) return null
  if (now >= before * (1 - maxDrop / 100)) return null
  return `${percentOf(now)} of ${recent.endedOfTaken} messages were delivered, ${percentOf(before)} in the week before`
}

/** Null without a price, or in several currencies. */
function describeCharged({ taken, priceMicros, currency }: DeliveryShare): string | null {
  if (priceMicros === null || priceMicros === 0 || currency === null) return null
  const charged = writeHeadline({ micros: toMicros(priceMicros), currency })
  return `Accounts paid ${charged} for these ${taken} messages; fewer reach their recipients, or receipts are missing.`
}

function percentOf(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
