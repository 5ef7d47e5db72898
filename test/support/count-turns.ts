/** Counts the turns of the event loop that pass until the work settles: other requests are served in each of them. */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  try {
    await work()
  } finally {
    isOver = true
  }
  return turns
}
