/**
 * Texts that are registered at a generic HTTP carrier or a regulator: requests name the template of a text, and the
 * values of its variables.
 */
import type { StaticDecode } from 'typebox'
import Type from 'typebox'
import { bySpecificity, findRegistered, MAX_REGISTERED, readRegisteredText } from '../shared/registered-text.ts'
import { choice, group, listOf, mapOf, parsed, text } from '../shared/setting-kinds.ts'
import { NO_PARTS, type PartsOfTemplate } from './template.ts'

const TEMPLATES = parsed(
  listOf(
    group(
      {
        name: text('Its name or id at the carrier: `{{template}}`.'),
        text: text('The text, with `{{name}}` or `{#var#}` for what differs.'),
        sender: Type.Optional(text('The only sender of such texts.')),
        values: mapOf(text('A value.'), 'Further values of the template: `{"dlt": "1107…"}` is `{{template.dlt}}`.', {
          pattern: /^\w{1,60}$/,
          rule: 'a name of letters, digits and _',
        }),
      },
      'A registered text.',
      'Registered text',
    ),
    MAX_REGISTERED,
    'templates',
    'Registered texts, of which requests have `{{template}}`, `{{variable.1}}` or `{{variable.NAME}}`, and in JSON `{{variables}}`.',
  ),
  (templates) => bySpecificity(templates.map((each) => ({ ...each, pattern: readRegisteredText(each.text) }))),
)

export const TEMPLATE_SETTINGS = {
  templates: TEMPLATES,
  unmatched: choice(['refuse', 'send'], 'What to do with a text that fits none of the `templates`.', 'refuse'),
}

interface TemplateSettings {
  readonly templates: StaticDecode<typeof TEMPLATES>
  readonly unmatched: 'refuse' | 'send'
}

/** The template of a text. */
export interface FittingTemplate {
  /** Empty for none. */
  readonly name: string
  readonly parts: PartsOfTemplate
}

export const NO_TEMPLATE: FittingTemplate = { name: '', parts: NO_PARTS }

/** Returns null if the text may not be sent. */
export function fitRegisteredTemplate(
  { templates, unmatched }: TemplateSettings,
  sender: string,
  content: string,
): FittingTemplate | null {
  if (templates.length === 0) return NO_TEMPLATE
  const ofSender = templates.filter((each) => each.sender === undefined || each.sender === sender)
  const fitting = findRegistered(ofSender, content)
  if (fitting === null) return unmatched === 'send' ? NO_TEMPLATE : null
  const { name, values } = fitting.found
  return { name, parts: { values, variables: fitting.variables } }
}
