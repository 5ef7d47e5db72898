/** Addresses at which the thread of faulty-hook-worker.ts has a fault. */
export const THROWS = 'fault:throws'
export const EXITS = 'fault:exits'
export const RUNS_OUT_OF_MEMORY = 'fault:runs-out-of-memory'
export const HANGS = 'fault:hangs'
