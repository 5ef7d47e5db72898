/** Memory limits of threads, and how they collect garbage. */
import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'

/** V8 reads them when a heap is configured; 0 is the default. */
const HEAP_FLAGS = ['--max-semi-space-size=0', '--max-old-space-size=0'] as const
/** On so few, threads that help to collect new objects take the processor from those that wait for the result. */
const FEW_PROCESSORS = 2

/**
 * Applies V8's heap sizes of the command line and of `NODE_OPTIONS` to the main thread only, whose heap is configured
 * already. They would replace the `resourceLimits` of each thread that starts later. On few processors, each thread
 * collects its new objects alone.
 *
 * V8 would allocate objects among the old ones if most made at the same place survive, as those of messages do under
 * load: until their results are on disk. Once a message has ended, they would keep everything alive that they refer to,
 * until all old objects are looked at, and that more often.
 */
export function limitThreads(): void {
  for (const flag of HEAP_FLAGS) setFlagsFromString(flag)
  setFlagsFromString('--no-allocation-site-pretenuring')
  if (availableParallelism() <= FEW_PROCESSORS) setFlagsFromString('--no-parallel-scavenge')
}
