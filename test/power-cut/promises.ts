/**
 * Opens a store on what a power cut has left, and returns the promises of docs/operations/crash-safety.md that it
 * breaks.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Balances } from '../../src/domain/money/ledger.ts'
import { type Micros, toMicros } from '../../src/domain/money/money.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { recorded } from '../conformance/store/store-story.ts'
import { BEGINNING } from '../support/build-message.ts'
import {
  ACCOUNT,
  countersOf,
  type Fact,
  isSettled,
  messageOf,
  openStore,
  REQUESTS,
  requestOf,
  settlementOf,
  TOP_UP,
  turnsOf,
} from './load.ts'

const LATER = BEGINNING + 60_000
const ALL_REQUESTS = Array.from({ length: REQUESTS }, (_, request) => request)
const ALL_COUNTERS = ALL_REQUESTS.flatMap(countersOf)

/** `facts` are what was acknowledged before the cut. Empty when every promise is kept. */
export async function brokenPromises(folder: string, facts: readonly Fact[]): Promise<readonly string[]> {
  let store: Store | null = null
  try {
    store = openStore(folder)
    const ledger = await store.verifyLedger()
    if (facts.length === 0) return ledger
    const lost = await findLost(store, facts)
    const torn = await findTorn(store)
    if (lost.length > 0) return [...lost, ...torn, ...ledger]
    return [...torn, ...ledger, ...(await carryOn(store))]
  } catch (error) {
    return [`the store fails: ${error instanceof Error ? error.message : error}`]
  } finally {
    await store?.close()
  }
}

async function findLost(store: Store, facts: readonly Fact[]): Promise<readonly string[]> {
  const next = await store.reserveIds(1)
  const areThere = await Promise.all(facts.map((fact) => isThere(store, fact, next)))
  return facts.filter((_, index) => !areThere[index]).map((fact) => `lost: ${JSON.stringify(fact)}`)
}

async function isThere(store: Store, fact: Fact, nextCounter: number): Promise<boolean> {
  switch (fact.kind) {
    case 'set up':
      return (await store.balancesOf(ACCOUNT)) !== null
    case 'accepted': {
      const { idempotency } = requestOf(fact.request)
      const recalled = idempotency && (await store.recall(ACCOUNT, idempotency, BEGINNING))
      return recalled?.kind === 'replayed' && recalled.outcomes.length === countersOf(fact.request).length
    }
    case 'recorded':
      return (await versionOf(store, fact.counter)) >= fact.version
    case 'settled': {
      const { reports = [] } = (await store.trace(messageOf(fact.counter).id)) ?? {}
      return reports.length === 1 && reports[0]?.state === 'sent'
    }
    case 'reserved':
      return nextCounter > fact.counter
  }
}

/** -1 when the message is not there. */
async function versionOf(store: Store, counter: number): Promise<number> {
  const [message] = await store.loadMessages([messageOf(counter).id])
  return message?.journey.version ?? -1
}

/** A request is there whole or not at all, and a message as one of its turns has left it. */
async function findTorn(store: Store): Promise<readonly string[]> {
  const messages = await store.loadMessages(ALL_COUNTERS.map((counter) => messageOf(counter).id))
  const byId = new Map(messages.map((message) => [message.id, message]))
  const isMissing = (counter: number) => !byId.has(messageOf(counter).id)
  const requests = ALL_REQUESTS.filter((request) => new Set(countersOf(request).map(isMissing)).size > 1)
  const counters = ALL_COUNTERS.filter((counter) => {
    const message = byId.get(messageOf(counter).id)
    const states = [messageOf(counter), ...turnsOf(counter).map((turn) => turn.message)]
    return message !== undefined && !isDeepStrictEqual(message.journey, states[message.journey.version]?.journey)
  })
  return [...requests.map((request) => `torn: request ${request}`), ...counters.map((each) => `torn: message ${each}`)]
}

/** Clients repeat every request, and delivery goes on from where it was: in the end each thing has happened once. */
async function carryOn(store: Store): Promise<readonly string[]> {
  const wrong: string[] = []
  const outcomes = await Promise.all(ALL_REQUESTS.map((request) => store.accept(requestOf(request))))
  for (const [request, { kind }] of outcomes.entries()) {
    if (kind === 'conflict') wrong.push(`request ${request} conflicts with itself`)
  }
  await Promise.all(ALL_COUNTERS.map((counter) => finish(store, counter)))
  const { reports } = await store.claimReports({ now: LATER, limit: 1_000 })
  const due = reports.map(({ messageId }) => messageId).toSorted((a, b) => a - b)
  const waiting = ALL_COUNTERS.filter((counter) => reportsOf(counter) > 0 && !isSettled(counter))
  const expectedDue = waiting.map((counter) => messageOf(counter).id)
  if (!isDeepStrictEqual(due, expectedDue)) wrong.push(`reports to be sent: ${due}, expected: ${expectedDue}`)
  const balances = await store.balancesOf(ACCOUNT)
  const expectedBalances = finalBalances()
  if (!isDeepStrictEqual({ ...balances }, expectedBalances)) wrong.push(`balances: ${JSON.stringify(balances)}`)
  return [...wrong, ...(await store.verifyLedger())]
}

async function finish(store: Store, counter: number): Promise<void> {
  const version = await versionOf(store, counter)
  for (const turn of turnsOf(counter).slice(version)) await store.record([recorded(turn, { reportsHeld: false })])
  if (isSettled(counter)) await store.settleReports([settlementOf(counter)])
}

function reportsOf(counter: number): number {
  return turnsOf(counter).reduce((sum, turn) => sum + turn.reports.length, 0)
}

function finalBalances(): Balances {
  const journeys = ALL_COUNTERS.map((counter) => (turnsOf(counter).at(-1)?.message ?? messageOf(counter)).journey)
  const held = sumMicros(journeys.map((journey) => journey.heldMicros))
  const earned = sumMicros(journeys.map((journey) => journey.chargedMicros))
  return { paid: toMicros(-TOP_UP), available: toMicros(TOP_UP - held - earned), held, earned }
}

function sumMicros(amounts: readonly Micros[]): Micros {
  return toMicros(amounts.reduce((sum, amount) => sum + amount, 0))
}
