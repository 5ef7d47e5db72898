/** Global setup of browser tests: builds the console once, unless it is up to date, and unpacks the browser. */
import { buildConsole } from '../../../console/tools/build-console.ts'
import { findChromium } from '../../support/find-chromium.ts'

export default async function prepareConsole(): Promise<void> {
  await buildConsole()
  // Two files that unpack it at the same time would start a program that is still being written.
  await findChromium()
}
