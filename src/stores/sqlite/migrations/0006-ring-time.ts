/** A route for calls may say how long the phone rings; those from before ring as long as their carriers say. */
export const RING_TIME = `
ALTER TABLE route ADD COLUMN ring_seconds REAL; -- NULL for as long as the carrier is set to
`
