/** The thread that posts to hooks, with a fault of its own for each of these addresses. */
import { parentPort } from 'node:worker_threads'
import '../../src/app/hooks/hook-worker.ts'
import { EXITS, HANGS, RUNS_OUT_OF_MEMORY, THROWS } from './faults-of-hook-worker.ts'

const kept: unknown[] = []

parentPort?.on('message', (calls: readonly unknown[]) => {
  if (calls.includes(THROWS)) throw new Error('an injected fault')
  if (calls.includes(EXITS)) process.exit(3)
  while (calls.includes(RUNS_OUT_OF_MEMORY)) kept.push(new Array(100_000).fill(kept.length))
  while (calls.includes(HANGS));
})
