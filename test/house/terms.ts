/** Invented words, each with the term of the field that replaces it. */
export const TERMS: readonly (readonly [RegExp, string])[] = [
  [/\b(brings?|brought|bringing) forth\b/i, 'produces'],
  [/\b(start|run|runs|ran|work|working|done|went on) side by side\b/i, 'in parallel'],
  [/\bhangs? together\b/i, 'is connected with'],
  [/\bcounts? on (this|a|the) task\b|\bactive counts on\b/i, 'depends on'],
  [/\b(end|ended) as done\b/i, 'succeed'],
  [/\bcome after another\b|\bwhat comes after (it|them)\b/i, 'depends on'],
  [/\blogin code\b/i, 'one-time link'],
  [/\bon (your|the) path\b/, 'on your PATH'],
  [/\bwith whose eyes\b/i, 'which agent'],
  [/\bsets? free\b/i, 'unblocks'],
];
