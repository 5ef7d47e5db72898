/** The compose page: limits at the fields, channels without senders, planned times, templates, rich contents. */
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { look, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole()

beforeAll(async () => {
  await world.askAdmin('POST', '/accounts', { name: 'Blumen', currency: 'EUR' })
  await world.askAdmin('POST', '/senders/approve', { account: 2, channel: 'sms', name: 'Blumen' })
})

/** Returns the message of the request that the page offers to copy. */
async function requestOf(page: Page): Promise<Readonly<Record<string, unknown>>> {
  await page.getByRole('tab', { name: 'Request' }).click()
  const text = await page.getByRole('region', { name: 'Request as JSON' }).locator('pre').innerText()
  const { data } = JSON.parse(text) as { readonly data: readonly Readonly<Record<string, unknown>>[] }
  await page.getByRole('tab', { name: 'Preview' }).click()
  return data[0] ?? {}
}

test('limits of times are those of the gateway, and a wrong time is shown at its field', async () => {
  const page = await browser.visit('/compose?account=1', { user: await world.addUser('olga', 'operator') })
  await page.getByText('waits 2d by default before the next channel').waitFor()
  await page.getByLabel('Recipient').fill('+49 170 1234500')
  await page.getByLabel('Text', { exact: true }).fill('Hello')
  await page.getByText('More settings').click()
  const wait = page.getByLabel('Seconds before the next channel')
  await wait.fill('1')
  await page.getByText('Enter whole seconds from 2 to 1,209,600.').waitFor()
  expect(await wait.getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByRole('button', { name: 'Send test message' }).isDisabled()).toBe(true)
  await look(page, 'compose-lifetime')
  await wait.fill('90')
  await page.getByText('waits 90s before the next channel').waitFor()

  const at = page.getByLabel('Send at')
  await at.fill('2020-01-01T08:00')
  await page.getByText('This time is over.').waitFor()
  const tomorrow = new Date(Math.floor(Date.now() / 60_000) * 60_000 + 86_400_000)
  const berlin = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'short' })
  await at.fill(berlin.format(tomorrow).replace(' ', 'T'))
  await page.getByText(/In your time zone, Europe\/Berlin\. That is .* UTC\./).waitFor()
  expect(await requestOf(page)).toMatchObject({
    ...{ type: 'rcs+chatapp+sms', rcs_lifetime: 90 },
    send_at: tomorrow.toISOString().replace('.000Z', 'Z'),
  })
  await page.getByLabel('Reports to').fill('ftp://client.example')
  await page.getByLabel('Reports to').and(page.locator('[aria-invalid=true]')).waitFor()
})

test('channels without an approved sender are unticked for real messages, and say why', async () => {
  const page = await browser.visit('/compose?account=2', {
    user: await world.addUser('otto', 'operator'),
    theme: 'dark',
  })
  await page.getByText('test messages only: no sender is approved').first().waitFor()
  await page.getByLabel('Send as').selectOption({ label: 'Real: charged to the account' })
  await page.getByText('No approved sender').first().waitFor()
  for (const channel of ['RCS', 'Chat app']) {
    const box = page.getByLabel(`Use ${channel}`)
    expect([await box.isChecked(), await box.isDisabled()]).toEqual([false, true])
  }
  expect(await page.getByLabel('Use SMS').isChecked()).toBe(true)
  expect(await requestOf(page)).toMatchObject({ type: 'sms', sms_signature: 'Blumen' })
  await look(page, 'compose-no-sender-dark')
  await page.getByRole('link', { name: 'Approve one' }).first().click()
  await page.getByRole('tab', { name: 'Senders', selected: true }).waitFor()
})

test('templates of the account fill the texts, with a field for each variable', async () => {
  await world.send({ type: 'template/create', name: 'Code', template: 'Your code is {{code}}.' })
  const template = { signature: 'ChatTest', template: 'Order {{1}} comes on {{2}}.' }
  await world.askAdmin('POST', '/accounts/1/chat-templates/approve', template)
  const page = await browser.visit('/compose?account=1', { user: await world.addUser('tina', 'operator') })
  await page.getByLabel('Text', { exact: true }).fill('Your order is on its way.')
  await page.getByLabel('Chat-app template').selectOption({ label: template.template })
  await page.getByLabel('Value of {{1}}').fill('A-17')
  await page.getByLabel('Value of {{2}}').fill('Monday')
  await page.getByLabel('SMS template').selectOption({ label: 'Code' })
  await page.getByLabel('Value of {{code}}').fill('4711')
  expect(await requestOf(page)).toMatchObject({
    rcs_message: 'Your order is on its way.',
    chatapp_message: 'Order A-17 comes on Monday.',
    sms_message: 'Your code is 4711.',
  })
  await look(page, 'compose-templates')
})

test('a carousel, a file and suggestions are shown as on a phone and are in the request', async () => {
  const page = await browser.visit('/compose?account=1', { user: await world.addUser('carla', 'operator') })
  await page.getByLabel('Recipient').fill('+49 170 1234500')
  await page.getByLabel('Text', { exact: true }).fill('Two shoes for you')
  const contents = page.getByLabel('Contents of RCS and chat app')
  await contents.selectOption('Carousel of cards')
  for (const [name, title] of [
    ['Card 1', 'Red shoe'],
    ['Card 2', 'Blue shoe'],
  ] as const) {
    const card = page.getByRole('group', { name, exact: true })
    await card.getByLabel('Title of the card').fill(title)
    await card.getByLabel('Address of the image').fill(`https://shop.example/${title[0]}.jpg`)
  }
  await page.getByRole('figure').getByText('Blue shoe').waitFor()
  await page.getByText('goes to the simulator').first().waitFor()
  expect(await requestOf(page)).toMatchObject({
    rich: {
      type: 'carousel',
      cards: [
        { title: 'Red shoe', image: 'https://shop.example/R.jpg' },
        { title: 'Blue shoe', image: 'https://shop.example/B.jpg' },
      ],
    },
  })
  await look(page, 'compose-carousel')
  await page.getByRole('button', { name: 'Add a card' }).click()
  await page.getByRole('button', { name: 'Remove Card 3' }).click()

  await contents.selectOption('File')
  await page.getByLabel('Address of the file').fill('not an address')
  // The gateway says that the content is wrong, at the field of the contents.
  await contents.and(page.locator('[aria-invalid=true]')).waitFor()
  await page.getByLabel('Address of the file').fill('https://shop.example/invoice-17.pdf')
  await page.getByRole('figure').getByText('invoice-17.pdf').waitFor()
  expect(await requestOf(page)).toMatchObject({ rich: { type: 'file', url: 'https://shop.example/invoice-17.pdf' } })

  await contents.selectOption('Text with suggestions')
  await page.getByLabel('Suggested replies, one a line').fill('Yes\nNo')
  await page.getByRole('figure').getByText('Yes').waitFor()
  expect(await requestOf(page)).toMatchObject({
    rich: { type: 'suggestions', suggestions: [{ type: 'reply', text: 'Yes', postback: 'Yes' }, { text: 'No' }] },
  })
  await look(page, 'compose-suggestions')
})
