/**
 * The load as a program of its own, to be traced: `load-process.ts FOLDER`. Facts go to a file beside the data folder.
 */
import { openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openThreadedStore, runLoad } from './load.ts'
import { FACTS_FILE } from './read-trace.ts'

const folder = process.argv[2] ?? ''
const facts = openSync(join(dirname(folder), FACTS_FILE), 'w')
let length = 0

await runLoad(
  () => openThreadedStore(folder),
  (fact) => {
    length += writeSync(facts, JSON.stringify(fact), length)
  },
)
