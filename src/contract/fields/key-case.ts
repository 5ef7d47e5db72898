/** Converts names of fields between the API, `report_steps`, and the code, `reportSteps`. */

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
