/**
 * How much of a kind proves a thing: a sample in every run of the tests, the whole mass in `npm run test:proof`, which runs
 * the files that call this.
 */
export function mass(sample: number, whole: number): number {
  return process.env['TROUPE_PROOF'] === undefined ? sample : whole;
}
