/**
 * Counts the characters that code reads while it runs, so that a test can show that its work grows with the length of a
 * text and not with its square. Native functions count as what they cost: the characters that they are given, and for
 * `normalize` also the square of each run of combining marks, because it sorts them. A pattern counts as the characters
 * that it passes over; what it may backtrack is not seen.
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
  count(String.prototype, 'charCodeAt', () => 1)
  count(String.prototype, 'normalize', ({ text }) => text.length + sortingOf(text))
  for (const name of READ_WHOLE) count(String.prototype, name, ({ text }) => text.length)
  // Every method of texts that takes a pattern goes through `exec`.
  count(RegExp.prototype, 'exec', ({ self, text, result, from }) => {
    const match = result as RegExpExecArray | null
    if (match !== null) return match.index + match[0].length + 1 - from
    // One that is sticky gives up where it stands.
    return (self as RegExp).sticky ? 1 : text.length - from
  })
  try {
    run()
  } finally {
    for (const restore of restores) restore()
  }
  return work
}

/** The longest that the runs of marks of a text take to be sorted. */
function sortingOf(text: string): number {
  return [...text.matchAll(/\p{M}+/gu)].reduce((sum, [run]) => sum + run.length ** 2, 0)
}
