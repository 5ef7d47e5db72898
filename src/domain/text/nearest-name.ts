/** Suggests the known name closest to a misspelt one. */

const MAX_CHARACTERS = 60
const MAX_EDITS = 2

/**
 * Returns the known name that takes the fewest edits, at most two and less than half of its length; null if there is
 * none.
 */
export function nearestName(name: string, known: Iterable<string>): string | null {
  let nearest: string | null = null
  let fewest = MAX_EDITS + 1
  for (const each of known) {
    const edits = editsBetween(name.toLowerCase(), each.toLowerCase())
    if (edits < fewest && edits * 2 < each.length) {
      nearest = each
      fewest = edits
    }
  }
  return nearest
}

/** Counts letters to insert, remove, replace or swap with the next; more than two are not counted exactly. */
function editsBetween(one: string, other: string): number {
  if (one.length > MAX_CHARACTERS || Math.abs(one.length - other.length) > MAX_EDITS) return MAX_EDITS + 1
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwap = row > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const edits = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
      current.push(edits)
    }
    beforeLast = last
    last = current
  }
  return at(last, other.length)
}

function at(edits: readonly number[], column: number): number {
  return edits[column] ?? Number.POSITIVE_INFINITY
}
