/** What processes have used of the machine, as Linux counts it; zeros elsewhere. */
import { readdirSync, readFileSync } from 'node:fs'

export interface Usage {
  /** Microseconds of CPU of all threads of all the processes, children that have ended included. */
  readonly cpu: number
  /** Of the main thread of the first process. */
  readonly main: number
  readonly rss: number
}

/** How often the kernel counts CPU: USER_HZ of every Linux that Node runs on. */
const TICKS_PER_SECOND = 100
const PAGE_BYTES = 4_096

/** Returns what these processes have used, each with all its descendants that run now. */
export function usageOf(pids: readonly number[]): Usage {
  if (process.platform !== 'linux') return { cpu: 0, main: 0, rss: 0 }
  const all = withDescendants(pids)
  const ticks = all.map((pid) => sum(statOf(pid).slice(11, 15)))
  // The 24th field of the status.
  const pages = all.map((pid) => statOf(pid)[21] ?? 0)
  const [first] = pids
  const main =
    first === undefined ? 0 : Number(readFileSync(`/proc/${first}/task/${first}/schedstat`, 'utf8').split(' ')[0])
  return { cpu: (sum(ticks) * 1e6) / TICKS_PER_SECOND, main: main / 1e3, rss: sum(pages) * PAGE_BYTES }
}

/** The same with the processes that they have started, and so on. */
export function withDescendants(pids: readonly number[]): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (/^\d+$/.test(name)) parents.set(Number(name), Number(statOf(Number(name))[1]))
  }
  const all = [...pids]
  for (const pid of all) {
    for (const [child, parent] of parents) if (parent === pid) all.push(child)
  }
  return all
}

/** The fields of its status from the third on; zeros if it has ended. */
function statOf(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return Array.from({ length: 22 }, () => '0')
  }
}

function sum(numbers: readonly (number | string)[]): number {
  return numbers.reduce<number>((total, each) => total + Number(each), 0)
}

/** What was used between two moments for each of so many messages. */
export interface Spent {
  readonly cpuMicros: number
  readonly mainMicros: number
  readonly mebibytes: number
}

export function spentBetween(before: Usage, after: Usage, count: number): Spent {
  return {
    cpuMicros: (after.cpu - before.cpu) / count,
    mainMicros: (after.main - before.main) / count,
    mebibytes: after.rss / 2 ** 20,
  }
}

/** `170 µs (main 95), 310 MiB`. */
export function describeSpent({ cpuMicros, mainMicros, mebibytes }: Spent): string {
  return `${cpuMicros.toFixed(0)} µs (main ${mainMicros.toFixed(0)}), ${mebibytes.toFixed(0)} MiB`
}
