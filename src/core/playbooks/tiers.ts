/** Models by client, cheapest first. Other clients have no known order and use their default model. */
const TIERS: Readonly<Record<string, readonly string[]>> = { claude: ['haiku', 'sonnet', 'opus'] };

/** Tiers of the client that runs a project's tasks. */
export function tiersOf(executor: string): readonly string[] {
  return TIERS[executor] ?? [];
}
