/** What most stories of the console begin with. */
import { afterAll, afterEach } from 'vitest'
import { TestBrowser } from './browser.ts'
import { ConsoleWorld } from './console-world.ts'

/**
 * A gateway and a browser, until the last test of the file; no page may have a fault after any of them. Takes what
 * `ConsoleWorld.start` takes.
 */
export async function openConsole(...options: Parameters<typeof ConsoleWorld.start>) {
  const world = await ConsoleWorld.start(...options)
  afterAll(() => world.stop())
  const browser = await TestBrowser.open(world)
  afterAll(() => browser.close())
  afterEach(() => browser.expectNoFaults())
  return { world, browser }
}
