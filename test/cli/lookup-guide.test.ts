/** Follows docs/guides/lookup.md: its settings and its commands set up a lookup service. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CommandLine } from '../support/command-line.ts'

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/guides/lookup.md'), 'utf8')
const SETTINGS = /write `numbers\.json`:\n\n```json\n([\s\S]*?)```/.exec(GUIDE)?.[1] ?? ''
const COMMANDS = [...GUIDE.matchAll(/^posthorn .*$/gm)].map(([line]) => line)
const words = (command: string) => command.split(' ').slice(1)

test('its commands add the carrier with its route, its price and its cost', async () => {
  const line = new CommandLine()
  writeFileSync(line.path('numbers.json'), SETTINGS)
  try {
    expect(COMMANDS).toHaveLength(6)
    const [add = '', price = '', cost = '', lookUp = '', account = '', set = ''] = COMMANDS
    await line.ask(['account', 'create', '--name', 'Shop', '--currency', 'EUR'])
    await line.ask(words(add.replace('numbers.json', line.path('numbers.json'))))
    for (const command of [price, cost, account, set]) await line.ask(words(command))
    const store = await line.openStore('tool')
    const { carriers, routes, prices, costs, accounts } = await store.loadDirectory()
    await store.close()
    expect(carriers).toMatchObject([
      { id: 'numbers', kind: 'lookup', channel: 'lookup', settings: { ...JSON.parse(SETTINGS), window: 100 } },
    ])
    expect(routes).toMatchObject([{ channel: 'lookup', prefix: '49', carrierId: 'numbers' }])
    expect(prices).toMatchObject([{ channel: 'lookup', priceMicros: 4_000 }])
    expect(costs).toMatchObject([{ carrierId: 'numbers', priceMicros: 2_000 }])
    expect(accounts).toMatchObject([{ settings: { lookUpNumbers: true } }])
    // It needs a running gateway.
    expect(await line.run(words(lookUp))).toMatchObject({ exitCode: 1, err: expect.stringContaining('--server') })
  } finally {
    line.close()
  }
})
