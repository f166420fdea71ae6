import { inert, plural } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { addressOf } from '../../data/route.js';
import { CopyIcon } from '../../shell/CopyIcon.js';

type Stats = Answer<'agency.stats'>;
type Pair = Stats['synergy'][number];

/** Number of shades: one per fifth of the range from 0 to 1. */
const SHADES = 5;

/** Table of roles and the trade-offs they were scored with; each cell is shaded and contains its score. */
export function HeatMap({ stats: { synergy } }: { readonly stats: Stats }) {
  if (synergy.length === 0) return null;
  const roles = distinct(synergy, ({ role_id: id, role_name: name }) => ({ id, name }));
  const tradeoffs = distinct(synergy, ({ tradeoff_id: id, tradeoff_name: name }) => ({ id, name }));
  const cells = new Map(synergy.map((pair) => [`${pair.role_id} ${pair.tradeoff_id}`, pair]));
  return (
    <section aria-label="Roles by trade-off">
      <div className="scores-head">
        <h2>Roles by trade-off</h2>
        <p className="muted">mean and number of scores of each pair; ▲ high, ▼ low</p>
        <CopyIcon text="troupe agency stats" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="heat-frame" tabIndex={0} aria-label="Table of roles by trade-off">
        <table className="heat">
          <thead>
            <tr>
              <td />
              {tradeoffs.map(({ id, name }) => (
                <th key={id} scope="col">
                  {inert(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {roles.map((role) => (
              <tr key={role.id}>
                <th scope="row">
                  <a className="record-link" href={addressOf({ place: 'team', view: 'roles', item: role.name })}>
                    {inert(role.name)}
                  </a>
                </th>
                {tradeoffs.map(({ id }) => (
                  <Cell key={id} pair={cells.get(`${role.id} ${id}`)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

function Cell({ pair }: { readonly pair: Pair | undefined }) {
  if (pair === undefined || pair.mean === null) return <td className="heat-none">–</td>;
  const { mean, count, synergy } = pair;
  const shade = Math.min(SHADES - 1, Math.floor(Math.max(0, mean) * SHADES));
  const mark = synergy === null ? '' : synergy === 'high' ? '▲' : '▼';
  return (
    <td className={`heat-${shade}`} title={plural(count, 'score')}>
      <strong>{mean.toFixed(2)}</strong> {mark === '' ? null : <span aria-hidden="true">{mark}</span>}
      {synergy === null ? null : <span className="unseen">{synergy === 'high' ? 'high' : 'low'} synergy</span>}
      <span className="heat-count">{count}</span>
    </td>
  );
}

interface Named {
  readonly id: string;
  readonly name: string;
}

function distinct(pairs: readonly Pair[], of: (pair: Pair) => Named): readonly Named[] {
  const byId = new Map(pairs.map((pair) => [of(pair).id, of(pair)]));
  return [...byId.values()].sort((left, right) => left.name.localeCompare(right.name));
}
