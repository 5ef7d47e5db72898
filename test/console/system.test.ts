/** An operator looks at what runs, and changes the whole setup after a review. */
import { expect } from 'vitest'
import { look, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole()

type Configuration = Record<string, Record<string, unknown>[]>
const exported = async () => (await world.askAdmin('GET', '/configuration')).body as Configuration
const deny = (digits: string, note: string) => ({ list: 'deny', digits, whole: false, note })

test('the gateway and its database are shown', async () => {
  const page = await browser.visit('/system', { user: await world.addUser('ada', 'support') })
  await page.getByText('SQLite', { exact: true }).waitFor()
  await page.getByText('This is the only gateway').waitFor()
  await look(page, 'system')
  // Support may not read the configuration.
  expect(await page.getByRole('tab', { name: 'Configuration' }).count()).toBe(0)
})

test('a configuration is edited, its differences are reviewed, and they are applied', async () => {
  const page = await browser.visit('/system?tab=configuration', { user: await world.addUser('ben', 'operator') })
  const text = page.getByLabel('Configuration (JSON)')
  await page.getByRole('button', { name: 'Edit the current one' }).click()
  await expect.poll(() => text.inputValue()).toContain('"carriers"')
  const configuration = JSON.parse(await text.inputValue()) as Configuration
  const { carriers = [], routes = [] } = configuration
  Object.assign(routes[0] ?? {}, { weight: 'heavy' })
  await text.fill(JSON.stringify({ ...configuration, carriers, routes }, null, 2))
  await page.getByRole('button', { name: 'Show differences' }).click()
  await page.getByText('routes[0].weight').waitFor()
  await page.getByText('"weight": "heavy"').last().waitFor()
  await look(page, 'configuration-error')

  Object.assign(routes[0] ?? {}, { weight: 7 })
  const numbers = [deny('881', 'satellite'), deny('882', 'international networks')]
  await text.fill(JSON.stringify({ carriers, routes, numbers }, null, 2))
  await page.getByRole('button', { name: 'Show differences' }).click()
  await page.getByText('2 added, 1 changed').waitFor()
  const difference = page.getByRole('row', { name: /^weight/ })
  expect(await difference.getByRole('cell').allTextContents()).toEqual(['1', '7'])
  await look(page, 'configuration-review')
  await page.getByRole('button', { name: 'Apply 3 changes…' }).click()
  const dialog = page.getByRole('dialog')
  await look(page, 'configuration-confirm')
  await dialog.getByRole('button', { name: 'Apply 3 changes' }).click()
  await page.getByText('3 changes applied').waitFor()
  expect(await exported()).toMatchObject({
    numbers,
    routes: expect.arrayContaining([expect.objectContaining({ weight: 7 })]),
  })
})

test('differences that have changed since the review are shown again before they are applied', async () => {
  const user = await world.addUser('cleo', 'owner')
  const page = await browser.visit('/system?tab=configuration', { user, theme: 'dark', size: 'phone' })
  const wanted = { numbers: [deny('883', 'ours')] }
  const file = { name: 'posthorn.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(wanted)) }
  await page.getByLabel('Choose file').setInputFiles(file)
  await page.getByRole('button', { name: 'Show differences' }).click()
  await page.getByText('1 added, 2 removed').waitFor()
  await look(page, 'configuration-review-phone-dark')
  await world.askAdmin('POST', '/guards/numbers', deny('884', 'of a colleague'))
  await page.getByRole('button', { name: 'Apply 3 changes…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply 3 changes' }).click()
  await page.getByText('Nothing was applied').waitFor()
  await page.getByText('884… on the deny list').waitFor()
  expect((await exported())['numbers']).toHaveLength(3)
  await page.getByRole('button', { name: 'Apply 4 changes…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply 4 changes' }).click()
  await page.getByText('4 changes applied').waitFor()
  expect((await exported())['numbers']).toEqual(wanted.numbers)
})
