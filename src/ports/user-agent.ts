/** The User-Agent of requests to carriers and hooks: `posthorn/0.1.0`. */
import about from '../../package.json' with { type: 'json' }

export const USER_AGENT = `posthorn/${about.version}`
