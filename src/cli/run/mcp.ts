/** `posthorn mcp`: serves MCP over standard input and output, until the client closes them. */
import type { Command } from 'commander'
import { readConfig } from '../../app/settings/config.ts'
import type { AskEndpoint } from '../../operations/mcp/mcp-tool.ts'
import { ASKING, newCommand, settingFlags } from '../command/command.ts'
import { CannotDo, explainFailure } from '../command/failure.ts'
import type { Terminal } from '../command/terminal.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'

/** Of one message of the protocol. */
const MAX_BYTES = 1024 * 1024
/** Calls that run at the same time. */
const MAX_CALLS = 8

export function mcpCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'mcp',
    summary: 'serve MCP over standard input and output, so that an AI assistant can find and explain messages',
    examples: ['posthorn mcp', 'posthorn mcp --server http://127.0.0.1:8081 --mcp-send test'],
    settings: [...ASKING, 'mcp-send'],
  })
  return command.action(async () => {
    const config = readConfig(settingFlags(command), terminal.environment)
    const [{ serveStdio, StdioServerTransport }, { createMcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server/stdio'),
      import('../../operations/mcp/mcp-server.ts'),
    ])
    const ask = limitCalls(MAX_CALLS, (endpoint, call) => askEndpoint(endpoint, call, config, terminal))
    const explain = (error: unknown) => explainFailure(error).sentence ?? 'failed'
    // The user of this machine may do everything; a server judges the role of the token itself.
    const role = config.server === null ? 'owner' : null
    const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_BYTES })
    serveStdio(() => createMcpServer({ role, sending: config.mcpSend, ask, explain }), {
      transport,
      onerror: (error) => terminal.err(`error: ${error.message}\n`),
    })
  })
}

function limitCalls(max: number, ask: AskEndpoint): AskEndpoint {
  let running = 0
  return async (endpoint, call) => {
    if (running >= max) throw new CannotDo(`too many calls at the same time: at most ${max}`)
    running += 1
    try {
      return await ask(endpoint, call)
    } finally {
      running -= 1
    }
  }
}
