import { inert } from '#kernel/text.js';
import type { Stats } from './AgencyPage.js';
import { rootsOf } from './families.js';

type Ancestor = Stats['lineage'][number];

/** Maximum depth drawn. It ends cycles of files that name each other as parents. */
const DEPTH_MOST = 12;

/** Ancestry of roles and trade-offs; families of one are left out. */
export function Lineage({ ancestors }: { readonly ancestors: readonly Ancestor[] }) {
  const children = new Map<string, Ancestor[]>();
  for (const one of ancestors)
    for (const parent of one.parent_ids) children.set(parent, [...(children.get(parent) ?? []), one]);
  const roots = rootsOf(ancestors, children);
  if (roots.length === 0) return null;
  return (
    <section aria-label="Lineage">
      <h2>Lineage</h2>
      <ul className="lineage">
        {roots.map((root) => (
          <Branch key={root.id} one={root} of={children} depth={0} />
        ))}
      </ul>
    </section>
  );
}

function Branch({
  one,
  of,
  depth,
}: {
  readonly one: Ancestor;
  readonly of: ReadonlyMap<string, Ancestor[]>;
  readonly depth: number;
}) {
  const below = depth < DEPTH_MOST ? (of.get(one.id) ?? []) : [];
  const facts = [
    one.kind === 'tradeoff' ? 'trade-off' : one.kind,
    one.generation === null ? undefined : `generation ${one.generation}`,
    one.created_by === null ? undefined : `by ${inert(one.created_by)}`,
    one.state === 'active' ? undefined : one.state,
  ].filter((fact) => fact !== undefined);
  return (
    <li className={one.state === 'active' ? undefined : 'is-retired'}>
      <strong>{inert(one.name ?? one.id.slice(0, 12))}</strong> <span className="muted">{facts.join(', ')}</span>
      {below.length === 0 ? null : (
        <ul>
          {below.map((child) => (
            <Branch key={child.id} one={child} of={of} depth={depth + 1} />
          ))}
        </ul>
      )}
    </li>
  );
}
