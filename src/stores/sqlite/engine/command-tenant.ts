/** Returns the tenant of a command: tenants take turns (command-queue.ts). */
import { BY_OPERATORS, GATEWAY, INBOUND, SHORT_LINKS } from '../../rows/queues/command-queue.ts'
import type { EngineCommand, Verb } from './engine.ts'

/** The gateway's own work; its writes about a message stay in order. */
const OWN_WORK: ReadonlySet<Verb> = new Set<Verb>([
  ...([
    'record',
    'matchReceipts',
    'findAddresses',
    'settleReports',
    'oldParts',
    'claimDue',
    'claimReports',
    'claimReportsOf',
    'waitingHooks',
  ] as const),
  ...(['release', 'enqueue', 'loadMessages', 'findOptOuts', 'reserveIds', 'directoryRevision'] as const),
  ...([
    'noteKeyUses',
    'countQuality',
    'rememberUsers',
    'findUsers',
    'countTraffic',
    'dueBulks',
    'readBulkLines',
  ] as const),
  ...(['blockedQueues', 'unblock'] as const),
])

export function commandTenant(command: EngineCommand): number {
  switch (command[0]) {
    case 'accept':
    case 'readEvents':
    case 'acknowledgeEvents':
    case 'keepPart':
    case 'endParts':
    case 'nameMessages':
    case 'findNamed':
    case 'replayReports':
    case 'bulk':
      return command[1].accountId
    case 'recall':
    case 'findMessages':
    case 'tallyReports':
    case 'repliesTo':
    case 'tallyHooks':
    case 'balancesOf':
    case 'usageIn':
    case 'findBulk':
      return command[1]
    case 'inboundOf':
      return command[1].accountId
    case 'hookWaits':
      return command[1] ?? BY_OPERATORS
    case 'sumUpCounts':
    case 'totalPlaces':
    case 'sliceTotals':
    case 'openMessages':
    case 'listBulks':
      return command[1].accountId ?? BY_OPERATORS
    case 'recordInbound':
    case 'inboundMessages':
      return INBOUND
    case 'findLinks':
    case 'countClicks':
      return SHORT_LINKS
    default:
      return OWN_WORK.has(command[0]) ? GATEWAY : BY_OPERATORS
  }
}
