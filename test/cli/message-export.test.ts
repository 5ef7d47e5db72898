/** `posthorn message export` prints one line for each message, page by page, for accounting. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { BEGINNING, buildMessage, buildPlan } from '../support/build-message.ts'
import { CommandLine } from '../support/command-line.ts'
import { walkMessage } from '../support/walk-message.ts'

const HEAD =
  'message,account,id,accepted_at,ended_at,phone,operator,channel,sender,carrier,status,detail,parts,price,currency,test'

let line: CommandLine
beforeEach(async () => {
  line = new CommandLine()
  await line.ask(['account', 'create', '--name', 'Shop'])
  await line.ask(['account', 'top-up', '--account', '1', '--amount', '1'])
})
afterEach(() => line.close())

async function sendThree(): Promise<void> {
  const store = await line.openStore('gateway')
  const ids = [129, 193, 257] as MessageId[]
  for (const [index, id] of ids.entries()) {
    const clientId = ['"=2+3"', '42', null][index] ?? null
    const refused = { kind: 'refused', status: 'UNDELIVERABLE', reason: 'no such phone', part: 0 } as const
    const answered = { kind: 'answered', step: 0, carrierId: 'acme', anotherLeft: false, jitter: 0 } as const
    await walkMessage(store, buildMessage({ id, plan: buildPlan('sms'), clientId }), [
      { ...answered, at: BEGINNING + 1_000, verdicts: [refused] },
    ])
  }
  await store.close()
}

test('the lines of all pages follow one another, the highest msg_id first', async () => {
  await line.ask(['account', 'top-up', '--account', '1', '--amount', '100'])
  const store = await line.openStore('gateway')
  const ids = Array.from({ length: 1_001 }, (_, index) => (65 + 64 * index) as MessageId)
  const items = ids.map((id) => {
    const message = buildMessage({ id, plan: buildPlan('sms') })
    return { kind: 'message', message, waits: false, links: [], uniqueId: false } as const
  })
  await store.accept({ accountId: toAccountId(1), now: BEGINNING, idempotency: null, items })
  await store.close()
  const lines = (await line.run(['message', 'export'])).out.trimEnd().split('\n').slice(1)
  expect(lines.map((each) => Number(each.split(',')[0]))).toEqual(ids.toReversed())
})

test('all messages are exported, so no page can be asked for', async () => {
  for (const option of ['--most', '--after']) {
    expect(await line.run(['message', 'export', option, '2'])).toMatchObject({ exitCode: 2, err: /unknown option/ })
  }
})

test('each line has the facts of its message', async () => {
  await sendThree()
  const { out } = await line.run(['message', 'export'])
  const [head, ...lines] = out.trimEnd().split('\n')
  expect(head).toBe(HEAD)
  expect(lines.map((each) => each.split(',')[0])).toEqual(['257', '193', '129'])
  expect(lines[1]).toBe(
    '193,1,42,2026-01-01T00:00:00.000Z,2026-01-01T00:00:01.000Z,4915112345678,26201,sms,Posthorn,acme,UNDELIVERABLE,' +
      'no such phone,1,0,EUR,false',
  )
})

test('a text that a spreadsheet would execute is quoted', async () => {
  await sendThree()
  const { out } = await line.run(['message', 'export', '--id', '=2+3'])
  expect(out).toMatch(/\n129,1,'=2\+3,/)
})

test('JSON lines have the exact values', async () => {
  await sendThree()
  const { out } = await line.run(['message', 'export', '--json'])
  const records = out.trimEnd().split('\n')
  expect(records.map((each) => JSON.parse(each).id)).toEqual([null, '42', '=2+3'])
  expect(JSON.parse(records[0] ?? '')).toMatchObject({ message: 257, status: 'UNDELIVERABLE', price: 0, test: false })
})

test('without messages there are only the headings', async () => {
  expect((await line.run(['message', 'export'])).out).toBe(`${HEAD}\n`)
  expect((await line.run(['message', 'export', '--json'])).out).toBe('')
})

test('an unknown account is refused', async () => {
  expect(await line.run(['message', 'export', '--account', '9'])).toMatchObject({ exitCode: 1, err: /account 9/ })
})
