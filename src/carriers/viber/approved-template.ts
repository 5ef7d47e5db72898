/**
 * Texts that Viber has approved, for countries where nothing else counts as transactional. Viber documents the format
 * for partners only, so the settings hold the `message` as the partner gave it, and the captured values are inserted.
 */
import Type from 'typebox'
import type { TextContent } from '../../domain/message/message.ts'
import { isJsonObject, type JsonObject } from '../../wire/json.ts'
import { matchText, readTextPattern, type TextPattern } from '../shared/match-text.ts'
import { WrongSetting } from '../shared/read-settings.ts'
import { group, parsed, text, whole } from '../shared/setting-kinds.ts'

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

export const APPROVED_TEMPLATE = parsed(
  group(
    {
      text: text('The approved text; a text that matches is sent by the template.'),
      type: whole(1_701, 1_702, 'Type of the message at Viber.'),
      message: parsed(
        Type.Unknown({ description: 'The `message` of Viber, in which `{{pin}}` is replaced.' }),
        (json) => {
          if (isJsonObject(json)) return json
          throw new Error('should be an object in the format of Viber')
        },
      ),
    },
    'One approved text.',
  ),
  ({ text: approved, type, message }): ApprovedTemplate => {
    const pattern = readTextPattern(approved)
    const names = new Set(pattern.filter((_, index) => index % 2 === 1))
    const unknown = namesIn(message).find((name) => !names.has(name))
    if (unknown === undefined) return { pattern, type, message }
    throw new WrongSetting('message', `has {{${unknown.slice(0, 40)}}}, which is not in the text`)
  },
)

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
