/** Follows docs/guides/adding-a-carrier.md: its JSON and commands, and then the conformance suite of carriers. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeCarrier } from '../conformance/carrier.ts'
import { CommandLine } from '../support/command-line.ts'
import { buildAggregatorBench } from '../support/http-benches.ts'

const EXAMPLE =
  readFileSync(join(import.meta.dirname, '../../docs/guides/adding-a-carrier.md'), 'utf8').split('## 2.')[0] ?? ''

const JSON_TEXT = /```json\n([\s\S]*?)```/.exec(EXAMPLE)?.[1] ?? ''

const COMMANDS = [...EXAMPLE.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, lines = '']) => lines.trim().split('\n'))

const written = () =>
  JSON.parse(
    JSON_TEXT.replace('https://api.parrot.example', 'PARROT')
      .replace('YOUR-API-KEY', 'KEY')
      .replace('YOUR-WEBHOOK-SECRET', 'SECRET'),
  )

test('its commands set the carrier up, with a route for its numbers', async () => {
  const line = new CommandLine()
  writeFileSync(line.path('parrot.json'), JSON_TEXT)
  try {
    expect(COMMANDS).toHaveLength(3)
    const [add = '', list = ''] = COMMANDS
    await line.ask(['account', 'create', '--name', 'Shop'])
    await line.ask(words(add.replace('parrot.json', line.path('parrot.json'))))
    expect(JSON.stringify(await line.ask(words(list)))).toContain('parrot')
    const store = await line.openStore('tool')
    const { carriers, routes } = await store.loadDirectory()
    await store.close()
    expect(carriers).toMatchObject([{ id: 'parrot', kind: 'http', channel: 'sms', settings: JSON.parse(JSON_TEXT) }])
    expect(routes).toMatchObject([{ channel: 'sms', prefix: '49', carrierId: 'parrot' }])
  } finally {
    line.close()
  }
})

const words = (command: string) => command.split(' ').slice(1)

describeCarrier('the aggregator of the example, for a chat app,', () => buildAggregatorBench('chatapp', written()))

// The suite counts the parts that arrive, whether the gateway or the carrier splits the text.
describeCarrier('the aggregator of the example, for SMS in parts,', () =>
  buildAggregatorBench('sms', { ...written(), longText: 'parts' }),
)
