/** The options of the route of a new carrier: those of `route add`. */
import type { Command } from 'commander'
import { ROUTE_OF_CARRIER } from '../../operations/admin/carriers/carrier.ts'
import { addOptions, pick } from '../store/endpoint-command.ts'

export function addRouteOptions(command: Command): Command {
  addOptions(command, ROUTE_OF_CARRIER)
  return command
}

export function readRoute(options: object): { readonly prefix?: string } {
  return pick(ROUTE_OF_CARRIER, options as Readonly<Record<string, unknown>>)
}
