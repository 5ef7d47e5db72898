/** Reports in the console: why some failed, resuming a hook, sending them again, and hooks that clients manage. */
import { expect, vi } from 'vitest'
import { look, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

/** A loaded machine may be slow. */
const PATIENCE = { timeout: 30_000 }
const SMS = { type: 'sms', sms_signature: 'SMSTest', sms_message: 'Hello' }

const { world, browser } = await openConsole()
let lost = 0

async function failedReports(): Promise<number> {
  return (await world.askAdmin('GET', '/failed-reports/count')).body['failed'] as number
}

test('before anything failed, each list says so', async () => {
  const page = await browser.visit('/reports', { user: await world.addUser('fynn', 'support'), theme: 'dark' })
  await page.getByText('No failed reports').waitFor()
  await look(page, 'reports-empty-dark')
  await page.getByRole('tab', { name: 'Failing hooks' }).click()
  await page.getByText('No failing hooks').waitFor()
  await page.getByRole('tab', { name: 'Stopped hooks' }).click()
  await page.getByText('No stopped hooks').waitFor()
  await page.getByRole('tab', { name: 'Client hooks' }).click()
  await page.getByText('No hooks managed by programs').waitFor()
  await page.getByRole('tab', { name: 'Hooks', exact: true }).click()
  await page.getByText('Choose an account').waitFor()
  await look(page, 'reports-choose-dark')
})

test('an operator finds why reports failed, resumes the hook and sends them again', async () => {
  world.sink.answer = () => ({ status: 410 })
  const sent = Array.from({ length: 6 }, (_, index) => ({
    ...SMS,
    id: `lost-${index}`,
    phone: 491_701_234_520 + index,
  }))
  const [first = 0] = await world.send(...sent)
  lost = first
  await vi.waitFor(async () => expect(await failedReports()).toBe(6), PATIENCE)
  world.sink.answer = () => ({ status: 200 })

  const page = await browser.visit('/reports', { user: await world.addUser('olga', 'operator') })
  const row = page.getByRole('row', { name: new RegExp(`^${lost} · `) })
  await row.getByText('HTTP 410').waitFor()
  await look(page, 'reports')
  await row.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Details' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('"lost-0"').waitFor()
  await look(page, 'report')
  await page.keyboard.press('Escape')

  await page.getByRole('tab', { name: 'Stopped hooks' }).click()
  await page.getByRole('table', { name: 'Stopped hooks' }).getByRole('cell', { name: world.sink.address }).waitFor()
  await look(page, 'reports-stopped')
  await page.getByRole('button', { name: 'Resume' }).click()
  await dialog.getByText('answered 410 Gone').waitFor()
  await dialog.getByText('Also send its failed reports again (6)').click()
  await look(page, 'reports-resume')
  await dialog.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('Hook resumed').waitFor()
  await page.getByText('No stopped hooks').waitFor()

  await page.getByRole('tab', { name: 'Failed reports' }).click()
  await row.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Send again', exact: true }).click()
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await row.waitFor({ state: 'detached' })
  await vi.waitFor(
    () => expect(world.sink.calls.filter(({ body }) => body.includes('"lost-0"'))).toHaveLength(2),
    PATIENCE,
  )

  await page.getByRole('tab', { name: 'Hooks', exact: true }).click()
  await page.getByRole('combobox', { name: 'Account' }).fill('demo')
  await page.getByRole('option').first().click()
  const failing = page.getByRole('row', { name: /Failing/ })
  await failing.waitFor()
  expect(new URL(page.url()).search).toBe('?tab=hooks&account=1')
  await look(page, 'reports-hooks')
  await failing.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Send failed reports again' }).click()
  await dialog.getByText('5 reports will be posted again').waitFor()
  await dialog.getByLabel('Written before').fill('2020-01-01T00:00')
  await dialog.getByText('There are no such failed reports').waitFor()
  await dialog.getByLabel('Written before').fill('')
  await dialog.getByText('5 reports will be posted again').waitFor()
  await look(page, 'reports-resend')
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('5 reports are being sent again').waitFor()
  await vi.waitFor(async () => expect(await failedReports()).toBe(0), PATIENCE)
  const isPostedTwice = (_: unknown, index: number) =>
    world.sink.calls.filter(({ body }) => body.includes(`"lost-${index}"`)).length === 2
  await vi.waitFor(() => expect(sent.every(isPostedTwice)).toBe(true), PATIENCE)
})

test('an operator sees why a hook fails, what waits for it, and has it tried now', async () => {
  world.sink.answer = () => ({ status: 503 })
  const [id = 0] = await world.send(
    { ...SMS, id: 'late-0', phone: 491_701_234_550 },
    { ...SMS, id: 'late-1', phone: 491_701_234_551 },
  )
  const failing = async () => (await world.askAdmin('GET', '/failing-hooks')).body['data']
  await vi.waitFor(async () => expect(await failing()).toMatchObject([{ waiting: 2 }]), PATIENCE)
  const overview = await browser.visit('/', { user: await world.addUser('frida', 'operator') })
  await overview.getByText('Hooks that are stopped or fail').waitFor()
  await look(overview, 'overview-failing-hook')

  const page = await browser.visit('/reports?tab=failing', { user: await world.addUser('fritz', 'operator') })
  const row = page.getByRole('row', { name: /HTTP 503/ })
  await row.waitFor()
  await look(page, 'reports-failing')
  await row.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Show waiting reports' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('row', { name: new RegExp(`^${id} · 0 .*HTTP 503`) }).waitFor()
  await look(page, 'reports-waiting')
  await page.keyboard.press('Escape')

  const other = await world.addUser('flora', 'operator')
  const message = await browser.visit(`/messages/${id}`, { user: other, theme: 'dark' })
  await message.getByRole('list', { name: 'Tries' }).waitFor()
  await look(message, 'message-report-tries-dark')

  world.sink.answer = () => ({ status: 200 })
  await row.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Try now' }).click()
  await look(page, 'reports-try')
  await dialog.getByRole('button', { name: 'Try now' }).click()
  await page.getByText('The next try begins now; 2 reports wait for it').waitFor()
  await vi.waitFor(async () => expect(await failing()).toEqual([]), PATIENCE)
})

test('an operator tests and deletes a hook that a client manages', async () => {
  const address = `${world.sink.address}/a-rather-long-path-of-the-client/that-breaks-lines?shop=17`
  await world.send({ type: 'hook/create', hook: address, description: 'Shop in Riga' })
  const page = await browser.visit('/reports?tab=managed', { user: await world.addUser('otto', 'owner') })
  await page.getByText('Shop in Riga').waitFor()
  await look(page, 'reports-client-hooks')
  const before = world.sink.calls.length
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('A test report is on its way').waitFor()
  await vi.waitFor(() => expect(world.sink.calls.length).toBeGreaterThan(before), PATIENCE)
  await page.getByRole('button', { name: /Delete hook/ }).click()
  await look(page, 'reports-delete-hook')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete hook' }).click()
  await page.getByText('No hooks managed by programs').waitFor()
})

test('a user of the account sees its reports, in German on a phone', async () => {
  world.sink.answer = () => ({ status: 410 })
  await world.send({ ...SMS, id: 'lost-again', phone: 491_701_234_540 })
  await vi.waitFor(async () => expect(await failedReports()).toBe(1), PATIENCE)
  const user = await world.addUser('kim', 'client-admin', { account: 1 })
  const page = await browser.visit('/reports', { user, size: 'phone', language: 'de' })
  await page.getByText('HTTP 410').waitFor()
  expect(await page.getByRole('combobox', { name: 'Konto' }).count()).toBe(0)
  await look(page, 'reports-phone')
  await page.getByRole('tab', { name: 'Webhooks', exact: true }).click()
  await page
    .getByRole('row', { name: /Gestoppt/ })
    .getByText('Gestoppt')
    .first()
    .waitFor()
  await look(page, 'reports-hooks-phone')
  const stopped = page.getByRole('row', { name: /Gestoppt/ })
  await stopped.getByRole('button', { name: /Aktionen/ }).click()
  await page.getByRole('menuitem', { name: 'Fortsetzen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Fortsetzen' }).click()
  await page.getByText('Webhook fortgesetzt').waitFor()
})
