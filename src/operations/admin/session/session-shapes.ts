/** Schemas that all ways to log in share. */
import Type from 'typebox'
import { SHOWN_ONCE, TIME, USER } from '../fields/shapes.ts'

export const COOKIE = Type.Optional(
  Type.Boolean({
    description: 'put the token into a cookie instead of the answer, for a page of this gateway in a browser',
  }),
)

/** The token is missing if it was put into a cookie. */
export const LoggedIn = Type.Object({ user: USER, token: Type.Optional(SHOWN_ONCE), expires_at: TIME })
