/** Shipped roles; their texts are in `data/roles`. */
export const STARTERS = ['architect', 'builder', 'debugger', 'optimizer', 'refactorer', 'reviewer', 'skeptic'] as const;
export type Starter = (typeof STARTERS)[number];

export function starterNamed(name: string): Starter | undefined {
  return STARTERS.find((starter) => starter === name);
}
