/** What a form changes of something that exists: the rest stays as others have set it. */

/** Returns the fields of `after` whose value is not that of `before`. */
export function changedFields<T extends object>(before: T, after: T): Partial<T> {
  const isChanged = ([name, value]: readonly [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof T])
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<T>
}
