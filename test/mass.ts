/**
 * Size of a random test: a sample in every run, the whole number in `npm run test:proof`, which runs the files that
 * call this.
 */
export function mass(sample: number, whole: number): number {
  return process.env['TROUPE_PROOF'] === undefined ? sample : whole;
}
