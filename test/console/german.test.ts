/** What the gateway itself says, read in German: alarms, carriers and refusals. */
import { look, test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

/** Alarms are looked for every few seconds, and so is their list. */
const LONGEST_MS = 60_000

const { world, browser } = await openConsole()

test('an operator changes to German, reads an alarm and what a form lacks; support sees it on a phone', async () => {
  await world.askAdmin('PUT', '/alarm-rules/carrier_down', { open_after_seconds: 0 })
  await world.sandbox.box.smsc.goDown()
  const page = await browser.visit('/alarms', { user: await world.addUser('anna', 'operator') })
  await page.getByRole('row', { name: /Carrier down/ }).waitFor({ timeout: LONGEST_MS })
  await page.getByRole('button', { name: 'User menu: anna' }).click()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await page.keyboard.press('Escape')
  const row = page.getByRole('row', { name: /Carrier ausgefallen/ })
  await row.getByText(/^Keine Verbindung: /).waitFor()
  await row.getByText(/^SMS \(alle Nummern\): \d+ warten hier; /).waitFor()
  await row.getByText('Prüfen Sie seine Einstellungen und das Netz').waitFor()
  await look(page, 'alarms-german')

  await page.getByRole('tab', { name: 'Regeln' }).click()
  await page.getByRole('button', { name: 'Regel ändern: Datenträger fast voll' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Schwelle').fill('120')
  await dialog.getByRole('button', { name: 'Speichern' }).click()
  await dialog.getByText('müssen 1 bis 99 Prozent des Datenträgers sein').waitFor()
  await look(page, 'alarm-rule-german')

  const how = { user: await world.addUser('berta', 'support'), size: 'phone', language: 'de', theme: 'dark' } as const
  const phone = await browser.visit('/', how)
  await phone.getByText(/Keine Verbindung: /).waitFor()
  await phone.goto(`${world.console}/alarms`)
  await phone.getByText(/^SMS \(alle Nummern\): /).waitFor()
  await look(phone, 'alarms-german-phone')
  await world.sandbox.box.smsc.comeBack()
})
