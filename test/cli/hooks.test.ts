/** A hook that answered 410 is shown with its account, and reports go there again once it is resumed. */
import { expect, test } from 'vitest'
import { BEGINNING, buildMessage } from '../support/build-message.ts'
import { CommandLine } from '../support/command-line.ts'
import { walkMessage } from '../support/walk-message.ts'

test('a stopped hook is listed, resumed, and cannot be resumed twice', async () => {
  const line = new CommandLine()
  await line.ask(['account', 'create', '--name', 'Shop'])
  await line.ask(['account', 'top-up', '--account', '1', '--amount', '1'])
  const message = buildMessage()
  const address = message.hook ?? ''
  const store = await line.openStore('gateway')
  await walkMessage(store, message, [{ kind: 'unroutable', at: BEGINNING + 1, step: 0, reason: 'no carrier' }])
  const gone = { messageId: message.id, number: 0, at: BEGINNING + 2, dueAt: null, held: false, detail: 'answered 410' }
  await store.settleReports([{ ...gone, kind: 'gone' }])
  await store.close()

  expect(await line.ask(['account', 'show', '--account', '1'])).toMatchObject({ stopped_hooks: [address] })
  const { out: resent } = await line.run(['report', 'resend', '--account', '1', '--yes'])
  expect(resent).toContain('Reports found: 1 failed; 1 failed reports stay because their hook is stopped')
  expect(resent).toContain('posthorn hook resume. Nothing to send.')
  const resume = ['hook', 'resume', '--account', '1', '--address', address]
  expect((await line.run(['hook', 'list'])).out).toContain(address)
  expect(await line.ask([...resume.slice(0, -1), `${address}?id=1`])).toEqual({
    ...{ account: 1, address, stopped: false, resent: null },
  })
  expect(await line.ask(['account', 'show', '--account', '1'])).toMatchObject({ stopped_hooks: [] })
  expect((await line.run(resume)).exitCode).toBe(1)
  line.close()
})

test('failed reports are counted first, and sent again with --yes', async () => {
  const line = new CommandLine()
  await line.ask(['account', 'create', '--name', 'Shop'])
  await line.ask(['account', 'top-up', '--account', '1', '--amount', '1'])
  const message = buildMessage()
  const store = await line.openStore('gateway')
  await walkMessage(store, message, [{ kind: 'unroutable', at: BEGINNING + 1, step: 0, reason: 'no carrier' }])
  const failed = { messageId: message.id, number: 0, at: BEGINNING + 2, dueAt: null, held: false, detail: 'HTTP 500' }
  await store.settleReports([{ ...failed, kind: 'failed' }])
  await store.close()

  const resend = ['report', 'resend']
  expect((await line.run(resend)).err).toContain('--message, --account or --address: one of them is required, or --all')
  expect((await line.run([...resend, '--all', '--account', '1'])).exitCode).not.toBe(0)
  expect(await line.ask([...resend, '--account', '1'])).toEqual({ failed: 1, waiting: 0, stopped: 0, resent: 0 })
  expect((await line.run([...resend, '--all'])).out).toContain('Reports found: 1 failed. Add --yes to send them.')
  expect((await line.run([...resend, '--account', '2', '--yes'])).err).toBe('error: there is no account 2\n')
  expect(await line.ask([...resend, '--account', '1', '--yes'])).toEqual({
    failed: 1,
    waiting: 0,
    stopped: 0,
    resent: 1,
  })
  expect(await line.ask([...resend, '--all', '--pending', '--yes'])).toEqual({
    failed: 0,
    waiting: 1,
    stopped: 0,
    resent: 1,
  })
  line.close()
})
