/** A default in a file of its own: every command reads the settings, and few need the operations of the API. */

/** Names of the chat app in requests, beside that of the specification. */
export const DEFAULT_CHATAPP_NAMES: readonly string[] = ['viber']
