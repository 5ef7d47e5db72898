/** The reading methods of the port that both stores execute as they stand here. */
import type { AccountId } from '../../domain/ids/account-id.ts'
import { bulkErrors, bulksWithLines, findBulk, listBulks, readBulkLines } from './bulk/bulk-rows.ts'
import { inboundMessages, inboundOf, keptInboundKeys, pendingReplies } from './inbound/read-inbound.ts'
import { findRequest } from './installation/admin-requests.ts'
import { findConditions, loadAlarms } from './installation/alarms.ts'
import { loadCarrierTimes } from './installation/carrier-times.ts'
import { directoryRevision, loadHooks } from './installation/revisions.ts'
import { readSealingKey } from './installation/sealing-key.ts'
import { balancesOf, holds } from './money/balances.ts'
import { findNamed, oldParts } from './parts/long-messages.ts'
import { reportsOf } from './reading/traces.ts'
import { readEvents } from './reports/event-feed.ts'
import { countReports } from './reports/resend-reports.ts'
import { stoppedHooks } from './reports/stopped-hooks.ts'
import { tallyHooks } from './reports/tally-hooks.ts'
import type { Command } from './statement/command.ts'
import { callTotals } from './statistics/call-totals.ts'
import { counts } from './statistics/count.ts'
import { findShortLinks, linkTotals } from './statistics/links.ts'
import { demotions, qualityRows } from './statistics/quality.ts'

export interface Reading<Args extends readonly unknown[], Answer> {
  readonly command: (...args: Args) => Command<Answer>
  /** The approximate amount of work in rows. */
  readonly size: (...args: Args) => number
  /** What is read after all that was requested before, or after the requests of an account; null for all. */
  readonly behind: 'nothing' | 'all' | ((...args: Args) => AccountId | null)
}

/** Reads what an earlier command of any caller wrote, even if it is not answered yet. */
const BEHIND = { behind: 'all' } as const

export const READS = {
  findBulk: reading(findBulk, { behind: (accountId) => accountId }),
  listBulks: reading(listBulks, { size: ({ limit }) => limit, behind: ({ accountId }) => accountId }),
  bulkErrors: reading(bulkErrors, { size: ({ limit }) => limit }),
  bulksWithLines: reading(bulksWithLines, BEHIND),
  readBulkLines: reading(readBulkLines),
  readEvents: reading(readEvents, { size: ({ limit }) => limit }),
  stoppedHooks: reading(stoppedHooks),
  tallyHooks: reading(tallyHooks, { behind: (accountId) => accountId }),
  countReports: reading(countReports, BEHIND),
  reportsOf: reading(reportsOf, BEHIND),
  inboundMessages: reading(inboundMessages, { ...BEHIND, size: (most) => most }),
  keptInboundKeys: reading(keptInboundKeys, { ...BEHIND, size: ({ length }) => length }),
  inboundOf: reading(inboundOf, { size: ({ limit }) => limit }),
  pendingReplies: reading(pendingReplies, { size: ({ limit }) => limit }),
  oldParts: reading(oldParts),
  findNamed: reading(findNamed, { behind: ({ accountId }) => accountId }),
  findLinks: reading(findShortLinks, { size: ({ length }) => length }),
  linkTotals: reading(linkTotals, { ...BEHIND, size: ({ limit }) => limit }),
  callTotals: reading(callTotals, BEHIND),
  qualityRows: reading(qualityRows, BEHIND),
  demotions: reading(demotions, { ...BEHIND, size: ({ limit }) => limit }),
  counts: reading(counts, BEHIND),
  holds: reading(holds, BEHIND),
  balancesOf: reading(balancesOf, { behind: (accountId) => accountId }),
  sealingKey: reading(readSealingKey, BEHIND),
  alarms: reading(loadAlarms, BEHIND),
  findConditions: reading(findConditions),
  carrierTimes: reading(loadCarrierTimes),
  loadHooks: reading(loadHooks),
  directoryRevision: reading(directoryRevision),
  findRequest: reading(findRequest, BEHIND),
} as const

export type ReadName = keyof typeof READS
export const READ_NAMES = Object.keys(READS) as readonly ReadName[]

function reading<Args extends readonly unknown[], Answer>(
  command: (...args: Args) => Command<Answer>,
  { size = () => 1, behind = 'nothing' }: Partial<Omit<Reading<Args, Answer>, 'command'>> = {},
): Reading<Args, Answer> {
  return { command, size, behind }
}

/** The methods of the port for these commands. */
export abstract class StoreReads {
  readonly findBulk = this.reads('findBulk', READS.findBulk)
  readonly listBulks = this.reads('listBulks', READS.listBulks)
  readonly bulkErrors = this.reads('bulkErrors', READS.bulkErrors)
  readonly bulksWithLines = this.reads('bulksWithLines', READS.bulksWithLines)
  readonly readBulkLines = this.reads('readBulkLines', READS.readBulkLines)
  readonly readEvents = this.reads('readEvents', READS.readEvents)
  readonly stoppedHooks = this.reads('stoppedHooks', READS.stoppedHooks)
  readonly tallyHooks = this.reads('tallyHooks', READS.tallyHooks)
  readonly countReports = this.reads('countReports', READS.countReports)
  readonly reportsOf = this.reads('reportsOf', READS.reportsOf)
  readonly inboundMessages = this.reads('inboundMessages', READS.inboundMessages)
  readonly keptInboundKeys = this.reads('keptInboundKeys', READS.keptInboundKeys)
  readonly inboundOf = this.reads('inboundOf', READS.inboundOf)
  readonly pendingReplies = this.reads('pendingReplies', READS.pendingReplies)
  readonly oldParts = this.reads('oldParts', READS.oldParts)
  readonly findNamed = this.reads('findNamed', READS.findNamed)
  readonly findLinks = this.reads('findLinks', READS.findLinks)
  readonly linkTotals = this.reads('linkTotals', READS.linkTotals)
  readonly callTotals = this.reads('callTotals', READS.callTotals)
  readonly qualityRows = this.reads('qualityRows', READS.qualityRows)
  readonly demotions = this.reads('demotions', READS.demotions)
  readonly counts = this.reads('counts', READS.counts)
  readonly holds = this.reads('holds', READS.holds)
  readonly balancesOf = this.reads('balancesOf', READS.balancesOf)
  readonly sealingKey = this.reads('sealingKey', READS.sealingKey)
  readonly alarms = this.reads('alarms', READS.alarms)
  readonly carrierTimes = this.reads('carrierTimes', READS.carrierTimes)
  readonly findConditions = this.reads('findConditions', READS.findConditions)
  readonly loadHooks = this.reads('loadHooks', READS.loadHooks)
  readonly directoryRevision = this.reads('directoryRevision', READS.directoryRevision)
  readonly findRequest = this.reads('findRequest', READS.findRequest)

  protected abstract reads<Args extends readonly unknown[], Answer>(
    name: ReadName,
    reading: Reading<Args, Answer>,
  ): (...args: Args) => Promise<Answer>
}
