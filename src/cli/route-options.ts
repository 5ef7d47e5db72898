/** The options that describe a route, shared by the commands that make one. */
import { type Command, Option } from 'commander'
import type { AccountId } from '../domain/account.ts'
import type { RouteWish } from '../operations/admin/add-route.ts'
import { readAccountId, readList, readNatural, readSeconds, readWhole } from './option-readers.ts'

export interface RouteOptions {
  readonly prefix: string
  readonly operators?: readonly string[]
  readonly priority: number
  readonly weight: number
  readonly account?: AccountId
  readonly sender?: string
  readonly pool?: string
  readonly ringSeconds?: number
}

export function addRouteOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--prefix <digits>', 'numbers that begin so; the longest prefix wins').default('', 'every number'),
    )
    .option('--operators <list>', 'only these mobile operators, MCC and MNC, separated by commas', readList)
    .option('--priority <number>', 'among routes that are as specific the lowest is tried first', readNatural, 100)
    .option('--weight <number>', 'its share among routes of one priority and cost', readWhole, 1)
    .option('--account <id>', 'only messages of this account', readAccountId)
    .option('--sender <name>', 'only messages under this sender name')
    .option('--pool <id>', 'for calls: the numbers to call from')
    .option('--ring-seconds <seconds>', 'for calls: how long the phone rings; else as the carrier is set', readSeconds)
}

export function readRoute(options: RouteOptions): Omit<RouteWish, 'carrierId'> {
  const { prefix, operators = null, priority, weight, account = null, sender = null, pool = null } = options
  const ring = options.ringSeconds === undefined ? {} : { ringSeconds: options.ringSeconds }
  return { prefix, operators, priority, weight, accountId: account, sender, poolId: pool, ...ring }
}
