/**
 * Renders documents that are written for the repository. Relative links lead to pages of the site; links to other files
 * lead to where the sources can be read, or become plain text. Braces have no meaning.
 */
import { documentsAt, resolveLink, type Site } from './pages.ts'

/** The part of markdown-it's tokens that links need. */
interface Token {
  readonly type: string
  readonly children: Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}

interface Markdown {
  readonly core: { readonly ruler: { push(name: string, rule: (state: State) => void): void } }
  readonly renderer: { readonly rules: Record<string, ((...args: never[]) => string) | undefined> }
}

interface State {
  readonly tokens: readonly Token[]
  readonly env: { readonly path?: string; readonly realPath?: string }
}

export interface LinkOptions {
  readonly root: string
  readonly site: Site
  readonly sources: string | null
}

export function useRepositoryMarkdown(markdown: Markdown, options: LinkOptions): void {
  markdown.core.ruler.push('repository_links', ({ tokens, env }) => {
    const path = env.realPath ?? env.path ?? ''
    const file = path.startsWith(options.root) ? path.slice(options.root.length) : path
    for (const { children } of tokens) if (children !== null) rewrite(children, file, options)
  })
  // Vue evaluates what is in double braces.
  for (const name of ['text', 'code_inline']) {
    const render = markdown.renderer.rules[name]
    markdown.renderer.rules[name] = (...args) => (render?.(...args) ?? '').replaceAll('{{', '&#123;&#123;')
  }
}

function rewrite(tokens: Token[], file: string, options: LinkOptions): void {
  let removed = false
  const kept = tokens.filter((token) => {
    if (token.type === 'link_open') {
      const target = targetOf(token.attrGet('href') ?? '', file, options)
      if (target !== null) token.attrSet('href', target)
      removed = target === null
      return target !== null
    }
    return token.type !== 'link_close' || !removed
  })
  tokens.splice(0, tokens.length, ...kept)
}

/** Returns the address of a link on the site, or null if it leads nowhere. */
export function targetOf(link: string, file: string, { root, site, sources }: LinkOptions): string | null {
  if (/^(?:\w+:|#)/.test(link)) return link
  const path = resolveLink(file, link)
  const page = documentsAt(root, path)
    .map((each) => site.pages.get(each))
    .find((each) => each !== undefined)
  if (page !== undefined) return `/${page.path}.md${/#.*$/.exec(link)?.[0] ?? ''}`
  if (/^docs\/(?:rest-)?openapi\.json$/.test(path)) return path.slice('docs'.length)
  return sources === null ? null : `${sources}/${path}`
}
