/** The reference of carrier settings as Markdown, docs/reference/carrier-settings.md, made from their schemas. */

import { CARRIER_SCHEMAS } from '../../src/app/carriers/carrier-drivers.ts'
import { COMMON_SETTINGS } from '../../src/carriers/shared/setting-kinds.ts'
import { type RuleSchema, ruleOf } from '../../src/domain/text/schema-rule.ts'
import { CARRIER_CHANNELS } from '../../src/operations/admin/fields/carrier-kinds.ts'

/** The part of JSON Schema that settings use. */
interface Schema extends RuleSchema {
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly writeOnly?: boolean
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

const OPENING = `# Carrier settings

Look up every setting of a carrier. This page is made from the schemas that read the settings;
\`posthorn carrier kinds --json\` has the same as JSON Schema. The settings are a JSON file that \`posthorn carrier add --settings\`
reads ([steps](../operations/operating.md#3-carriers)); an example:

\`\`\`json
{ "host": "smpp.example.net", "port": 2775, "systemId": "example", "password": "secret", "throughput": 50 }
\`\`\`

An unknown setting is refused with the nearest known one: \`thruoghput: is not a setting of this carrier; did you mean throughput?\`
*Secret* settings are stored encrypted and never shown again. What statuses and receipts mean is in
[Carriers](../guides/carriers.md).`

/** Returns the whole page. */
export function writeCarrierSettings(): string {
  const kinds = Object.entries(CARRIER_SCHEMAS).map(([kind, schema]) => [kind, schema as Schema] as const)
  const sections = [
    OPENING,
    writeKinds(kinds),
    `## Settings of every kind\n\nSee [slow carriers](../guides/routing.md#carriers-that-are-slow).\n\n${writeTable({ properties: COMMON_SETTINGS as Schema['properties'] & object })}`,
    ...kinds.map(([, schema]) => `## ${schema.title}\n\n${writeTable(withoutCommon(schema))}`),
    ...titledWithin(kinds.map(([, schema]) => schema)).map((schema) => `## ${schema.title}\n\n${writeTable(schema)}`),
  ]
  return `${sections.join('\n\n')}\n`
}

function writeKinds(kinds: readonly (readonly [string, Schema])[]): string {
  const rows = kinds.map(([kind, { title = '', description }]) => {
    const channels = CARRIER_CHANNELS[kind as keyof typeof CARRIER_CHANNELS].join(', ')
    return `| [\`${kind}\`](${anchor(title)}) | ${channels} | ${description} |`
  })
  return ['| kind | channels | carrier |', '|---|---|---|', ...rows].join('\n')
}

function withoutCommon({ properties = {}, ...schema }: Schema): Schema {
  const own = Object.entries(properties).filter(([name]) => !Object.hasOwn(COMMON_SETTINGS, name))
  return { ...schema, properties: Object.fromEntries(own) }
}

function writeTable(schema: Schema): string {
  return ['| setting | value | default | meaning |', '|---|---|---|---|', ...rowsOf(schema, '')].join('\n')
}

/** Returns the rows of what is inside a schema. */
function rowsOf(schema: Schema, path: string): readonly string[] {
  const objects = (schema.anyOf ?? []).filter((option) => option.properties?.['kind'] !== undefined)
  if (objects.length > 0) return rowsOfKinds(objects, path)
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const inner = `${path}${name}`
    const isRequired = schema.required?.includes(name) ?? false
    return [rowOf(inner, member, isRequired ? 'required' : defaultOf(member)), ...rowsInside(member, inner)]
  })
}

function rowsInside(member: Schema, path: string): readonly string[] {
  if (member.title !== undefined) return []
  if (member.items !== undefined) return member.items.title === undefined ? rowsOf(member.items, `${path}[].`) : []
  const [value] = Object.values(member.patternProperties ?? {})
  return value === undefined ? rowsOf(member, `${path}.`) : rowsOf(value, `${path}.NAME.`)
}

/** Returns the rows of objects that differ in their kind. */
function rowsOfKinds(objects: readonly Schema[], path: string): readonly string[] {
  const kinds = objects.map((each) => `\`${each.properties?.['kind']?.const}\`: ${each.description}`)
  const kindRow = `| \`${path}kind\` | one of ${objects.map((each) => each.properties?.['kind']?.const).join(', ')} | | ${kinds.join(' ')} |`
  const rows = objects.flatMap(({ properties = {}, required = [] }) => {
    const { kind, ...members } = properties
    return Object.entries(members).map(([name, member]) => {
      const standard = required.includes(name) ? 'required' : defaultOf(member)
      return rowOf(
        `${path}${name}`,
        { ...member, description: `With \`${kind?.const}\`: ${lower(member.description)}` },
        standard,
      )
    })
  })
  return [kindRow, ...rows]
}

function rowOf(name: string, schema: Schema, standard: string): string {
  const secret = schema.writeOnly === true ? ' *Secret.*' : ''
  return `| \`${name}\` | ${inCell(describeValue(schema))} | ${standard} | ${inCell(schema.description ?? '')}${secret} |`
}

function describeValue(schema: Schema): string {
  const [value] = Object.values(schema.patternProperties ?? {})
  if (value !== undefined) return `for each name: ${describeValue(value)}`
  if (schema.title !== undefined) return link(schema.title)
  if (schema.items?.title !== undefined) return `${ruleOf(schema)}, each a ${link(schema.items.title)}`
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(describeValue))].join(' or ')
  if (schema.type === undefined && schema.enum === undefined && schema.const === undefined) return 'any JSON'
  return ruleOf(schema)
}

function defaultOf({ default: standard }: Schema): string {
  const isEmpty = standard === undefined || ['{}', '[]'].includes(JSON.stringify(standard))
  return isEmpty ? '' : `\`${typeof standard === 'string' ? standard : JSON.stringify(standard)}\``
}

/** Returns each schema with a title that is inside of others, once. */
function titledWithin(schemas: readonly Schema[]): readonly Schema[] {
  const found = new Map<string, Schema>()
  const visit = (schema: Schema) => {
    const inner = [
      ...Object.values(schema.properties ?? {}),
      ...Object.values(schema.patternProperties ?? {}),
      ...(schema.anyOf ?? []),
      ...(schema.items === undefined ? [] : [schema.items]),
    ]
    for (const each of inner) {
      if (each.title !== undefined && !found.has(each.title)) found.set(each.title, each)
      visit(each)
    }
  }
  schemas.forEach(visit)
  return [...found.values()]
}

function link(title: string): string {
  return `[${title.toLowerCase()}](${anchor(title)})`
}

/** As the site and GitHub make anchors of headings. */
function anchor(title: string): string {
  return `#${title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')}`
}

function lower(text = ''): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|')
}
