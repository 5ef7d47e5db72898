/** The difference of two JSON objects as a merge patch (RFC 7396): what a change of settings sends. */

type Json = Readonly<Record<string, unknown>>

/** Returns an empty object if nothing differs. Lists are replaced as a whole. */
export function mergePatch(before: Json, after: Json): Json {
  const changed = Object.entries(after).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    const old = before[name]
    if (JSON.stringify(old) === JSON.stringify(value)) return []
    return [[name, isObject(old) && isObject(value) ? mergePatch(old, value) : value]]
  })
  const removed = Object.keys(before).filter((name) => !(name in after))
  return Object.fromEntries([...changed, ...removed.map((name) => [name, null] as const)])
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
