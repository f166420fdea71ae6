/** Limits of sweeps. */
export const SWEEP_LIMITS = {
  /** Slices of a sweep: minimum and maximum, usual range, keys per slice. */
  slicesLeast: 2,
  slicesMost: 12,
  slicesUsualLeast: 5,
  slicesUsualMost: 7,
  sliceKeys: 20,
  keyCharacters: 120,
  /** Schema of the entries. */
  requiredFields: 5,
  optionalFields: 10,
  fieldCharacters: 40,
  /** Result of one scout. */
  scoutBytes: 1024 * 1024,
  scoutEntries: 500,
  valueCharacters: 2_000,
  idCharacters: 80,
  /** Length of a rejected entry shown beside the reason. */
  rejectedCharacters: 200,
  /** Minimum entries of a slice after the merge; a slice with fewer is reported as thin. */
  floor: 3,
  /** Percentage of entries that are checked, and the minimum number. */
  samplePercent: 15,
  samplePercentLeast: 10,
  samplePercentMost: 20,
  sampleLeast: 5,
  /** Results of the verifier and of the synthesiser, and findings of one report. */
  verdictBytes: 1024 * 1024,
  verdicts: 6_000,
  synthesisBytes: 1024 * 1024,
  findings: 500,
  /** Maximum bytes passed from one stage of a chain to the next: the findings of all slices. */
  handedOnBytes: 12 * 1024 * 1024,
  /** Maximum bytes of the file that defines the slices. */
  slicesBytes: 256 * 1024,
} as const;
