/**
 * Texts that Viber has approved, for countries where nothing else counts as transactional. Viber documents the format
 * for partners only, so the settings hold the `message` as the partner gave it, and the captured values are inserted.
 */
import type { TextContent } from '../../domain/message/plan.ts'
import { isJsonObject, type JsonObject } from '../../wire/json.ts'
import { matchText, readTextPattern, type TextPattern } from '../shared/match-text.ts'
import type { SettingReader } from '../shared/setting-reader.ts'

export interface ApprovedTemplate {
  readonly pattern: TextPattern
  readonly type: number
  readonly message: JsonObject
}

export interface FittedTemplate {
  readonly type: number
  readonly message: unknown
}

const MAX_DEPTH = 10

export function readApprovedTemplate(template: SettingReader): ApprovedTemplate {
  const pattern = readTextPattern(template.text('text'))
  const message = template.value('message')
  if (!isJsonObject(message)) throw template.wrong('message', 'should be an object in the format of Viber')
  const names = new Set(pattern.filter((_, index) => index % 2 === 1))
  for (const name of namesIn(message)) {
    if (!names.has(name)) throw template.wrong('message', `has {{${name.slice(0, 40)}}}, which is not in the text`)
  }
  const read = { pattern, type: template.wholeNumber('type', 1_701, 1_702), message }
  template.end()
  return read
}

/** Returns null if none fits. Templates have text only. */
export function fitApproved(templates: readonly ApprovedTemplate[], content: TextContent): FittedTemplate | null {
  if (content.image !== undefined || content.button !== undefined) return null
  for (const { pattern, type, message } of templates) {
    const values = matchText(pattern, content.text)
    if (values !== null) return { type, message: fill(message, values) }
  }
  return null
}

function fill(json: unknown, values: ReadonlyMap<string, string>): unknown {
  if (typeof json === 'string') return json.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => values.get(name) ?? '')
  if (Array.isArray(json)) return json.map((item) => fill(item, values))
  if (!isJsonObject(json)) return json
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, fill(value, values)]))
}

function namesIn(json: unknown, depth = 0): readonly string[] {
  if (typeof json === 'string') return readTextPattern(json).filter((_, index) => index % 2 === 1)
  if (typeof json !== 'object' || json === null || depth > MAX_DEPTH) return []
  return Object.values(json).flatMap((value) => namesIn(value, depth + 1))
}
