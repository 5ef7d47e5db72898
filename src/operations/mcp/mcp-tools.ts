/** All tools of MCP clients: a short list of endpoints of the admin API, and the explanation of a message. */
import Type from 'typebox'
import { endpointNamed } from '../admin/endpoints.ts'
import { whole } from '../admin/fields/shapes.ts'
import { explainMessage, type MessageDetails, type TracedMessage } from './explain-message.ts'
import { type AskEndpoint, type EndpointCall, endpointTool, type McpTool } from './mcp-tool.ts'
import { shorten, writeToolResult } from './write-result.ts'

const ONE_MESSAGE = Type.Object(
  { message: whole({ minimum: 64, description: 'its id: message in find_messages, msg_id in the client API' }) },
  { additionalProperties: false },
)
const ABOUT_MESSAGE = [endpointNamed('traceMessage'), endpointNamed('showMessageDetails')] as const

const EXPLAIN_MESSAGE: McpTool = {
  name: 'explain_message',
  title: 'Explain a message',
  description:
    'Use it for "where is my message" and "why was it not delivered": says in plain sentences what happened at each ' +
    'step, what was charged and reported, and what to look at next.',
  input: ONE_MESSAGE,
  endpoints: ABOUT_MESSAGE,
  sends: 'none',
  run: async (ask, input) => {
    const { trace, details } = await readMessage(ask, input)
    return shorten(explainMessage(trace as TracedMessage, details as MessageDetails).join('\n'))
  },
}

const SHOW_MESSAGE: McpTool = {
  name: 'show_message',
  title: 'Show a message',
  description:
    'Shows the status of one message with its steps, timeline, parts, money, links and reports as JSON. ' +
    'Never contains its text.',
  input: ONE_MESSAGE,
  endpoints: ABOUT_MESSAGE,
  sends: 'none',
  run: async (ask, input) => {
    const { trace, details } = await readMessage(ask, input)
    return writeToolResult({ ...(trace as object), ...(details as object) })
  },
}

async function readMessage(ask: AskEndpoint, params: object) {
  const call: EndpointCall = { params, query: {}, body: {}, key: null }
  const [traced, detailed] = ABOUT_MESSAGE
  // One after the other: each opens the database of a command at the command line.
  const trace = await ask(traced, call)
  return { trace, details: await ask(detailed, call) }
}

export const MCP_TOOLS: readonly McpTool[] = [
  endpointTool({
    name: 'find_messages',
    title: 'Find messages',
    description: 'Finds messages, for example the failed ones of today or all to one phone. Never contains texts.',
    endpoint: 'findMessages',
  }),
  EXPLAIN_MESSAGE,
  SHOW_MESSAGE,
  endpointTool({
    name: 'show_statistics',
    title: 'Show statistics',
    description: 'Counts messages, to compare channels, carriers, countries or hours.',
    endpoint: 'showStatistics',
  }),
  endpointTool({
    name: 'list_carriers',
    title: 'List carriers',
    description: 'Shows whether carriers are connected and how much waits for them.',
    endpoint: 'listCarriers',
  }),
  endpointTool({
    name: 'list_alarms',
    title: 'List alarms',
    description: 'Shows what is wrong now, with state=open, and what was.',
    endpoint: 'listAlarms',
  }),
  endpointTool({
    name: 'list_accounts',
    title: 'List accounts',
    description: 'Finds the number of an account by its name.',
    endpoint: 'listAccounts',
  }),
  endpointTool({
    name: 'show_account',
    title: 'Show an account',
    description: 'Shows the settings, senders and stopped hooks of an account.',
    endpoint: 'showAccount',
  }),
  endpointTool({
    name: 'list_hook_states',
    title: 'List hooks of an account',
    description: 'Shows which hooks of an account do not take reports, and their last error.',
    endpoint: 'listHookStates',
  }),
  endpointTool({
    name: 'list_stopped_hooks',
    title: 'List stopped hooks',
    description: 'Shows the hooks that get no reports any more.',
    endpoint: 'listStoppedHooks',
  }),
  endpointTool({
    name: 'list_failed_reports',
    title: 'List failed reports',
    description: 'Shows reports that were given up, with the last error of each.',
    endpoint: 'listFailedReports',
  }),
  endpointTool({
    name: 'try_route',
    title: 'Try a route',
    description: 'Shows what would happen to a message to a phone: carrier, price, and what would keep it back.',
    endpoint: 'tryRoute',
  }),
  endpointTool({
    name: 'preview_message',
    title: 'Preview a message',
    description: 'Checks a message as the client API does, without sending it.',
    endpoint: 'previewMessage',
  }),
  endpointTool({
    name: 'send_test_message',
    title: 'Send a test message',
    description: 'Sends a message to a simulated phone: free of charge, and no network gets it.',
    endpoint: 'sendMessage',
    sends: 'test',
    fixed: { test: true },
  }),
  endpointTool({
    name: 'send_message',
    title: 'Send a message',
    description: 'Sends a real message, at the cost of the account. Ask the user before.',
    endpoint: 'sendMessage',
    sends: 'all',
    fixed: { test: false },
  }),
]
