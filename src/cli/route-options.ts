/** The options that describe the route of a new carrier: those of `route add`. */
import type { Command } from 'commander'
import Type from 'typebox'
import { ROUTE_TERMS } from '../operations/admin/endpoints/route-terms.ts'
import { addOptions, pick } from './endpoint-command.ts'

const TERMS = Type.Object(ROUTE_TERMS)

export function addRouteOptions(command: Command): Command {
  addOptions(command, TERMS)
  return command
}

export function readRoute(options: object): { readonly prefix?: string } {
  return pick(TERMS, options as Readonly<Record<string, unknown>>)
}
