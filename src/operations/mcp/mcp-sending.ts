/** What MCP clients may send: nothing, only test messages to simulated phones, or also real messages. */
export const MCP_SENDING = ['none', 'test', 'all'] as const
export type McpSending = (typeof MCP_SENDING)[number]
