/** The options that describe a route, shared by the commands that make one. */
import { type Command, Option } from 'commander'
import type { RouteWish } from '../operations/admin/add-route.ts'
import { readList, readNatural } from './option-readers.ts'

export interface RouteOptions {
  readonly prefix: string
  readonly operators?: readonly string[]
  readonly priority: number
  readonly pool?: string
}

export function addRouteOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--prefix <digits>', 'numbers that begin so; the longest prefix wins').default('', 'every number'),
    )
    .option('--operators <list>', 'only these mobile operators, MCC and MNC, separated by commas', readList)
    .option('--priority <number>', 'among routes of one prefix the lowest is taken', readNatural, 100)
    .option('--pool <id>', 'for calls: the numbers to call from')
}

export function readRoute(options: RouteOptions): Omit<RouteWish, 'carrierId'> {
  const { prefix, operators, priority, pool } = options
  return { prefix, operators: operators ?? null, priority, poolId: pool ?? null }
}
