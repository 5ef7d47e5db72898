/** Returns the `warnings` of a result; empty if it has none. */
export function readWarnings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
