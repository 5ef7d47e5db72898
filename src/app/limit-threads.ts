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
 */
export function limitThreads(): void {
  for (const flag of HEAP_FLAGS) setFlagsFromString(flag)
  if (availableParallelism() <= FEW_PROCESSORS) setFlagsFromString('--no-parallel-scavenge')
}
