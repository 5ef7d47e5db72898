/** Memory limits of threads, beside those of the main thread. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const MIB = 2 ** 20
const FLAGS = ['--max-semi-space-size=32', '--max-old-space-size=900']
/** Prints the limits of the main thread's heap and of a thread's. */
const PROGRAM = `
  import { once } from 'node:events'
  import { getHeapStatistics } from 'node:v8'
  import { Worker } from 'node:worker_threads'
  import { limitThreads } from '${new URL('../src/app/system/limit-threads.ts', import.meta.url)}'

  limitThreads()
  const resourceLimits = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 50 }
  const builtin = (name) => "process.getBuiltinModule('node:" + name + "')"
  const code = builtin('worker_threads') + '.parentPort.postMessage(' + builtin('v8') + '.getHeapStatistics())'
  const [ofThread] = await once(new Worker(code, { eval: true, resourceLimits }), 'message')
  console.log(JSON.stringify([getHeapStatistics(), ofThread].map((each) => each.heap_size_limit)))`

test('flags of Node limit the heap of the main thread, and threads keep limits of their own', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [...FLAGS, '--input-type=module', '-e', PROGRAM])
  const [main = 0, thread = 0] = (JSON.parse(stdout) as number[]).map((bytes) => bytes / MIB)
  expect(main).toBeGreaterThanOrEqual(900)
  expect(thread).toBeLessThan(100)
})
