/** Reads the code of a short or unsubscribe link. */

const CODE = /^[A-Za-z0-9_-]{0,63}[A-Za-z0-9]/
/** Punctuation behind the link in a text, which programs that find links take for a part of it. */
const BEHIND = /^[\p{P}\p{S}\p{Z}\p{Cf}]*$/u
const MAX_BEHIND = 64
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Returns null for a path that names no link. `path` is the part before the code. */
export function readLinkCode(target: string, path: string): string | null {
  const query = target.indexOf('?')
  const written = target.slice(path.length, query < 0 ? undefined : query)
  const code = CODE.exec(written)?.[0]
  if (code === undefined) return null
  const behind = written.slice(code.length)
  return behind === '' || isBehind(behind) ? code : null
}

function isBehind(behind: string): boolean {
  if (behind.length > MAX_BEHIND) return false
  try {
    return BEHIND.test(decodeURIComponent(UTF8.decode(Buffer.from(behind, 'latin1'))))
  } catch {
    return false
  }
}
