import { sayMoney, sayTokens } from '#kernel/text.js';
import { resourceOf, useResource } from '../../data/resource.js';

const EVERY_MS = 15_000;
const workResource = resourceOf('status.work', {});

/** What was spent against what may be; nothing where neither is known. */
export function Spend() {
  const { answer } = useResource(workResource, EVERY_MS);
  if (answer === undefined) return null;
  const { usd_today, usd_total, usd_reserved, usd_per_day, usd_cap, tokens_today, tokens_per_day } = answer.spend;
  const of = (cap: number | null, say: (value: number) => string) => (cap === null ? '' : ` of ${say(cap)}`);
  const facts: [string, string][] = [
    ...(usd_today === null
      ? []
      : [['Today', `${sayMoney(usd_today)}${of(usd_per_day, sayMoney)}`] as [string, string]]),
    ...(usd_total === null ? [] : [['In total', `${sayMoney(usd_total)}${of(usd_cap, sayMoney)}`] as [string, string]]),
    ...(usd_reserved > 0 ? [['Set aside', sayMoney(usd_reserved)] as [string, string]] : []),
    ...(tokens_today === null
      ? []
      : [['Tokens today', `${sayTokens(tokens_today)}${of(tokens_per_day, sayTokens)}`] as [string, string]]),
  ];
  if (facts.length === 0) return null;
  return (
    <section className="now-section" aria-label="Spend">
      <h2>Spend</h2>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="number">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
