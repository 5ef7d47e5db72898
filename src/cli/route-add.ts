/** `posthorn route add`: leads numbers to a carrier. */
import type { Command } from 'commander'
import { addRoute } from '../operations/admin/add-route.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import { addRouteOptions, type RouteOptions, readRoute } from './route-options.ts'
import type { Terminal } from './terminal.ts'

interface Options extends RouteOptions {
  readonly carrier: string
}

export function routeAddCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'add',
    summary: 'lead numbers to a carrier; replaces its route of the same prefix',
    examples: [
      'posthorn route add --carrier acme --prefix 49',
      'posthorn route add --carrier voice --prefix 49 --operators 26201,26202 --pool berlin',
    ],
    settings: INSTALLATION,
  }).requiredOption('--carrier <id>', 'the carrier')
  return answerBy<Options>(addRouteOptions(command), terminal, async (options, config) => {
    const wish = { ...readRoute(options), carrierId: options.carrier }
    const route = await withToolStore(config, (store) => addRoute(store, wish))
    const numbers = route.prefix === '' ? 'every number' : `numbers that begin with ${route.prefix}`
    return { json: route, text: `${route.channel} to ${numbers} may go to ${route.carrierId}.` }
  })
}
