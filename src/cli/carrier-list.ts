/** `posthorn carrier list`: the carriers and their routes, without their settings, which hold secrets. */
import type { Command } from 'commander'
import type { Route } from '../domain/route.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import type { Terminal } from './terminal.ts'
import { writeTable } from './text-table.ts'

export function carrierListCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'list',
    summary: 'list the carriers and their routes; settings are never shown',
    examples: ['posthorn carrier list'],
    settings: INSTALLATION,
  })
  return answerBy(command, terminal, async (_options, config) => {
    const rows = await withToolStore(config, (store) => store.loadDirectory())
    const carriers = rows.carriers.map(({ id, kind, channel }) => ({
      carrierId: id,
      kind,
      channel,
      routes: rows.routes
        .filter((route) => route.carrierId === id)
        .map(({ prefix, operators, priority, poolId }) => ({ prefix, operators, priority, poolId })),
    }))
    return {
      json: { carriers },
      text: writeTable(
        ['carrier', 'kind', 'channel', 'routes'],
        carriers.map((each) => [
          each.carrierId,
          each.kind,
          each.channel,
          each.routes.map(writeRoute).join('; ') || 'none',
        ]),
      ),
    }
  })
}

function writeRoute({ prefix, operators, priority, poolId }: Omit<Route, 'channel' | 'carrierId'>): string {
  const numbers = prefix === '' ? 'every number' : `${prefix}…`
  const only = operators === null ? '' : ` of ${operators.join(', ')}`
  return `${numbers}${only}, priority ${priority}${poolId === null ? '' : `, pool ${poolId}`}`
}
