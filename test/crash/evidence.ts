/**
 * What is left when everything has come to its end: what clients know, what the store knows, and what the world saw.
 */
import type { Balances } from '../../src/domain/money/ledger.ts'
import type { Trace } from '../../src/ports/records/trace.ts'
import type { StoreCounts } from '../../src/ports/stores/upkeep-store.ts'
import type { Asking } from './clients.ts'
import type { Installation, TestAccount } from './installation.ts'
import { patiently } from './patiently.ts'
import type { LivedArrival, ReceivedReport, Surroundings } from './surroundings.ts'

const TRACED_AT_ONCE = 50

export interface Evidence {
  readonly askings: readonly Asking[]
  readonly accounts: readonly (TestAccount & { readonly balances: Balances })[]
  /** Of every message in the store, whether a client knows of it or not. */
  readonly traces: readonly Trace[]
  readonly ledgerFaults: readonly string[]
  readonly counts: StoreCounts
  readonly arrivals: readonly LivedArrival[]
  readonly received: readonly ReceivedReport[]
  /** The acknowledged inbound messages, and those that the gateway has. */
  readonly written: readonly string[]
  readonly inbound: readonly string[]
}

/** Waits until nothing is open, every report has arrived, and every READ that a phone sends has been reported. */
export async function untilAllIsDone(
  installation: Installation,
  askings: readonly Asking[],
  { received }: Surroundings,
): Promise<void> {
  const willBeRead = askings.flatMap(({ request, outcome }) =>
    outcome === 'answered' ? request.asked.filter(({ ends, hook }) => hook !== null && ends.includes('READ')) : [],
  )
  await installation.withStore((store) =>
    patiently(async () => {
      const { open, pendingReports } = await store.counts()
      if (open + pendingReports > 0) return `${open} messages are open, ${pendingReports} reports pending`
      const read = new Set(received().flatMap(({ body }) => (body.includes('"status":"READ"') ? [idIn(body)] : [])))
      const missing = willBeRead.filter(({ clientId }) => !read.has(clientId))
      return missing.length === 0 ? null : `messages without a READ: ${missing.map((each) => each.clientId)}`
    }),
  )
}

export async function gather(
  installation: Installation,
  askings: readonly Asking[],
  { received, traffic }: Surroundings,
  written: readonly string[],
): Promise<Evidence> {
  return installation.withStore(async (store) => {
    const traces: Trace[] = []
    const ids = await installation.messageIds()
    for (let first = 0; first < ids.length; first += TRACED_AT_ONCE) {
      const traced = await Promise.all(ids.slice(first, first + TRACED_AT_ONCE).map((id) => store.trace(id)))
      traces.push(...traced.filter((trace) => trace !== null))
    }
    const accounts = await Promise.all(
      installation.accounts.map(async (account) => {
        const balances = await store.balancesOf(account.id)
        if (balances === null) throw new Error(`account ${account.name} has no balances`)
        return { ...account, balances }
      }),
    )
    const [ledgerFaults, counts] = [await store.verifyLedger(), await store.counts()]
    const inbound = (await store.inboundMessages(2 * written.length)).map(({ text }) => text)
    const world = { arrivals: traffic.lived, received: received(), written, inbound }
    return { askings, accounts, traces, ledgerFaults, counts, ...world }
  })
}

function idIn(body: string): number {
  return (JSON.parse(body) as { id: number }).id
}
