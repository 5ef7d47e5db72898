/** The request in several languages, ready to copy. The key is a placeholder. */
import type { JsonObject, JsonValue } from '../../features/compose/draft.ts'

export const SAMPLES = ['json', 'curl', 'typescript', 'python', 'php'] as const
export type Sample = (typeof SAMPLES)[number]

const SCHEME = 'https:'
const GATEWAY = `${SCHEME}//gateway.example`
const KEY = '<API_KEY>'

export function writeSample(sample: Sample, message: JsonObject): string {
  const request = { auth: KEY, data: [message] }
  switch (sample) {
    case 'json':
      return write(request, JSON_STYLE)
    case 'curl': {
      const body = write(request, JSON_STYLE).replaceAll("'", String.raw`'\''`)
      return `curl -s ${GATEWAY}/api/json.php -H 'Content-Type: application/json' -d '${body}'`
    }
    case 'typescript':
      return `import { Posthorn } from 'posthorn-client'

const posthorn = new Posthorn({ baseUrl: '${GATEWAY}', apiKey: '${KEY}' })
const sent = await posthorn.send(${write(message, SCRIPT_STYLE)})
console.log(sent.msg_id)`
    case 'python':
      return `from posthorn import Posthorn

with Posthorn("${GATEWAY}", "${KEY}") as posthorn:
    sent = posthorn.execute(${write(message, PYTHON_STYLE, 1)})
    print(sent["msg_id"])`
    case 'php':
      return `<?php
use Posthorn\\Posthorn;

$posthorn = new Posthorn('${GATEWAY}', '${KEY}');
$sent = $posthorn->execute(${write(message, PHP_STYLE)});
echo $sent['msg_id'];`
  }
}

interface Style {
  readonly indent: string
  readonly object: readonly [string, string]
  readonly list: readonly [string, string]
  readonly trailingComma: boolean
  name(text: string): string
  plain(value: string | number | boolean | null): string
}

const JSON_STYLE: Style = {
  indent: '  ',
  object: ['{', '}'],
  list: ['[', ']'],
  trailingComma: false,
  name: (text) => `${JSON.stringify(text)}: `,
  plain: (value) => JSON.stringify(value),
}
const SCRIPT_STYLE: Style = {
  ...JSON_STYLE,
  trailingComma: true,
  name: (text) => `${text}: `,
}
const PYTHON_STYLE: Style = {
  ...JSON_STYLE,
  indent: '    ',
  trailingComma: true,
  plain: (value) => {
    if (value === null) return 'None'
    return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)
  },
}
const PHP_STYLE: Style = {
  indent: '    ',
  object: ['[', ']'],
  list: ['[', ']'],
  trailingComma: true,
  name: (text) => `${quotePhp(text)} => `,
  plain: (value) => (typeof value === 'string' ? quotePhp(value) : JSON.stringify(value)),
}

function quotePhp(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function write(value: JsonValue, style: Style, depth = 0): string {
  if (typeof value !== 'object' || value === null) return style.plain(value)
  const isList = Array.isArray(value)
  const [open, close] = isList ? style.list : style.object
  const lines = Object.entries(value as object).map(
    ([name, each]) => `${isList ? '' : style.name(name)}${write(each, style, depth + 1)}`,
  )
  if (lines.length === 0) return `${open}${close}`
  const inner = style.indent.repeat(depth + 1)
  const end = style.trailingComma ? ',' : ''
  return `${open}\n${inner}${lines.join(`,\n${inner}`)}${end}\n${style.indent.repeat(depth)}${close}`
}
