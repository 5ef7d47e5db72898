/** A mobile operator as all pages show it: `Vodafone (262-02)`. */

/** MCC and MNC apart; null if both the code and the name are unknown. */
export function operatorText(mccmnc: string | null, name: string | null): string | null {
  if (mccmnc === null) return name
  const code = `${mccmnc.slice(0, 3)}-${mccmnc.slice(3)}`
  return name === null ? code : `${name} (${code})`
}
