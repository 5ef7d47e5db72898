/**
 * A real Chromium, headless, from npm alone. A page fails its test if it logs an error, asks another host, or breaks
 * the content security policy.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, chromium, type Page } from 'playwright-core'
import { test as baseTest, expect } from 'vitest'
import { findChromium } from './find-chromium.ts'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
]

export const SIZES = { desktop: { width: 1280, height: 860 }, phone: { width: 360, height: 740 } } as const
/** The width of common phones. */
export const COMMON_PHONE = { width: 390, height: 844 }
/** Of an assertion that waits; a loaded machine may be slow. */
export const PATIENCE_MS = 20_000

const found = await findChromium()
if (typeof found === 'string') console.warn(`Chromium cannot run here (${found}); its tests are skipped`)

/** A test in a browser, skipped where none can run. */
export const test = baseTest.skipIf(typeof found === 'string')

export async function openChromium(): Promise<Browser> {
  if (typeof found === 'string') throw new Error(found)
  return chromium.launch({ ...found, headless: true, args: FLAGS })
}

/** Adds to `faults` what the page logs as an error, and its requests to other hosts. */
export function watchFaults(page: Page, origin: string, faults: string[]): void {
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) faults.push(`request to ${url}`)
  })
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // Chromium logs every answer that is not 2xx, such as the 401 before a login.
    const isAnswer = message.text().startsWith('Failed to load resource: the server responded with a status of')
    if (message.type() === 'error' && !isAnswer) faults.push(`console: ${message.text()}`)
  })
}

/** Fails if axe-core finds a violation on the page as it is now. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const found = violations.map(({ id, nodes }) => ({
    id,
    at: nodes.map(({ target, failureSummary }) => [target.join(' '), failureSummary]),
  }))
  expect(found).toEqual([])
}

/** Fails if the page scrolls sideways. */
export async function expectFitsWidth(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
}

/** Returns what lies beyond the edge of the window, or of its dialog, without being in a part that scrolls or clips. */
const BEYOND_THE_EDGE = `(() => {
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const isClipped = (element) =>
    element !== null &&
    !element.matches('[role=dialog], main') &&
    (getComputedStyle(element).overflowX !== 'visible' || isClipped(element.parentElement))
  return [...document.querySelectorAll('main *, [role=dialog] *')].flatMap((element) => {
    const { left, right, width } = element.getBoundingClientRect()
    const edge = element.closest('[role=dialog]')?.getBoundingClientRect() ?? { left: 0, right: innerWidth }
    const isInside = left >= edge.left - 1 && right <= edge.right + 1
    if (width <= 1 || isInside || !isVisible(element) || isClipped(element.parentElement)) return []
    return [element.tagName + ' ' + (element.textContent ?? '').slice(0, 40)]
  })
})()`

/** Returns texts that are wider than their place, and parts that scroll sideways but for tables and code. */
const SPILLS_OVER = `[...document.querySelectorAll('main *, [role=dialog] *')].flatMap((element) => {
  const { overflowX } = getComputedStyle(element)
  const isMeant = element.matches('section[tabindex], pre, code, [role=tablist], input, select, textarea, .truncate, .sr-only')
  // A block may have margins into the padding of its card; a text has not.
  const isText = [...element.children].every((child) => getComputedStyle(child).display.startsWith('inline'))
  const mayFit = overflowX === 'clip' || (overflowX === 'visible' && !isText)
  const isTooWide = element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1 && !mayFit
  return isTooWide && !isMeant ? [element.tagName + ' ' + (element.textContent ?? '').slice(0, 40)] : []
})`

/** Returns what is cut off, spills over or scrolls sideways on the page as it is now. */
export async function cutOff(page: Page): Promise<readonly string[]> {
  const found = [await page.evaluate(BEYOND_THE_EDGE), await page.evaluate(SPILLS_OVER)].flat() as readonly string[]
  return found.map((what) => `${page.url().replace(/^.*console/, '')}: ${what}`)
}

/** Keeps a picture if POSTHORN_SCREENSHOTS names a folder, such as docs/console. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['POSTHORN_SCREENSHOTS']
  if (folder === undefined || folder === '') return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

/** Looks at the page as it is: no violations, no sideways scrolling, a picture. */
export async function look(page: Page, name: string): Promise<void> {
  await expectAccessible(page)
  await expectFitsWidth(page)
  await keepScreenshot(page, name)
}
