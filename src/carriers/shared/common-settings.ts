/** The settings that every kind of carrier has. */
import type { DegradedAfter } from '../../ports/carriers/carrier.ts'
import { isJsonObject } from '../../wire/json.ts'
import { SettingReader } from './setting-reader.ts'

export interface CommonSettings {
  readonly degradedAfter: DegradedAfter
  /** The settings of the driver. */
  readonly own: unknown
}

/** Throws an Error that names the invalid setting: `degradedAfter.answers: should be …`. */
export function readCommonSettings(settings: unknown): CommonSettings {
  const { degradedAfter, ...own } = isJsonObject(settings) ? settings : {}
  const group = new SettingReader({ degradedAfter }).optionalGroup('degradedAfter')
  const read = {
    answers: group.wholeNumber('answers', 1, 1_000_000, 5),
    seconds: group.wholeNumber('seconds', 1, 86_400, 5),
  }
  group.end()
  return { degradedAfter: read, own: isJsonObject(settings) ? own : settings }
}
