/** The page of the admin API asks no other host, and offers no service of one. */
import { expect } from 'vitest'
import { test } from './support/browser.ts'
import { openConsole } from './support/open-console.ts'

const { world, browser } = await openConsole()

test('the reference shows the endpoints, without links and buttons to services of others', async () => {
  const page = await browser.visit('/')
  await page.goto(`${world.sandbox.adminAddress}/admin/v1/reference`)
  await page.getByRole('heading', { name: 'Posthorn admin API' }).first().waitFor()
  await page
    .getByRole('button', { name: /carriers/i })
    .or(page.getByRole('link', { name: /carriers/i }))
    .first()
    .waitFor()
  const links = await page.locator('a[href^="http"]:visible').evaluateAll((all) => all.map(String))
  expect(links.filter((link) => !link.startsWith(world.sandbox.adminAddress))).toEqual([])
  const buttons = await page.getByRole('button').allInnerTexts()
  expect(buttons.filter((text) => /Ask AI|MCP|Deploy|Share|API Client|Configure|Cursor|VS Code/i.test(text))).toEqual(
    [],
  )
})
