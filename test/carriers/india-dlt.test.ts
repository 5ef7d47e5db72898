/**
 * Follows docs/guides/india-dlt.md: its settings and commands, and the messages that it describes, over a socket to an
 * SMSC of the npm package smpp.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PDU } from 'smpp'
import { afterEach, expect, test } from 'vitest'
import { splitText } from '../../src/domain/text/text-parts.ts'
import { CommandLine, splitWords } from '../support/command-line.ts'
import { settled } from '../support/eventually.ts'
import { SmppBench, smsSubmission } from '../support/smpp-bench.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/guides/india-dlt.md'), 'utf8')
const JSON_TEXT = /```json\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? ''
const COMMANDS = (/```sh\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? '').trim().split('\n')
const ROWS = [...PAGE.matchAll(/^\| `(.+?)` \| (.*) \|$/gm)].map(([, text = '', rest = '']) => {
  return { text, cells: rest.split(' | ').map((cell) => cell.replaceAll('`', '').trim()) }
})
const TAGS = [0x1400, 0x1401, 0x1402]

const bench = new SmppBench()

afterEach(() => bench.close())

test('its commands set the carrier up', async () => {
  const line = new CommandLine()
  writeFileSync(line.path('bharat.json'), JSON_TEXT)
  try {
    await line.ask(['account', 'create', '--name', 'Shop'])
    for (const command of COMMANDS) {
      await line.ask(splitWords(command.replace('bharat.json', line.path('bharat.json'))).slice(1))
    }
    const { carriers, routes } = await line.directory()
    expect(carriers).toMatchObject([{ id: 'bharat', kind: 'smpp', settings: JSON.parse(JSON_TEXT) }])
    expect(routes).toMatchObject([{ channel: 'sms', prefix: '91', carrierId: 'bharat' }])
  } finally {
    line.close()
  }
})

test('every part of a text carries the ids that the page describes', async () => {
  const submits: PDU[] = []
  const { host: _, port: __, ...settings } = JSON.parse(JSON_TEXT)
  const { carrier, clock } = await bench.startNpmSmpp((session, pdu) => {
    submits.push(pdu)
    session.send(pdu.response({ message_id: String(submits.length) }))
  }, settings)
  expect(ROWS).toHaveLength(4)
  for (const { text, cells } of [...ROWS, longer(ROWS[0])]) {
    submits.length = 0
    const parts = splitText(text).parts.map((_, index) => index)
    const submission = smsSubmission(text, '919876543210', { sender: 'EXMPLE', parts })
    const verdicts = await settled('the verdicts', carrier.submit(submission), clock)
    const refused = cells[0] === 'refused'
    expect(verdicts.map(({ kind }) => kind)).toEqual(parts.map(() => (refused ? 'refused' : 'taken')))
    expect(submits.map(idsOf)).toEqual(refused ? [] : parts.map(() => cells.map((cell) => `${cell}\0`)))
  }
})

test('ids of a registration are written, and a parameter without its id is left out', async () => {
  const submits: PDU[] = []
  const tlvs = [
    { tag: '0x1400', value: '{registration.entity}\0' },
    { tag: '0x1401', value: '{registration.template}\0' },
    { tag: '0x1402', value: '{registration.entity},{messageId}\0' },
  ]
  const { carrier, clock } = await bench.startNpmSmpp(
    (session, pdu) => {
      submits.push(pdu)
      session.send(pdu.response({ message_id: '1' }))
    },
    { tlvs },
  )
  const submission = smsSubmission('Hi', '919876543210', { registration: { entity: '1101' } })
  await settled('the verdict', carrier.submit(submission), clock)
  expect(submits.map(idsOf)).toEqual([['1101\0', 'undefined', `1101,${submission.messageId}\0`]])
})

/** The first text of the page with a value that makes it two parts long. */
function longer(row: (typeof ROWS)[number] | undefined): (typeof ROWS)[number] {
  const text = row?.text.replace('signing in', 'signing in '.repeat(20).trim()) ?? ''
  expect(splitText(text).parts).toHaveLength(2)
  return { text, cells: row?.cells ?? [] }
}

/** The package returns unknown parameters as bytes, by their tags in decimal. */
function idsOf(pdu: PDU): readonly string[] {
  return TAGS.map((tag) => String(pdu[String(tag)]))
}
