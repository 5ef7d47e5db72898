/** Public form of an SMS template (specification 2.6), with its length in characters and parts. */
import { countCharacters } from '../../contract/fields/kinds.ts'
import type { SmsTemplate } from '../../domain/text/template.ts'
import { countParts } from '../../domain/text/text-parts.ts'

export function describeTemplate({ id, template, name }: Omit<SmsTemplate, 'accountId'>): object {
  return { id, template, name, count: `${countCharacters(template)} / ${countParts(template)}` }
}
