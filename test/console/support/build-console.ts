/** Global setup of browser tests: builds the console once, unless it is up to date. */
import { buildConsole } from '../../../console/tools/build-console.ts'

export default buildConsole
