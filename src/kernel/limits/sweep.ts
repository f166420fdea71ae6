/** Bounds of sweeps. */
export const SWEEP_LIMITS = {
  /** Slices of a sweep, how many it has as a rule, and the keys that one owns. */
  slicesLeast: 2,
  slicesMost: 12,
  slicesUsualLeast: 5,
  slicesUsualMost: 7,
  sliceKeys: 20,
  keyCharacters: 120,
  /** The schema of the entries. */
  requiredFields: 5,
  optionalFields: 10,
  fieldCharacters: 40,
  /** What one scout hands in. */
  scoutBytes: 1024 * 1024,
  scoutEntries: 500,
  valueCharacters: 2_000,
  idCharacters: 80,
  /** An entry without use is shown so far beside the reason. */
  rejectedCharacters: 200,
  /** Fewer entries left after the merge, and a slice is thin. */
  floor: 3,
  /** How many of 100 entries are checked, and how many at least. */
  samplePercent: 15,
  samplePercentLeast: 10,
  samplePercentMost: 20,
  sampleLeast: 5,
  /** What the verifier and the synthesiser hand in, and findings of one report. */
  verdictBytes: 1024 * 1024,
  verdicts: 6_000,
  synthesisBytes: 1024 * 1024,
  findings: 500,
  /** What a stage of a chain hands on: findings of all slices at most. */
  handedOnBytes: 12 * 1024 * 1024,
  /** The file that says the slices. */
  slicesBytes: 256 * 1024,
} as const;
