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
    summary: 'list the carriers and their routes; settings are never shown. How a running gateway sees them: /carriers',
    examples: ['posthorn carrier list'],
    settings: INSTALLATION,
  })
  return answerBy(command, terminal, async (_options, config) => {
    const rows = await withToolStore(config, (store) => store.loadDirectory())
    const carriers = rows.carriers.map(({ id, kind, channel, draining }) => ({
      carrierId: id,
      kind,
      channel,
      draining,
      routes: rows.routes
        .filter((route) => route.carrierId === id)
        .map(({ channel: _, carrierId: __, ...route }) => route),
    }))
    return {
      json: { carriers },
      text: writeTable(
        ['carrier', 'kind', 'channel', 'state', 'routes'],
        carriers.map((each) => [
          each.carrierId,
          each.kind,
          each.channel,
          each.draining ? 'draining' : 'in use',
          each.routes.map(writeRoute).join('; ') || 'none',
        ]),
      ),
    }
  })
}

function writeRoute(route: Omit<Route, 'channel' | 'carrierId'>): string {
  const { prefix, operators, priority, weight, accountId, sender, poolId, ringSeconds } = route
  const numbers = prefix === '' ? 'every number' : `${prefix}…`
  const only = operators === null ? '' : ` of ${operators.join(', ')}`
  const whose = accountId === null ? '' : ` for account ${accountId}`
  const name = sender === null ? '' : ` as ${sender}`
  const share = weight === 1 ? '' : `, weight ${weight}`
  const pool = poolId === null ? '' : `, pool ${poolId}`
  const ring = ringSeconds === undefined ? '' : `, rings ${ringSeconds} s`
  return `${numbers}${only}${whose}${name}, priority ${priority}${share}${pool}${ring}`
}
