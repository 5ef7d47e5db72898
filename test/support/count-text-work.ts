/**
 * Counts the characters that code reads while it runs, so that a test can show that its work grows with the length of a
 * text and not with its square. Native functions count as what they cost: the characters that they are given, and for
 * `normalize` also the square of each run of combining marks, because it sorts them. A pattern counts as the characters
 * that it passes over, and one that is searched for as what it may read from each of them on: its largest bounded
 * repeat. What a pattern backtracks beyond that is not seen.
 */

type Method = (this: unknown, ...args: unknown[]) => unknown
/** `from` is where a pattern begins to read. */
type Cost = (call: {
  readonly self: unknown
  readonly text: string
  readonly result: unknown
  readonly from: number
}) => number

const READ_WHOLE = [
  'includes',
  'indexOf',
  'isWellFormed',
  'lastIndexOf',
  'replaceAll',
  'toLowerCase',
  'toUpperCase',
  'toWellFormed',
  'trim',
  Symbol.iterator,
]

export function countTextWork(run: () => unknown): number {
  let work = 0
  let counting = true
  const restores: (() => void)[] = []
  const count = (owner: object, name: string | symbol, cost: Cost) => {
    const methods = owner as Record<string | symbol, Method>
    const original = methods[name] as Method
    methods[name] = function (this: unknown, ...args: unknown[]) {
      const from = this instanceof RegExp && (this.global || this.sticky) ? this.lastIndex : 0
      const result = original.apply(this, args)
      if (!counting) return result
      counting = false
      work += cost({ self: this, text: String(this instanceof RegExp ? args[0] : this), result, from })
      counting = true
      return result
    }
    restores.push(() => {
      methods[name] = original
    })
  }
  for (const name of ['charCodeAt', 'codePointAt']) count(String.prototype, name, () => 1)
  count(String.prototype, 'normalize', ({ text }) => text.length + sortingOf(text))
  for (const name of READ_WHOLE) count(String.prototype, name, ({ text }) => text.length)
  // Every method of texts that takes a pattern goes through `exec`.
  count(RegExp.prototype, 'exec', ({ self, text, result, from }) => {
    const { sticky, source } = self as RegExp
    const match = result as RegExpExecArray | null
    // One that is sticky reads, or gives up, where it stands.
    if (sticky) return match === null ? 1 : match[0].length + 1
    const passed = match === null ? text.length - from : match.index + 1 - from
    return passed * largestRepeat(source) + (match?.[0].length ?? 0)
  })
  try {
    run()
  } finally {
    for (const restore of restores) restore()
  }
  return work
}

/** 1 for a pattern without bounded repeats, or one that is tried at the beginning of a text alone. */
function largestRepeat(source: string): number {
  if (source.startsWith('^')) return 1
  return Math.max(1, ...Array.from(source.matchAll(/\{(?:\d+,)?(\d+)\}/g), ([, most]) => Number(most)))
}

/** The longest that the runs of marks of a text take to be sorted. */
function sortingOf(text: string): number {
  return [...text.matchAll(/\p{M}+/gu)].reduce((sum, [run]) => sum + run.length ** 2, 0)
}
