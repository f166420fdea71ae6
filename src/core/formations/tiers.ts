/** The models of a client by what they can do and cost, the cheapest first. Of other clients nobody knows: they take their own. */
const TIERS: Readonly<Record<string, readonly string[]>> = { claude: ['haiku', 'sonnet', 'opus'] };

/** The tiers of whoever does the tasks of a project. */
export function tiersOf(executor: string): readonly string[] {
  return TIERS[executor] ?? [];
}
