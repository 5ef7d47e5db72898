/** The page of providers with ready settings, docs/reference/providers.md, made from their files. */
import { readyProviders } from '../../src/app/carriers/ready-providers.ts'

const OPENING = `# Providers

Look up the providers that have ready settings ([how to connect one](../guides/carriers.md#connect-a-provider)). *Verified* settings were
tested against a double of the provider that is as strict as its documentation; the others follow the documentation only. This page is
made from the files in \`providers/\`.`

/** Returns the whole page. */
export function writeProviders(): string {
  const rows = readyProviders().map(({ name, title, channel, status, documentation: { address, date }, limits }) =>
    [`\`${name}\``, title, channel, status, `[${date}](${address})`, limits.join(' ')].map(escapeBars),
  )
  const heads = ['name', 'provider', 'channel', 'settings', 'documentation', 'limits']
  return `${[OPENING, [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')].join('\n\n')}\n`
}

function escapeBars(cell: string): string {
  return cell.replaceAll('|', '\\|')
}
