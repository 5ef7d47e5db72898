/** The official MCP client, as assistants use it: over HTTP to the admin port, and over stdio to the real program. */
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const MAIN = fileURLToPath(new URL('../../bin/posthorn.js', import.meta.url))

/** What a tool returned: the text of its last block. */
export interface ToolReply {
  readonly isError: boolean
  readonly text: string
  readonly blocks: readonly string[]
}

export class McpClient {
  readonly #client: Client

  private constructor(client: Client) {
    this.#client = client
  }

  static async overHttp(address: string, token: string): Promise<McpClient> {
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', address), { requestInit }))
    return new McpClient(client)
  }

  static async overStdio(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const client = new Client({ name: 'test', version: '1' })
    const args = [MAIN, 'mcp', ...words]
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: environment }))
    return new McpClient(client)
  }

  get instructions(): string {
    return this.#client.getInstructions() ?? ''
  }

  async tools() {
    return (await this.#client.listTools()).tools
  }

  async toolNames(): Promise<readonly string[]> {
    return (await this.tools()).map(({ name }) => name)
  }

  async call(name: string, input: Readonly<Record<string, unknown>> = {}): Promise<ToolReply> {
    const { content, isError = false } = await this.#client.callTool({ name, arguments: input })
    const blocks = content.map((block) => (block.type === 'text' ? block.text : ''))
    return { isError, text: blocks.at(-1) ?? '', blocks }
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}
