/** Serves folders as any web server would: files by their path, and `404.html` for what is missing. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

export interface StaticFiles extends AsyncDisposable {
  readonly origin: string
}

/** `folders` are by their path, which begins and ends with a slash; the longest path comes first. */
export async function serveFiles(folders: ReadonlyMap<string, string>): Promise<StaticFiles> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname)
    const [base, folder] = [...folders].find(([each]) => path.startsWith(each)) ?? ['/', '']
    const asked = join(folder, path.slice(base.length))
    const file = existsSync(asked) && statSync(asked).isDirectory() ? join(asked, 'index.html') : asked
    const found = existsSync(file)
    const shown = found ? file : join(folder, '404.html')
    response.writeHead(found ? 200 : 404, { 'content-type': TYPES[extname(shown)] ?? 'application/octet-stream' })
    response.end(existsSync(shown) ? readFileSync(shown) : '')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
