import { TroupeError } from '#kernel/errors.js';
import type { Invocation } from '#surfaces/cli/invocation.js';
import { PERSON_TIER_NAMES, type PersonTier } from '#surfaces/mcp/offers.js';

/** Serves MCP tools. Stdout belongs to the protocol: nothing else is printed there. */
export async function execute({ host, folder, input }: Invocation): Promise<number> {
  if (input['person'] === true) await host.offerTools(folder, { to: 'person', tiers: tiersOf(input['tiers']) });
  else await host.offerTools(folder, { to: 'run' });
  return 0;
}

function tiersOf(words: unknown): PersonTier[] {
  return (Array.isArray(words) ? words.map(String) : []).map((word) => {
    const tier = PERSON_TIER_NAMES.find((name) => name === word);
    if (tier === undefined)
      throw new TroupeError('usage', { what: `--tier must be one of ${PERSON_TIER_NAMES.join(', ')}.` });
    return tier;
  });
}
