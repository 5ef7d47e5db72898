/** The version of this program, and the User-Agent of its requests to carriers and hooks: `posthorn/0.1.0`. */
import about from '../../../package.json' with { type: 'json' }

export const VERSION: string = about.version
export const USER_AGENT = `posthorn/${VERSION}`
