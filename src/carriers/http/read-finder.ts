/** Settings that say where a value is in an answer, and what a status means. */
import type { SettingReader } from '../shared/setting-reader.ts'
import { type Finder, readJsonPath, readPattern, textAt } from './find-text.ts'

export function readFinder(finder: SettingReader): Finder {
  const find = readSource(finder)
  finder.end()
  return find
}

/** Reads `{ "path": "message.id" }` in JSON, or `{ "pattern": "^OK (\\w+)" }` in text. */
export function readSource(finder: SettingReader): Finder {
  const name = finder.has('pattern') ? 'pattern' : 'path'
  const source = finder.text(name)
  if (name === 'pattern') {
    const find = finder.check(name, () => readPattern(source))
    return (body) => find(body.text)
  }
  const path = finder.check(name, () => readJsonPath(source))
  return (body) => (body.json === undefined ? null : textAt(body.json, path))
}

/** Reads meanings by status, `404`, or by class, `4xx`. */
export function readStatuses<M extends string>(answer: SettingReader, meanings: readonly M[]): ReadonlyMap<string, M> {
  return answer.map('statuses', (statuses, status) => {
    if (!/^[1-5](\d\d|xx)$/.test(status)) throw statuses.wrong(status, 'should be a status such as 404 or 4xx')
    return statuses.oneOf(status, meanings)
  })
}

/** Returns the meaning of a status; undefined if neither it nor its class has one. */
export function meaningOfStatus<M>(statuses: ReadonlyMap<string, M>, status: number): M | undefined {
  return statuses.get(String(status)) ?? statuses.get(`${Math.floor(status / 100)}xx`)
}
